import type { Server } from "node:http";
import { Duplex } from "node:stream";

// Any method that Node's parser knows and no client of ours sends.
const standIn = "UNBIND";

interface ParseError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/**
 * Lets a server answer verbs that Node's parser does not know, such as Vault's LIST: the parser stops with
 * HPE_INVALID_METHOD and hands back the bytes, which are parsed again under a stand-in method on the same connection.
 * The returned function tells the verb that was really sent.
 */
export function acceptUnparsedVerbs(
  server: Server,
): (request: { socket: object; method?: string | undefined }) => string {
  const sentVerbs = new WeakMap<object, string>();
  const rawStreams = new WeakMap<object, Duplex>();
  server.on("clientError", (error: ParseError, stream: Duplex) => {
    const request = error.code === "HPE_INVALID_METHOD" ? unparsedRequest(error) : undefined;
    if (request === undefined || !stream.writable) {
      refuse(stream, error.code);
      return;
    }
    const raw = rawStreams.get(stream) ?? stream;
    const again = reopen(raw, request.bytes);
    rawStreams.set(again, raw);
    sentVerbs.set(again, request.verb);
    server.emit("connection", again);
  });
  return ({ socket, method = "" }) => {
    const verb = sentVerbs.get(socket);
    if (method !== standIn || verb === undefined) return method;
    sentVerbs.delete(socket);
    return verb;
  };
}

function unparsedRequest({ rawPacket, bytesParsed = 0 }: ParseError): { verb: string; bytes: Buffer } | undefined {
  if (rawPacket === undefined) return undefined;
  // With pipelining the packet also holds what came before; the verb begins at the last line start before the failure.
  const text = rawPacket.toString("latin1");
  const start = bytesParsed > 0 ? text.lastIndexOf("\n", bytesParsed - 1) + 1 : 0;
  const verb = /^[A-Z][A-Z-]{0,20}(?= \/)/.exec(text.slice(start, start + 32))?.[0];
  if (verb === undefined) return undefined;
  return { verb, bytes: Buffer.concat([Buffer.from(standIn), rawPacket.subarray(start + verb.length)]) };
}

/** A stream over the same connection that begins with the given bytes and belongs to no parser yet. */
function reopen(raw: Duplex, firstBytes: Buffer): Duplex {
  for (const event of ["data", "end", "drain", "timeout"]) raw.removeAllListeners(event);
  const stream = new Duplex({
    read: () => {
      raw.resume();
    },
    write: (chunk, encoding, done) => {
      raw.write(chunk, encoding, done);
    },
    final: (done) => {
      raw.end(done);
    },
    destroy: (error, done) => {
      raw.destroy();
      done(error);
    },
  });
  // The HTTP server reads these from its sockets.
  Object.assign(stream, {
    remoteAddress: Reflect.get(raw, "remoteAddress"),
    localAddress: Reflect.get(raw, "localAddress"),
    localPort: Reflect.get(raw, "localPort"),
    setTimeout: () => stream,
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
  });
  // Listening to "data" also takes the socket's handle back from the failed parser, which would otherwise keep it.
  raw.on("data", (chunk) => {
    if (!stream.push(chunk)) raw.pause();
  });
  raw.on("end", () => stream.push(null));
  raw.on("close", () => stream.destroy());
  raw.on("error", () => stream.destroy());
  stream.push(firstBytes);
  return stream;
}

function refuse(stream: Duplex, code: string | undefined): void {
  if (stream.writable && code !== "ECONNRESET") {
    // The words of Go's HTTP server for a request that it cannot parse.
    stream.end(
      "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request",
    );
  } else {
    stream.destroy();
  }
}
