import { connect, type Socket } from "node:net";
import { expect } from "vitest";

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export interface Sending {
  /** Ends the client's side once everything is sent. */
  readonly halfClose?: boolean;
}

/** Sends bytes as they are, and gives what came back when the server closes the connection. */
export async function rawBytes(address: string, bytes: string | Buffer, { halfClose = false }: Sending = {}) {
  const socket = await connected(address);
  const received = untilClosed(socket);
  socket.write(bytes);
  if (halfClose) socket.end();
  return received;
}

/** A connection whose end the client decides itself. */
export function connected(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => resolve(socket));
    socket.setNoDelay();
    socket.once("error", reject);
  });
}

/** All that comes, until the server closes. */
export function untilClosed(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    socket.on("data", (chunk) => chunks.push(chunk));
    // The server may reset a connection whose bytes it did not read; what it said before that counts.
    socket.on("error", () => {});
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(Buffer.concat(chunks)));
  });
}

/** The answers of one connection, in their order, by their `content-length`. */
export function answersIn(received: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; rest.length > 0; ) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) break;
    const head = rest.toString("latin1", 0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    const given = /^content-length: (\d+)$/im.exec(head)?.[1];
    // An answer without a length is the last, or has no body.
    const length = given === undefined ? (status === 204 ? 0 : rest.length) : Number(given);
    answers.push({ status, head, body: rest.toString("utf8", end + 4, end + 4 + length) });
    rest = rest.subarray(Math.min(rest.length, end + 4 + length));
  }
  return answers;
}

/** Reads answers off a connection that stays open. */
export function answerReader(socket: Socket): (count: number) => Promise<RawAnswer[]> {
  let received = Buffer.alloc(0);
  let wake = () => {};
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  socket.on("close", () => wake());
  return async (count) => {
    for (;;) {
      const answers = completeAnswers(received);
      if (answers.length >= count || socket.destroyed) return answers;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
}

function completeAnswers(received: Buffer): RawAnswer[] {
  return answersIn(received).filter(({ head, body }) => {
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    return Buffer.byteLength(body) === length;
  });
}

/** How many TCP connections this process holds, of clients and of servers. */
export function heldSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
}

/** Waits until no more connections are held than before. */
export async function untilReleased(before: number): Promise<void> {
  await expect.poll(heldSockets, { timeout: 10_000 }).toBeLessThanOrEqual(before);
}
