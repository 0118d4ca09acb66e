import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import { answerUnencrypted } from "./encryption";
import type { OpenRequests } from "./open-requests";
import { BodyFailure } from "./read-body";
import { acceptUnparsedVerbs, type ParseFailure, type UnparsedVerbs } from "./unparsed-verbs";

const closeGraceMs = 500;

/** Answers requests that Node cannot parse as Go's HTTP server does. The returned function gives the verb of a request. */
export function answerParseFailures(server: Server, requests: OpenRequests): UnparsedVerbs["verbOf"] {
  const refused = new WeakSet<Duplex>();

  async function refuse(stream: Duplex, status = "400 Bad Request"): Promise<void> {
    refused.add(stream);
    // Earlier requests on the same connection are answered first.
    await requests.answeredOn(stream);
    if (!stream.writable) {
      stream.destroy();
      return;
    }
    const head = `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`;
    // When a connection closes with unread bytes, the client may lose the answer: it gets a moment to read it.
    stream.end(head + status, () => setTimeout(() => stream.destroy(), closeGraceMs).unref());
  }

  const wasUnencrypted = answerUnencrypted(server);
  const verbs = acceptUnparsedVerbs(server, { requests, refuse: (stream) => void refuse(stream) });
  server.on("clientError", (failure: ParseFailure, stream: Duplex) => {
    // The timeouts still run for a parser that has given its connection up.
    if (verbs.isSuperseded(stream) || refused.has(stream) || wasUnencrypted(failure, stream)) return;
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

// When the client is too slow or gone, Go closes without an answer.
const wordless: ReadonlySet<string> = new Set(["ERR_HTTP_REQUEST_TIMEOUT", "ECONNRESET"]);

/** The words of Go's reader of bodies [asked of Vault 1.21.1]. */
function bodyText({ code, reason = "" }: ParseFailure): string {
  if (code === "HPE_INVALID_EOF_STATE") return "unexpected EOF";
  if (code !== "HPE_INVALID_CHUNK_SIZE") return "malformed chunked encoding";
  return reason.includes("overflow") ? "http chunk length too large" : "invalid byte in chunk length";
}
