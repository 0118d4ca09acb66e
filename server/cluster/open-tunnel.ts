import { X509Certificate } from "node:crypto";
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from "node:http";
import { request as encryptedRequest } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";

/** What CONNECT names as its target: not a host, but what the tunnel is for. */
export const peeringTarget = "cluster.peering:443";

/** The headers with which a cluster identifies itself. A real one has a certificate for it. */
export const serverNameHeader = "x-peering-server-name";
export const rootHeader = "x-peering-root";

/** A cluster that was not reached, in the words of Go's gRPC client. */
export class DialFailure extends Error {}

export interface Dialling {
  /** `host:port`. */
  readonly address: string;
  /** The identity that must answer there, as the token says. */
  readonly serverName: string;
  readonly caPems: readonly string[];
  /** How long the other side may take to answer. */
  readonly handshakeMs: number;
  /** Ends the attempt, and the tunnel. */
  readonly signal: AbortSignal;
}

/**
 * Opens a tunnel to another cluster.
 * @throws DialFailure when nobody answers there, or somebody else does.
 */
export async function openTunnel(dialling: Dialling): Promise<Duplex> {
  const roots = dialling.caPems.map(fingerprintOf);
  const { answer, socket } = await connectedAnyhow(dialling);
  const problem = handshakeProblem(answer, { serverName: dialling.serverName, roots });
  if (problem === undefined) return socket;
  socket.destroy();
  throw new DialFailure(problem);
}

interface Connection {
  readonly answer: IncomingMessage;
  readonly socket: Duplex;
}

/** Also to a cluster whose port speaks HTTPS. Who it is, its headers say: its certificate is for other clients. */
async function connectedAnyhow(dialling: Dialling): Promise<Connection> {
  const plain = await connected(dialling, request);
  const { statusCode, httpVersion } = plain.answer;
  if (statusCode !== 400 || httpVersion !== "1.0") return plain;
  plain.socket.destroy();
  return connected(dialling, (options) => encryptedRequest({ ...options, rejectUnauthorized: false }));
}

function connected(
  { address, handshakeMs, signal }: Dialling,
  open: (options: RequestOptions) => ClientRequest,
): Promise<Connection> {
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  return new Promise((resolve, reject) => {
    const dial = open({
      method: "CONNECT",
      host: host || "localhost",
      port,
      path: peeringTarget,
      agent: false,
      signal,
    });
    const timer = setTimeout(() => dial.destroy(new DialFailure(handshake("context deadline exceeded"))), handshakeMs);
    dial.on("close", () => clearTimeout(timer));
    dial.on("error", (error) =>
      reject(error instanceof DialFailure ? error : new DialFailure(dialProblem(error, address))),
    );
    dial.on("connect", (answer: IncomingMessage, socket: Duplex, head: Buffer) => {
      clearTimeout(timer);
      // The signal of the request ends with it.
      const end = () => socket.destroy();
      signal.addEventListener("abort", end);
      socket.on("close", () => signal.removeEventListener("abort", end));
      socket.unshift(head);
      resolve({ answer, socket });
    });
    dial.end();
  });
}

const handshake = (problem: string) => `"transport: authentication handshake failed: ${problem}"`;

/** The errors that TLS would find, in its order. */
function handshakeProblem(
  { headers }: IncomingMessage,
  { serverName, roots }: { readonly serverName: string; readonly roots: readonly string[] },
): string | undefined {
  const { [serverNameHeader]: name, [rootHeader]: root } = headers;
  if (typeof name !== "string") return handshake("tls: first record does not look like a TLS handshake");
  // Without a CA Consul dials without TLS, which the other side does not answer.
  if (roots.length === 0) return `"error reading server preface: EOF"`;
  const verify = (problem: string) => handshake(`tls: failed to verify certificate: x509: ${problem}`);
  if (name !== serverName) return verify(`certificate is valid for ${name}, not ${serverName}`);
  if (typeof root !== "string" || !roots.includes(root)) return verify("certificate signed by unknown authority");
  return undefined;
}

export function fingerprintOf(pem: string): string {
  return new X509Certificate(pem).fingerprint256;
}

const refusals: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  EHOSTUNREACH: "no route to host",
  ENETUNREACH: "network is unreachable",
  ETIMEDOUT: "connection timed out",
};

interface SystemError extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
}

function dialProblem(error: SystemError, address: string): string {
  // A name that has several addresses fails once for each.
  const [cause = error] = error instanceof AggregateError ? (error.errors as SystemError[]) : [];
  const dialled = (problem: string) => `"transport: Error while dialing: dial tcp${problem}"`;
  const host = address.slice(0, address.lastIndexOf(":"));
  if (cause.code === "ENOTFOUND" || cause.code === "EAI_AGAIN") return dialled(`: lookup ${host}: no such host`);
  const refusal = refusals[cause.code ?? ""];
  if (refusal === undefined) return handshake("EOF");
  const isName = host !== "" && isIP(host.replace(/[[\]]/g, "")) === 0;
  const place = isName && cause.address !== undefined ? `${cause.address}:${cause.port}` : address;
  return dialled(` ${place}: connect: ${refusal}`);
}
