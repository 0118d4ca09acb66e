import { ProviderError } from "../core/errors";
import { parseJson } from "../core/parse-json";
import { type Answer, adviceOn, type Dialect } from "../dialects/dialect";
import { fewWords, type Redact } from "../http/redact";
import { askedWaitMs, LONGEST_WAIT_MS } from "../http/send";
import type { ApiRequest } from "./api-request";

/** A request, and what keeps its secrets out of messages. */
export interface Asked {
  readonly request: ApiRequest;
  /** Where the token came from. */
  readonly tokenPlace?: string | undefined;
  /** The tenant that the record names, where it is not the connection's own. */
  readonly tenant?: string | undefined;
  readonly redact: Redact;
}

/** How another product refuses what it does not have, without the words of the one that is meant. */
const NOT_THERE = new Set([400, 404, 405]);
const FOREIGN = "That is no answer of this API: check the address. `trustplane doctor` says what is there.";

/** What a successful answer holds. */
export interface Success {
  readonly json: unknown;
  readonly record: unknown;
  /** What the server warns of, each a message. */
  readonly warnings: readonly string[];
}

/** No API nests its answers so deeply. Functions that walk an answer recurse as deep as it is nested. */
const DEEPEST = 300;

/** The record of a successful answer. Throws for an answer that is not the API's, or not what the request needs. */
export function recordIn(dialect: Dialect, { request, redact }: Asked, answer: Answer): Success {
  const at = `(${request.method} ${withoutQuery(request.path)})`;
  const json = jsonOf(answer, at);
  const expects = request.expects ?? (request.method === "GET" ? dialect.answers(request) : "anything");
  if (expects !== "anything") {
    const flaw = json === undefined ? "its body is empty" : dialect.flaw(json, expects, request);
    if (flaw !== undefined) throw unusable(`the server answered ${answer.status}, but ${flaw} ${at}`);
  }
  const said = json === undefined ? [] : (dialect.warnings?.(json) ?? []);
  const warnings = fewWords(said, redact).map((text) => `the server warns: ${text} ${at}`);
  return { json, record: json === undefined ? undefined : dialect.record(json), warnings };
}

/** The error for an answer that refuses a request. */
export function apiError(
  dialect: Dialect,
  { request, redact, tokenPlace = "", tenant }: Asked,
  answer: Answer,
  otherwise?: string,
): ProviderError {
  const details = saidIn(dialect, answer, redact);
  const isForeign = NOT_THERE.has(answer.status) && details.length === 0 && !dialect.isAbsent(answer);
  const advice = otherwise ?? adviceOn(dialect, { ...request, tenant }, answer) ?? (isForeign ? FOREIGN : undefined);
  const hint = advice?.replace("{token}", tokenPlace);
  const what = [String(answer.status), details.join("; ")].filter(Boolean).join(" ");
  const retryAfterMs = askedWaitMs(answer);
  const isLong = retryAfterMs !== undefined && retryAfterMs > LONGEST_WAIT_MS;
  const wait = isLong ? ` The server asks to come back in ${Math.round(retryAfterMs / 1000)} s.` : "";
  const message = `${what} (${request.method} ${withoutQuery(request.path)}).${wait}${hint ? ` ${redact(hint)}` : ""}`;
  return new ProviderError("ApiError", message, {
    status: answer.status,
    details,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** The server's own words, safe to repeat. */
export function saidIn(dialect: Dialect, answer: Answer, redact: Redact): readonly string[] {
  if (looksLikeHtml(answer)) return ["an HTML page, perhaps from a proxy; check the address"];
  return fewWords(dialect.details(answer), redact);
}

/** A path without its query. */
export function withoutQuery(path: string): string {
  return path.replace(/\?.*/, "");
}

/** The JSON of a successful answer; undefined when it has none to give. */
function jsonOf(answer: Answer, at: string): unknown {
  if (answer.status === 204 || answer.text.trim() === "") return undefined;
  const json = parseJson(answer.text);
  if (json === undefined) {
    const what = looksLikeHtml(answer) ? "an HTML page, perhaps from a proxy" : "no JSON";
    throw unusable(`the server answered ${answer.status} with ${what} ${at}`);
  }
  if (nestsDeeper(json, DEEPEST))
    throw unusable(`the server answered ${answer.status} with JSON nested too deeply ${at}`);
  return json;
}

function unusable(what: string): ProviderError {
  return new ProviderError("ResponseError", `${what}. Check the address, and what answers in the server's place.`);
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => nestsDeeper(member, levels - 1));
}

/** True for a page that was made for people, such as a proxy's. */
export function looksLikeHtml(answer: Answer): boolean {
  return /text\/html/.test(answer.headers["content-type"] ?? "") || /^\s*<(!doctype|html)/i.test(answer.text);
}
