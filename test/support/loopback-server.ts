import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from "node:net";
import { onTestFinished } from "vitest";

/** A server of one test, on a free port of this machine; it ends with the test. */
export interface LoopbackServer {
  readonly origin: string;
  /** How many connections were made to it so far. */
  connections(): number;
}

/** Serves HTTP, or HTTPS where `tls` is given. */
export async function serve(listener: RequestListener, tls?: ServerOptions): Promise<LoopbackServer> {
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  onTestFinished(() => server.closeAllConnections());
  return started(server, tls === undefined ? "http" : "https");
}

/** Hands a request on to another server, and its answer back. Ends with what was sent. */
export async function passOn(target: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<string> {
  const { body, answer } = await passedOn(target, incoming);
  outgoing.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
  outgoing.end(Buffer.from(await answer.arrayBuffer()));
  return body;
}

/** What a request sent, and what another server answers to it. */
export async function passedOn(target: string, incoming: IncomingMessage): Promise<{ body: string; answer: Response }> {
  const { method = "GET", url = "/", headers } = incoming;
  const { host: _, connection: __, ...onward } = headers;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const answer = await fetch(target + url, {
    method,
    // Node's own headers are texts, but for `set-cookie`, which is no request's.
    headers: onward as Record<string, string>,
    ...(chunks.length === 0 ? {} : { body }),
  });
  return { body: body.toString(), answer };
}

/** A proxy that opens tunnels to one server, whatever name is asked for; it refuses where there is none. */
export async function serveTunnels(origin: string | undefined): Promise<LoopbackServer> {
  const proxy = createServer();
  proxy.on("connect", (_, socket) => {
    if (origin === undefined) return socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const server = connect(Number(new URL(origin).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      server.pipe(socket).pipe(server);
    });
    for (const each of [server, socket]) each.on("error", () => each.destroy());
  });
  return started(proxy, "http");
}

/** Serves whatever the test does with a bare connection. */
export function serveSockets(onConnection: (socket: Socket) => void): Promise<LoopbackServer> {
  return started(
    createTcpServer((socket) => onConnection(socket.on("error", () => socket.destroy()))),
    "http",
  );
}

/**
 * The origin of a port where nothing listens. A connection of the test's own has the port, so that no other test
 * is given it meanwhile: a port that was closed is free for everybody.
 */
export async function deadOrigin(): Promise<string> {
  const { origin } = await serveSockets(() => {});
  const connection = connect(Number(new URL(origin).port), "127.0.0.1");
  onTestFinished(() => void connection.destroy());
  await once(connection, "connect");
  return `http://127.0.0.1:${connection.localPort}`;
}

async function started(server: Server | TcpServer, scheme: "http" | "https"): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket.on("close", () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return { origin: `${scheme}://127.0.0.1:${port}`, connections: () => connections };
}
