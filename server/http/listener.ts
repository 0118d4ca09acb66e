import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { faultAnswer } from "../faults/fault-answer";
import { type FaultBook, faultableRequest } from "../faults/fault-book";
import type { FaultScript } from "../faults/fault-script";
import type { Service } from "../service";
import type { Exchange, Incoming, Outgoing } from "./exchange";
import { readBody } from "./read-body";
import type { RequestLog } from "./request-log";
import { acceptUnparsedVerbs } from "./unparsed-verbs";

export interface ListenerOptions {
  readonly service: Service;
  readonly exchange: Exchange;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly log?: RequestLog;
  readonly faults?: FaultBook;
  /** Takes over the connections of CONNECT requests, which are closed without it. */
  readonly tunnel?: Tunnel;
}

/** The far end of a connection that has become a tunnel. It answers the CONNECT itself. */
export type Tunnel = (target: string, far: { readonly socket: Duplex; readonly localAddress: string }) => void;

export interface Listener {
  /** Such as `http://127.0.0.1:40123`. */
  readonly address: string;
  /** Stops listening, lets running requests finish for a moment, and leaves no socket open. */
  close(): Promise<void>;
}

const closeGraceMs = 500;

/** Opens an HTTP listener for one service. Rejects with Node's error when the port cannot be had. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const running = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  const server = createServer();
  const verbOf = acceptUnparsedVerbs(server);
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const work: Promise<void> = answer(options, { request, response, method: verbOf(request) })
      .catch((error: unknown) => {
        // A defect of the server itself: told to the client as far as that goes, and on stderr.
        console.error(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end("internal error of the embedded server");
      })
      .finally(() => running.delete(work));
    running.add(work);
  });
  const { tunnel } = options;
  if (tunnel !== undefined) {
    server.on("connect", ({ url, socket }: IncomingMessage, stream: Duplex, head: Buffer) => {
      stream.unshift(head);
      tunnel(url ?? "", { socket: stream, localAddress: localAddressOf(socket) });
    });
  }
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: options.host, port: options.port }, resolve);
  });
  return {
    address: addressText(server.address()),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.race([Promise.allSettled(running), grace()]);
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
}

async function answer(options: ListenerOptions, { request, response, method }: Turn): Promise<void> {
  const body = await readBody(request);
  const incoming = incomingFrom(request, { method, body: body ?? Buffer.alloc(0) });
  const fault = options.faults?.take(faultableRequest(options.service, incoming));
  const log = (status: number) => {
    options.log?.add({
      service: options.service,
      method,
      path: incoming.path,
      parameters: [...new URLSearchParams(incoming.query).keys()],
      status,
      at: new Date().toISOString(),
      ...(fault === undefined ? {} : { fault: fault.text }),
    });
  };
  if (fault?.action === "cut" && !fault.after) {
    log(0);
    request.socket.destroy();
    return;
  }
  const outgoing = await outgoingFor(options, { incoming, body, fault });
  if (fault?.action === "cut") {
    log(0);
    request.socket.destroy();
    return;
  }
  log(outgoing.status);
  await send(response, { outgoing, delayMs: fault?.action === "slow" ? fault.delayMs : 0, isHead: method === "HEAD" });
}

interface Asked {
  readonly incoming: Incoming;
  readonly body: Buffer | undefined;
  readonly fault: FaultScript | undefined;
}

async function outgoingFor({ service, exchange }: ListenerOptions, asked: Asked): Promise<Outgoing> {
  const { incoming, body, fault } = asked;
  if (body === undefined) {
    const refusal = faultAnswer({ service, status: 413, text: "http: request body too large" });
    return { ...refusal, headers: { ...refusal.headers, connection: "close" } };
  }
  const replaces = fault?.action === "status" || fault?.action === "sealed";
  if (!replaces) return exchange(incoming);
  if (fault.after) await exchange(incoming);
  return faultAnswer({
    service,
    status: fault.status,
    retryAfterSeconds: fault.retryAfterSeconds,
    sealed: fault.action === "sealed",
  });
}

function incomingFrom(request: IncomingMessage, { method, body }: { method: string; body: Buffer }): Incoming {
  const url = request.url ?? "/";
  const mark = url.indexOf("?");
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return {
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? "" : url.slice(mark + 1),
    headers,
    body,
    remoteAddress: unmapped(request.socket.remoteAddress),
    localAddress: localAddressOf(request.socket),
  };
}

interface Sending {
  readonly outgoing: Outgoing;
  readonly delayMs: number;
  readonly isHead: boolean;
}

async function send(response: ServerResponse, { outgoing, delayMs, isHead }: Sending): Promise<void> {
  const body = Buffer.from(outgoing.body);
  const hasBody = outgoing.status !== 204 && outgoing.status !== 304;
  const length = hasBody && body.length > 0 ? { "content-length": String(body.length) } : {};
  response.writeHead(outgoing.status, { ...length, ...outgoing.headers });
  if (!hasBody || isHead) {
    response.end();
    return;
  }
  if (delayMs === 0) {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, Math.floor(body.length / 2)));
  await pause(response, delayMs);
  response.end(body.subarray(Math.floor(body.length / 2)));
}

/** Waits, but no longer than the client does. */
function pause(response: ServerResponse, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    response.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function grace(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, closeGraceMs).unref();
  });
}

function localAddressOf({ localAddress, localPort = 0 }: Socket): string {
  return hostAndPort(unmapped(localAddress), localPort);
}

/** An IPv4 address that the system shows as an IPv6 one. */
function unmapped(address = ""): string {
  return address.replace(/^::ffff:/, "");
}

function addressText(address: string | AddressInfo | null): string {
  if (address === null || typeof address === "string") throw new Error("the listener has no TCP address");
  return `http://${hostAndPort(address.address, address.port)}`;
}

function hostAndPort(address: string, port: number): string {
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}
