import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Exchange } from "./exchange.mts";
import { type RawAnswer, rawRequest } from "./raw-request.mts";
import { type Call, type Scenario, type ServerName, type Service, type Step, stepsOn } from "./scenario.mts";
import { createScrubber } from "./scrub.mts";

/** A server that scenarios run against: a real one, or the embedded one. */
export interface Target {
  /** By the name that steps call them; the first one is asked where a step names none. */
  readonly servers: Readonly<Record<string, { readonly address: string; readonly token: string }>>;
  /** What `{name}` in requests stands for, besides what the scenario makes and keeps: the address of the cloud, for one. */
  readonly places: Readonly<Record<string, string>>;
  /** How often a call is sent whose answer should change by itself. The last answer counts, but a real server must get there. */
  readonly tries?: number;
  addCloudUser(name: string): Promise<void>;
  seal(): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

const PREFIX: Readonly<Record<Service, string>> = { secrets: "/v1/", cluster: "/v1/", policy: "/api/v2/" };
/** The verbs that carry their fields in a body. */
const WRITES = new Set(["POST", "PUT", "PATCH"]);
const TRIES = 200;
const PAUSE_MS = 50;

/** Runs a scenario and returns what was said, scrubbed. */
export async function runScenario(scenario: Scenario, server: ServerName, target: Target): Promise<Exchange[]> {
  const known: Record<string, string> = { ...target.places };
  for (const name of scenario.names ?? []) known[name] = `${name}-${randomBytes(4).toString("hex")}`;
  const scrub = createScrubber();
  for (const [at, { address, token }] of Object.entries(target.servers)) scrub.know({ [at]: address, root: token });
  scrub.know(known);

  async function send(call: Call): Promise<{ request: Exchange["request"]; answer: RawAnswer }> {
    const [verb, ...rest] = call.request.split(" ");
    const path = filled(rest.join(" "), known);
    const body = filledBody(call.body, known);
    const to = target.servers[call.on ?? Object.keys(target.servers)[0] ?? ""];
    if (verb === undefined || to === undefined) throw new Error(`"${call.request}" leads nowhere`);
    const sent = {
      method: verb,
      path: path.startsWith("/") ? path : PREFIX[scenario.service] + path,
      ...(call.headers === undefined ? {} : { headers: filledBody(call.headers, known) as Record<string, string> }),
    };
    const answer = await rawRequest({
      ...sent,
      address: to.address,
      headers: {
        ...tokenHeader(scenario.service, tokenOf(call, to.token, known)),
        ...contentType(scenario.service, verb),
        ...sent.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { request: { ...sent, ...(body === undefined ? {} : { body }) }, answer };
  }

  async function settled(call: Call): ReturnType<typeof send> {
    for (let left = target.tries ?? TRIES; ; left--) {
      const outcome = await send(call);
      if (call.until === undefined || call.until.test(outcome.answer.text)) return outcome;
      if (left <= 1 && target.tries !== undefined) return outcome;
      if (left <= 1) throw new Error(`${call.request} never matched ${call.until}: ${outcome.answer.text}`);
      await delay(PAUSE_MS);
    }
  }

  function keep(call: Call, answer: RawAnswer): void {
    for (const [name, pointer] of Object.entries(call.keep ?? {})) known[name] = valueAt(answer, pointer, call.request);
    scrub.know(known);
  }

  async function record(step: Step): Promise<Exchange> {
    const { request, answer } = await settled(step);
    keep(step, answer);
    return scrub.exchange({ title: step.title, request, answer });
  }

  for (const name of scenario.cloudUsers ?? []) await target.addCloudUser(name);
  for (const call of scenario.before ?? []) {
    if (typeof call === "string") {
      await target[call]();
      continue;
    }
    const { answer } = await settled(call);
    if (answer.status > 299) throw new Error(`${call.request} was answered with ${answer.status}: ${answer.text}`);
    keep(call, answer);
  }
  const exchanges: Exchange[] = [];
  for (const step of stepsOn(scenario, server)) exchanges.push(await record(step));
  return exchanges;
}

function tokenOf({ as = "root" }: Call, root: string, known: Readonly<Record<string, string>>): string | undefined {
  if (as === "root") return root;
  if (as === "nobody") return undefined;
  if (as === "stranger") return "11111111-2222-3333-4444-555555555555";
  const kept = known[as];
  if (kept === undefined) throw new Error(`no earlier step kept the token "${as}"`);
  return kept;
}

function tokenHeader(service: Service, token: string | undefined): Record<string, string> {
  if (token === undefined) return {};
  if (service === "policy") return { authorization: `Bearer ${token}` };
  return { [service === "secrets" ? "x-vault-token" : "x-consul-token"]: token };
}

function contentType(service: Service, verb: string): Record<string, string> {
  // Also on a DELETE without a body: that API refuses it otherwise.
  if (service === "policy" && verb !== "GET") return { "content-type": "application/vnd.api+json" };
  return WRITES.has(verb) ? { "content-type": "application/json" } : {};
}

/** `{name}`, but not the braces of JSON texts and templates. */
const GAP = /\{([a-z][A-Za-z]*)\}/g;

function filled(text: string, known: Readonly<Record<string, string>>): string {
  return text.replace(GAP, (gap, name: string) => known[name] ?? gap);
}

function filledBody(value: unknown, known: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") return filled(value, known);
  if (Array.isArray(value)) return value.map((each) => filledBody(each, known));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [filled(name, known), filledBody(each, known)]),
  );
}

function valueAt({ text }: RawAnswer, pointer: string, request: string): string {
  let value: unknown = JSON.parse(text);
  for (const part of pointer.split("/").slice(1)) value = (value as Record<string, unknown> | undefined)?.[part];
  if (typeof value !== "string") throw new Error(`the answer to ${request} has no text at ${pointer}`);
  return value;
}
