import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { ServiceName } from "./contract-raw.ts";

/** What can go wrong between provider and server, by name. */
export const faults = {
  "401": { status: 401, says: "unauthorized" },
  "403": { status: 403, says: "permission denied" },
  "429": { status: 429, says: "too many requests" },
  "500": { status: 500, says: "internal error" },
  "503": { status: 503, says: "service unavailable" },
  sealed: { status: 503, says: "Vault is sealed" },
  "a 422 that repeats what was sent": { status: 422, repeats: true },
  "an HTML page with status 200": { status: 200, html: true },
  "an HTML page with status 404": { status: 404, html: true },
  "an HTML page with status 502": { status: 502, html: true },
  "a plain 404": { status: 404, plain: "404 page not found\n" },
  "a JSON:API 404": { status: 404, json: { errors: [{ status: "404", title: "not found" }] } },
  "a rate limit with a number as status": {
    status: 429,
    json: { errors: [{ detail: "You have exceeded the API's rate limit.", status: 429, title: "Too many requests" }] },
  },
  "a cut connection": { cut: "before" },
  "a connection cut after the server has done it": { cut: "after" },
  "half an answer": { cut: "half" },
  "a body that stalls": { cut: "stall" },
  silence: { cut: "never" },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

interface Fault {
  readonly status?: number;
  readonly says?: string;
  readonly html?: boolean;
  readonly repeats?: boolean;
  readonly plain?: string;
  readonly json?: unknown;
  readonly cut?: "before" | "after" | "half" | "stall" | "never";
}

interface Struck {
  readonly service: ServiceName;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Lets the server do what was asked, and drops its answer. */
  perform(): Promise<void>;
}

export function strikeWith(name: FaultName, { service, incoming, outgoing, perform }: Struck): void {
  const fault: Fault = faults[name];
  if (fault.cut === "never") return void incoming.resume();
  if (fault.cut === "before") return void outgoing.destroy();
  if (fault.cut === "after") return void perform().then(() => outgoing.destroy());
  if (fault.cut === "half" || fault.cut === "stall") {
    outgoing.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    outgoing.write('{"data":{');
    if (fault.cut === "half") setImmediate(() => outgoing.destroy());
    return;
  }
  const status = fault.status ?? 500;
  if (fault.repeats) {
    outgoing.writeHead(status, { "content-type": "application/json" });
    return void text(incoming).then((sent) => outgoing.end(errorText[service](status, `cannot take ${sent}`)));
  }
  incoming.resume();
  if (fault.html) {
    outgoing.writeHead(status, { "content-type": "text/html" });
    outgoing.end("<!doctype html><title>Portal</title><h1>Sign in</h1>");
  } else if (fault.plain !== undefined) {
    outgoing.writeHead(status, { "content-type": "text/plain" });
    outgoing.end(fault.plain);
  } else {
    outgoing.writeHead(status, { "content-type": "application/json" });
    outgoing.end(fault.json === undefined ? errorText[service](status, fault.says ?? "") : JSON.stringify(fault.json));
  }
}

/** Each service has its own form of an error. */
const errorText: Readonly<Record<ServiceName, (status: number, words: string) => string>> = {
  secrets: (_, words) => JSON.stringify({ errors: [words] }),
  cluster: (_, words) => words,
  peer: (_, words) => words,
  policy: (status, title) => JSON.stringify({ errors: [{ status: String(status), title }] }),
};
