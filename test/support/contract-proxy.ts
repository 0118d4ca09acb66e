import { Agent, createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { strikeWith } from "./contract-fault.ts";
import type { ServiceName } from "./contract-raw.ts";
import type { Traffic } from "./contract-traffic.ts";

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
export async function openProxy(target: string, service: ServiceName, traffic: Traffic): Promise<ContractProxy> {
  const sockets = new Set<Socket>();
  const server = createServer(async (incoming, outgoing) => {
    const request = { service, method: incoming.method ?? "", url: incoming.url ?? "" };
    await traffic.held(request);
    const fault = traffic.take(request);
    if (fault === undefined) void pass(target, incoming, outgoing);
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
function pass(target: string, incoming: IncomingMessage, outgoing?: ServerResponse): Promise<void> {
  const { host: _, ...headers } = incoming.headers;
  const url = new URL(incoming.url ?? "/", target);
  return new Promise((resolve) => {
    const onward = forward(url, { method: incoming.method ?? "GET", headers, agent: kept });
    onward.on("response", (answer) => {
      answer.on("end", resolve);
      if (outgoing === undefined) return void answer.resume();
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => {
      outgoing?.destroy();
      resolve();
    });
    incoming.pipe(onward);
  });
}
