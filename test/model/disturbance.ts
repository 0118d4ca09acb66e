import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServiceName } from "../support/contract-raw.ts";

/** What can happen to one request, by name. The answers are what proxies, portals and half-broken servers say. */
export const faults = {
  "cut before": { cut: "before" },
  "cut after": { cut: "after" },
  "200 {}": { status: 200, json: {} },
  "200 blocked": { status: 200, json: { message: "blocked" } },
  "200 []": { status: 200, json: [] },
  "200 null": { status: 200, json: null },
  "200 empty": { status: 200, text: "" },
  "204": { status: 204, text: "" },
  "200 html": { status: 200, html: true },
  "404 html": { status: 404, html: true },
  "404 json": { status: 404, json: { message: "no Route matched with those values" } },
  "403": { status: 403, refusal: "permission denied" },
  "429": { status: 429, refusal: "too many requests" },
  "503": { status: 503, refusal: "service unavailable" },
  echo: { status: 502, echo: true },
  "echo 403": { status: 403, echo: true },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];

interface Fault {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly html?: boolean;
  readonly refusal?: string;
  /** Says again what it was asked, as debugging proxies do. */
  readonly echo?: boolean;
  /** The connection ends before the server has seen the request, or after it has done what was asked. */
  readonly cut?: "before" | "after";
}

/** True where the server does what is asked, and its answer is lost. */
export function isPerformed(name: FaultName): boolean {
  const fault: Fault = faults[name];
  return fault.cut === "after";
}

export interface Struck {
  readonly service: ServiceName;
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
  readonly outgoing: ServerResponse;
}

/** Answers in place of the server. */
export function strike(name: FaultName, { service, incoming, body, outgoing }: Struck): void {
  // No peerings at all is a true answer of a cluster.
  const isTrue = name === "200 []" && incoming.url?.startsWith("/v1/peerings");
  const fault: Fault = faults[isTrue ? "200 {}" : name];
  if (fault.cut !== undefined) {
    outgoing.destroy();
    return;
  }
  const say = (type: string, text: string) => {
    outgoing.writeHead(fault.status ?? 500, text === "" ? {} : { "content-type": type });
    outgoing.end(text);
  };
  if (fault.html) say("text/html", "<!doctype html><title>Portal</title><h1>Sign in</h1>");
  else if (fault.text !== undefined) say("application/json", fault.text);
  else if (fault.refusal !== undefined) say("application/json", refusalOf(service, fault.status, fault.refusal));
  else if (fault.echo) say("application/json", refusalOf(service, fault.status, `refused: ${echoOf(incoming, body)}`));
  else say("application/json", JSON.stringify(fault.json));
}

function echoOf({ method, url, headers }: IncomingMessage, body: Buffer): string {
  const lines = Object.entries(headers).map(([key, value]) => `${key}: ${String(value)}`);
  return [`${method} ${url}`, ...lines, body.toString()].join(" | ");
}

/** Each service has its own form of an error. */
function refusalOf(service: ServiceName, status = 500, text = ""): string {
  if (service === "secrets") return JSON.stringify({ errors: [text] });
  if (service === "policy") return JSON.stringify({ errors: [{ status: String(status), title: text }] });
  return text;
}
