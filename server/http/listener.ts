import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { faultAnswer } from "../faults/fault-answer";
import { type FaultBook, faultableRequest } from "../faults/fault-book";
import type { FaultScript } from "../faults/fault-script";
import type { Service } from "../service";
import { type ServerIdentity, tlsOptions } from "./encryption";
import type { Exchange, Incoming, Outgoing } from "./exchange";
import { hostAndPort, incomingFrom, localAddressOf } from "./incoming-request";
import { trackOpenRequests } from "./open-requests";
import { answerParseFailures } from "./parse-failure";
import { BodyFailure, ClientGone, readBody } from "./read-body";
import { loggedPart, type RequestLog } from "./request-log";
import { unfitAnswer } from "./unfit-request";

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
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Speaks HTTPS with it. */
  readonly identity?: ServerIdentity | undefined;
}

/** How long clients may take, in milliseconds. A client that takes longer is disconnected without an answer. */
export interface Timeouts {
  /** From the first byte of a request, or from the connection, to the end of its headers. @default 10000, as Vault */
  readonly headersMs: number;
  /** To the end of its body. @default 30000, as Vault */
  readonly requestMs: number;
  /** Between two requests. @default 300000, as Vault */
  readonly idleMs: number;
}

const usualTimeouts: Timeouts = { headersMs: 10_000, requestMs: 30_000, idleMs: 300_000 };

// Go's limit. Node's default is a sixteenth of it.
const headerLimitBytes = 1024 * 1024;

/** The far end of a connection that has become a tunnel. It answers the CONNECT itself. */
export type Tunnel = (target: string, far: { readonly socket: Duplex; readonly localAddress: string }) => void;

export interface Listener {
  /** Such as `http://127.0.0.1:40123`. */
  readonly address: string;
  /** Answers a request that another HTTP server of this process has accepted, as if it had come here. */
  readonly handle: RequestListener;
  /** Stops listening, lets running requests finish for a moment, and leaves no socket open. */
  close(): Promise<void>;
}

const closeGraceMs = 500;

/** Opens an HTTP listener for one service. Rejects with Node's error when the port cannot be opened. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const running = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  const server = createHttpServer({ ...usualTimeouts, ...options.timeouts }, options.identity);
  const verbOf = answerParseFailures(server, trackOpenRequests(server));
  const take = (turn: Turn) => {
    const { response } = turn;
    const work: Promise<void> = answer(options, turn)
      .catch((error: unknown) => {
        if (error instanceof ClientGone) return;
        // A defect of this server: the client gets a 500 if that is still possible, stderr gets the error.
        console.error(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end("internal error of the embedded server");
      })
      .finally(() => running.delete(work));
    running.add(work);
  };
  server.on("request", (request: IncomingMessage, response: ServerResponse) =>
    take({ request, response, method: verbOf(request), localAddress: localAddressOf(request.socket) }),
  );
  const { tunnel } = options;
  server.on("connect", ({ url, socket }: IncomingMessage, stream: Duplex, head: Buffer) => {
    if (tunnel === undefined) {
      stream.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", () => stream.destroy());
      return;
    }
    stream.unshift(head);
    tunnel(url ?? "", { socket: stream, localAddress: localAddressOf(socket) });
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: options.host, port: options.port }, resolve);
  });
  const place = placeText(server.address());
  return {
    address: `${options.identity === undefined ? "http" : "https"}://${place}`,
    handle: (request, response) => take({ request, response, method: request.method ?? "", localAddress: place }),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.race([Promise.allSettled(running), grace()]);
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function createHttpServer({ headersMs, requestMs, idleMs }: Timeouts, identity: ServerIdentity | undefined): Server {
  const options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(headersMs, 1000),
    maxHeaderSize: headerLimitBytes,
    // Checked here: Node would answer without a text.
    requireHostHeader: false,
  };
  const server =
    identity === undefined ? createServer(options) : createTlsServer({ ...options, ...tlsOptions(identity) });
  server.maxHeadersCount = 0;
  // Not in Node's types. A client that ends its side of the connection still gets the answer, as from Go.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly localAddress: string;
}

async function answer(options: ListenerOptions, { request, response, method, localAddress }: Turn): Promise<void> {
  const unfit = unfitAnswer(request, method);
  if (unfit !== undefined) {
    // Nobody reads the body, so its errors do not matter.
    request.on("error", () => {});
    await send(response, { outgoing: unfit, delayMs: 0, isHead: method === "HEAD" });
    return;
  }
  const body = await readBody(request).catch(bodyFailureOnly);
  const whole = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const incoming = incomingFrom(request, { method, response, body: whole, localAddress });
  const fault = options.faults?.take(faultableRequest(options.service, incoming));
  const log = (status: number) => {
    options.log?.add({
      service: options.service,
      method,
      path: loggedPart(incoming.path),
      parameters: [...new URLSearchParams(loggedPart(incoming.query)).keys()],
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
  /** The body, or why it is incomplete; `undefined` when it is too large. */
  readonly body: Buffer | BodyFailure | undefined;
  readonly fault: FaultScript | undefined;
}

async function outgoingFor({ service, exchange }: ListenerOptions, asked: Asked): Promise<Outgoing> {
  const { incoming, body, fault } = asked;
  if (!Buffer.isBuffer(body)) {
    const failure =
      body === undefined ? { status: 413, text: "http: request body too large" } : brokenBody(service, body);
    const refusal = faultAnswer({ service, ...failure });
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

function bodyFailureOnly(error: unknown): BodyFailure {
  if (error instanceof BodyFailure) return error;
  throw error;
}

/** Vault answers this as its own error, Consul as the client's [asked of Vault 1.21.1 and Consul 1.22.0]. */
function brokenBody(service: Service, { message }: BodyFailure): { status: number; text: string } {
  if (service === "secrets") return { status: 500, text: message };
  return { status: 400, text: service === "cluster" ? `Body decoding failed: ${message}` : message };
}

interface Sending {
  readonly outgoing: Outgoing;
  readonly delayMs: number;
  readonly isHead: boolean;
}

async function send(response: ServerResponse, { outgoing, delayMs, isHead }: Sending): Promise<void> {
  const body = Buffer.from(outgoing.body);
  const hasBody = outgoing.status !== 204 && outgoing.status !== 304;
  const length = hasBody && (body.length > 0 || !isHead) ? { "content-length": String(body.length) } : {};
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

function placeText(address: string | AddressInfo | null): string {
  if (address === null || typeof address === "string") throw new Error("the listener has no TCP address");
  return hostAndPort(address.address, address.port);
}
