import type { IncomingMessage } from "node:http";

/** The largest body that Vault accepts. */
export const bodyLimitBytes = 32 * 1024 * 1024;

/** A body that is not as announced; the message is Go's. */
export class BodyFailure extends Error {
  override readonly name = "BodyFailure";
}

/** The client disconnected before its body was complete. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

/**
 * Reads the whole body; `undefined` when it is over the limit. Such a body is read to its end without keeping it: a
 * client that still sends would not see the answer.
 * @throws BodyFailure, ClientGone
 */
export function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const announced = Number(request.headers["content-length"] ?? 0);
    const isOver = () => Math.max(size, announced) > bodyLimitBytes;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (isOver()) chunks = [];
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(isOver() ? undefined : Buffer.concat(chunks, size)));
    request.on("error", (error) => reject(error instanceof BodyFailure ? error : new ClientGone()));
    request.on("close", () => reject(new ClientGone()));
  });
}
