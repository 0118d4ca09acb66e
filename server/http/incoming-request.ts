import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { peerCertificates } from "./encryption";
import type { Incoming } from "./exchange";

export interface IncomingParts {
  readonly method: string;
  readonly body: Buffer;
  readonly response: ServerResponse;
  readonly localAddress: string;
}

/** A request as the services see it. */
export function incomingFrom(
  request: IncomingMessage,
  { method, body, response, localAddress }: IncomingParts,
): Incoming {
  const target = originForm(request.url ?? "/");
  const mark = target.indexOf("?");
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? "" : target.slice(mark + 1),
    headers: firstHeaders(request.rawHeaders),
    body,
    remoteAddress: unmapped(request.socket.remoteAddress),
    localAddress,
    clientCertificates: peerCertificates(request.socket),
    clientGone: () => {
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      return gone.signal;
    },
  };
}

/** The target without scheme and authority, which a client may send as if to a proxy (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
  return rest.startsWith("/") ? rest : `/${rest}`;
}

// When a header is given twice, Go's handlers see the first.
function firstHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? "";
    headers[name] ??= raw[at + 1] ?? "";
  }
  return headers;
}

export function localAddressOf({ localAddress, localPort = 0 }: Socket): string {
  return hostAndPort(unmapped(localAddress), localPort);
}

export function hostAndPort(address: string, port: number): string {
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}

/** An IPv4 address that the system shows as an IPv6 one. */
function unmapped(address = ""): string {
  return address.replace(/^::ffff:/, "");
}
