import {
  Agent,
  createServer,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { strikeWith } from "./contract-fault.ts";
import type { ServiceName } from "./contract-raw.ts";
import type { Traffic } from "./contract-traffic.ts";
import type { ServiceAddress } from "./servers-under-test.ts";

/** Connections to the servers are kept; those from the provider are each proxy's own. */
const kept = new Agent({ keepAlive: true });

export interface ContractProxy {
  readonly address: string;
  close(): Promise<void>;
}

/**
 * A loopback proxy between the provider and one service, the same in front of the embedded server and of real ones. It
 * reports what passes, and fails requests in ways that no server can be asked for, such as a portal's HTML page.
 */
export async function openProxy(
  { address: target, handle }: ServiceAddress,
  service: ServiceName,
  traffic: Traffic,
): Promise<ContractProxy> {
  const sockets = new Set<Socket>();
  const replica = createReplica();
  const server = createServer(async (incoming, outgoing) => {
    const request = { service, method: incoming.method ?? "", url: incoming.url ?? "" };
    await traffic.held(request);
    const fault = traffic.take(request);
    const { isBehind } = traffic;
    if (isBehind && replica.answer(incoming, outgoing)) return;
    if (fault === undefined && !isBehind && handle) handle(incoming, outgoing);
    else if (fault === undefined) void pass(target, incoming, outgoing, isBehind ? replica.note : undefined);
    else strikeWith(fault, { service, incoming, outgoing, perform: () => pass(target, incoming) });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Hands the request on and the answer back as they are. Ends when the server is done; without `outgoing` its answer is lost. */
function pass(
  target: string,
  incoming: IncomingMessage,
  outgoing?: ServerResponse,
  note?: (incoming: IncomingMessage, answer: Shown) => void,
): Promise<void> {
  const { host: _, ...headers } = incoming.headers;
  const url = new URL(incoming.url ?? "/", target);
  return new Promise((resolve) => {
    const onward = forward(url, { method: incoming.method ?? "GET", headers, agent: kept });
    onward.on("response", (answer) => {
      answer.on("end", resolve);
      if (outgoing === undefined) return void answer.resume();
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const shown = { status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(parts) };
        note?.(incoming, shown);
        outgoing.writeHead(shown.status, shown.headers).end(shown.body);
      });
    });
    onward.on("error", () => {
      outgoing?.destroy();
      resolve();
    });
    incoming.pipe(onward);
  });
}

interface Shown {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A node that is behind: the first read of each path after a write is answered as before it. */
function createReplica() {
  const shown = new Map<string, Shown>();
  let owed = new Set<string>();
  return {
    note({ method, url = "" }: IncomingMessage, answer: Shown) {
      if (method === "GET") shown.set(url, answer);
      else if (answer.status < 300) owed = new Set(shown.keys());
    },
    answer({ method, url = "" }: IncomingMessage, outgoing: ServerResponse): boolean {
      const old = shown.get(url);
      if (method !== "GET" || old === undefined || !owed.delete(url)) return false;
      outgoing.writeHead(old.status, old.headers).end(old.body);
      return true;
    },
  };
}
