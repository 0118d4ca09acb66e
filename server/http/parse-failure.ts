import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import type { OpenRequests } from "./open-requests";
import { BodyFailure } from "./read-body";
import { acceptUnparsedVerbs, type UnparsedVerbs } from "./unparsed-verbs";

/** What Node's parser says of bytes that it does not understand. */
export interface ParseFailure extends Error {
  readonly code?: string;
  readonly reason?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

const closeGraceMs = 500;

/** Answers what cannot be parsed as Go's HTTP server does; the returned function tells the verb of a request. */
export function answerParseFailures(server: Server, requests: OpenRequests): UnparsedVerbs["verbOf"] {
  const refused = new WeakSet<Duplex>();

  async function refuse(stream: Duplex, status = "400 Bad Request"): Promise<void> {
    refused.add(stream);
    // What was asked before on the same connection is answered first.
    await requests.answeredOn(stream);
    if (!stream.writable) {
      stream.destroy();
      return;
    }
    const head = `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`;
    // A connection that is closed with bytes unread takes its answer with it, so the client has a moment to read it.
    stream.end(head + status, () => setTimeout(() => stream.destroy(), closeGraceMs).unref());
  }

  const verbs = acceptUnparsedVerbs(server, { requests, refuse: (stream) => void refuse(stream) });
  server.on("clientError", (failure: ParseFailure, stream: Duplex) => {
    // A parser that gave its connection up still watches the time.
    if (verbs.isSuperseded(stream) || refused.has(stream)) return;
    if (!stream.writable || wordless.has(failure.code ?? "")) {
      stream.destroy();
      return;
    }
    if (verbs.accept(failure, stream)) return;
    const unfinished = requests.unfinishedOn(stream);
    refused.add(stream);
    if (unfinished !== undefined) unfinished.emit("error", new BodyFailure(bodyText(failure)));
    else
      void refuse(stream, failure.code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : undefined);
  });
  return verbs.verbOf;
}

// Go closes without a word on who is too slow or gone.
const wordless: ReadonlySet<string> = new Set(["ERR_HTTP_REQUEST_TIMEOUT", "ECONNRESET"]);

/** The words of Go's reader of bodies [asked of Vault 1.21.1]. */
function bodyText({ code, reason = "" }: ParseFailure): string {
  if (code === "HPE_INVALID_EOF_STATE") return "unexpected EOF";
  if (code !== "HPE_INVALID_CHUNK_SIZE") return "malformed chunked encoding";
  return reason.includes("overflow") ? "http chunk length too large" : "invalid byte in chunk length";
}
