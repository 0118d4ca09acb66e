import { setTimeout as sleep } from "node:timers/promises";
import { isProviderError, ProviderError } from "../../../provider/core/errors";
import { parseJson } from "../../../provider/core/parse-json";
import { askedWaitMs, LATER, LONGEST_WAIT_MS, send } from "../../../provider/http/send";
import { createTransport, type HttpAnswer, type HttpRequest, type Transport } from "../../../provider/http/transport";
import { shortLine } from "../../text/visible-text";
import type { Found, Written } from "./forge";

/** How a forge's API is reached. */
export interface ForgeClientOptions {
  /** Base address, such as `https://api.github.com`. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is being written, for messages. */
  readonly what: string;
  /** The permission that the token needs for writing, and where to give it; for messages. */
  readonly permission: string;
  readonly log: (message: string) => void;
}

export interface ForgeClient {
  /** One record, or the answer to a query; undefined when there is none, or this token may not read it. */
  look(path: string, query?: unknown): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** All records of a list, page by page. */
  list(path: string, found: (record: Readonly<Record<string, unknown>>) => Found | undefined): AsyncIterable<Found>;
  /** Sent at most once. */
  create(path: string, body: unknown): Promise<Written>;
  change(method: "PATCH" | "PUT", path: string, body: unknown): Promise<Written>;
}

const RETRIES = 4;
const TIMEOUT_MS = 30_000;
const PAGE_SIZE = 100;
/** Stops at a list that always names a next page. */
const MOST_PAGES = 1000;
const PAUSE_MS = 1000;
/** A message of a forge is quoted in one line, and cut when it is longer. */
const LONGEST_REASON = 500;

export function createForgeClient(options: ForgeClientOptions): ForgeClient {
  const transport = withRateLimits(createTransport({ timeoutMs: TIMEOUT_MS }));
  const ask = (method: HttpRequest["method"], path: string, body?: unknown, mints = false) => {
    const request: HttpRequest = {
      method,
      url: new URL(`${options.base.replace(/\/+$/, "")}/${path}`),
      headers: { ...options.headers, "user-agent": "trustplane", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    return send(transport, request, { retries: RETRIES, mints, log: options.log });
  };
  return {
    async look(path, query) {
      const answer = await ask(query === undefined ? "GET" : "POST", path, query);
      if (answer.status === 200) return membersOf(answer);
      if (answer.status === 401 || LATER.has(answer.status)) throw refusal(answer, options);
      return undefined;
    },
    async *list(path, found) {
      for (let page = 1; page <= MOST_PAGES; page++) {
        const answer = await ask("GET", `${path}${path.includes("?") ? "&" : "?"}per_page=${PAGE_SIZE}&page=${page}`);
        if (answer.status !== 200) throw refusal(answer, options);
        for (const record of recordsIn(answer, options)) {
          const note = found(record);
          if (note !== undefined) yield note;
        }
        // The link only tells that there is a next page. Its address is not used: the token must not be sent elsewhere.
        if (!/<[^>]*>\s*;[^,]*\brel="?next"?/.test(answer.headers["link"] ?? "")) return;
      }
    },
    async create(path, body) {
      try {
        const answer = await ask("POST", path, body, true);
        if (!LATER.has(answer.status)) return written(answer, options);
        await pause(answer, options);
        return { is: "unsure" };
      } catch (error) {
        // The connection was cut after the request had gone out.
        if (isProviderError(error) && error.code === "NetworkError") return { is: "unsure" };
        throw error;
      }
    },
    async change(method, path, body) {
      const answer = await ask(method, path, body);
      return answer.status === 403 || answer.status === 404 ? { is: "notOurs" } : written(answer, options);
    },
  };
}

/** GitHub also answers 403 for "too many requests", with the time of the next one in Unix seconds (REST API, rate limits). */
function withRateLimits(transport: Transport): Transport {
  return async (request, signal) => {
    const answer = await transport(request, signal);
    const { headers } = answer;
    const isSpent = headers["x-ratelimit-remaining"] === "0";
    const isLimited = answer.status === 429 || (answer.status === 403 && (isSpent || "retry-after" in headers));
    if (!isLimited) return answer;
    const seconds = Math.max(0, Number(headers["x-ratelimit-reset"]) - Date.now() / 1000);
    const asked =
      "retry-after" in headers || Number.isNaN(seconds) ? {} : { "retry-after": String(Math.ceil(seconds)) };
    return { ...answer, status: 429, headers: { ...headers, ...asked } };
  };
}

async function pause(answer: HttpAnswer, options: ForgeClientOptions): Promise<void> {
  const asked = askedWaitMs(answer) ?? PAUSE_MS;
  if (asked > LONGEST_WAIT_MS) throw refusal(answer, options);
  await sleep(asked);
}

function written(answer: HttpAnswer, options: ForgeClientOptions): Written {
  if (answer.status !== 200 && answer.status !== 201) throw refusal(answer, options);
  const record = membersOf(answer);
  const url = "html_url" in record ? record["html_url"] : record["web_url"];
  return { is: "done", url: typeof url === "string" ? url : "" };
}

function recordsIn(answer: HttpAnswer, options: ForgeClientOptions): readonly Readonly<Record<string, unknown>>[] {
  const list = membersOf(answer);
  if (Array.isArray(list)) return list;
  throw new ProviderError(
    "ResponseError",
    `writing ${options.what}: the answer is no list. Is ${options.base} the API?`,
  );
}

function refusal(answer: HttpAnswer, { what, permission }: ForgeClientOptions): ProviderError {
  const { message, error, errors } = membersOf(answer);
  const reasons = [message ?? error, ...(Array.isArray(errors) ? errors : [])]
    .filter((part) => part !== undefined)
    .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
    .join(": ");
  const said = shortLine(reasons, LONGEST_REASON);
  const todo = TODO[answer.status]?.(permission) ?? "Run the job again.";
  return new ProviderError("ApiError", `writing ${what}: ${answer.status} ${said}. ${todo}`, { status: answer.status });
}

const TODO: Readonly<Record<number, (permission: string) => string>> = {
  401: () => "The token is not valid, or has expired.",
  403: (permission) => `The token may not do this: ${permission}`,
  404: (permission) => `It is not there, or the token may not see it: ${permission}`,
  410: () => "The repository has no issues; switch them on.",
  422: () => "The forge does not accept the text. --dry-run shows it.",
  429: () => "The forge asks to come back later than this job can wait.",
};

/** The members of the answer; none when it is no JSON object. */
function membersOf(answer: HttpAnswer): Readonly<Record<string, unknown>> {
  return Object(parseJson(answer.text));
}
