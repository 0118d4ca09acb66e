import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** The open requests of a server, by their stream. */
export interface OpenRequests {
  /** The request whose body is incomplete, if there is one. */
  unfinishedOn(stream: object): IncomingMessage | undefined;
  /** Waits for the answers to all complete requests. */
  answeredOn(stream: object): Promise<void>;
}

export function trackOpenRequests(server: Server): OpenRequests {
  const open = new WeakMap<object, Map<IncomingMessage, Promise<void>>>();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const ofStream = open.get(socket) ?? new Map();
    open.set(socket, ofStream);
    const answered = new Promise<void>((resolve) => {
      response.once("close", () => {
        ofStream.delete(request);
        resolve();
      });
    });
    ofStream.set(request, answered);
  });
  const requestsOn = (stream: object) => [...(open.get(stream) ?? [])];
  return {
    unfinishedOn: (stream) => requestsOn(stream).find(([request]) => !request.complete)?.[0],
    answeredOn: async (stream) => {
      await Promise.all(requestsOn(stream).map(([request, answered]) => (request.complete ? answered : undefined)));
    },
  };
}
