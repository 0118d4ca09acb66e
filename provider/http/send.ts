import { setTimeout as sleep } from "node:timers/promises";
import { isProviderError, ProviderError, whyAborted } from "../core/errors";
import { plainText } from "../core/plain-text";
import type { Redact } from "./redact";
import type { HttpAnswer, HttpRequest, Transport } from "./transport";

export interface SendOptions {
  /** How often a request is repeated at most. */
  readonly retries: number;
  /** Sent at most once, unless the connection was never established: the server issues something new on every call. */
  readonly mints?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly log?: (message: string) => void;
  /** Applied to every message that repeats words from outside. */
  readonly redact?: Redact;
  /** What to do where there is no answer, after the reason for that. */
  readonly advice?: string | undefined;
  /** How to wait between two attempts; a timer when not given. */
  readonly wait?: (pauseMs: number, signal?: AbortSignal) => Promise<unknown>;
}

/** Answers that ask to come back later. */
export const LATER = new Set([412, 429, 502, 503]);
/** Failures before a byte of the request was sent. */
const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
/** A kept connection that the server closed: safe to repeat where reading changes nothing. */
const CUT = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** A server that asks for more than this is not waited for. */
export const LONGEST_WAIT_MS = 60_000;

/** Sends a request and repeats it where that is safe. The last answer, whatever its status, is returned whole. */
export async function send(transport: Transport, request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
  const what = `${request.method} ${request.url.pathname}`;
  const wait = options.wait ?? ((pauseMs, signal) => sleep(pauseMs, undefined, signal ? { signal } : {}));
  for (let attempt = 0; ; attempt++) {
    const outcome = await once(transport, request, options.signal);
    const pause = attempt < options.retries ? pauseBefore(outcome, request, options, attempt) : undefined;
    if (pause === undefined) {
      if ("answer" in outcome) return outcome.answer;
      throw networkError(request, outcome.error, options);
    }
    const cause = "answer" in outcome ? `status ${outcome.answer.status}` : plainText(codeOf(outcome.error));
    // Said once a request: each further attempt would say the same.
    if (attempt === 0) options.log?.(`${what}: ${cause}; trying up to ${options.retries} more times`);
    await wait(pause, options.signal).catch((error: unknown) => {
      throw networkError(request, error, options);
    });
  }
}

/** How long the server asks to wait: by Retry-After, or where it refuses for its rate limit by X-RateLimit-Reset. */
export function askedWaitMs(answer: HttpAnswer, now = Date.now()): number | undefined {
  const { "retry-after": after, "x-ratelimit-reset": reset } = answer.headers;
  return waitIn(after ?? (answer.status === 429 ? reset : undefined), now);
}

/** The wait that a header says: seconds, also fractions of one, or a date. */
export function waitIn(text: string | undefined, now: number): number | undefined {
  const seconds = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isNaN(seconds)) return seconds >= 0 ? Math.ceil(seconds * 1000) : undefined;
  const date = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

type Outcome = { readonly answer: HttpAnswer } | { readonly error: unknown };

async function once(transport: Transport, request: HttpRequest, signal?: AbortSignal): Promise<Outcome> {
  try {
    return { answer: await transport(request, signal) };
  } catch (error) {
    return { error };
  }
}

function pauseBefore(
  outcome: Outcome,
  request: HttpRequest,
  options: SendOptions,
  attempt: number,
): number | undefined {
  if (options.signal?.aborted) return undefined;
  const backOff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
  if ("error" in outcome) {
    const code = codeOf(outcome.error);
    // A GET may issue something, too.
    const isHarmless = CUT.has(code) && request.method === "GET" && !options.mints;
    return NEVER_CONNECTED.has(code) || isHarmless ? Math.round(backOff) : undefined;
  }
  if (options.mints || !LATER.has(outcome.answer.status)) return undefined;
  const asked = askedWaitMs(outcome.answer);
  if (asked === undefined) return Math.round(backOff);
  return asked > LONGEST_WAIT_MS ? undefined : asked + Math.round(Math.random() * 100);
}

function networkError(
  request: HttpRequest,
  error: unknown,
  { signal, redact = plainText, advice }: SendOptions,
): ProviderError {
  if (isProviderError(error)) return error; // not sent, or refused here: it says why
  const code = codeOf(error);
  const detail = redact(error instanceof Error ? error.message : String(error));
  const reason = signal?.aborted ? whyAborted(signal.reason) : (REASONS[code] ?? detail);
  const at = `${request.method} ${request.url.pathname}`;
  const todo = advice === undefined || signal?.aborted ? "" : ` ${advice}`;
  return new ProviderError("NetworkError", `no answer from ${request.url.origin} (${at}): ${reason}${todo}`);
}

const NO_TLS = "the server does not speak TLS on this port. Write http:// in the address, or the port for https.";

/** Where a CA is given. Who knows the connection names what it has. */
export const ANY_CA = "VAULT_CACERT, CONSUL_CACERT or `caCertFile`";

/** What to say of a failure, by its code. */
export const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused. Is the server running, and is the address right?",
  ENOTFOUND: "the host name is not known. Check the address.",
  EAI_AGAIN: "the host name could not be looked up.",
  ENETUNREACH: "the network cannot be reached.",
  EHOSTUNREACH: "the host cannot be reached.",
  UND_ERR_CONNECT_TIMEOUT: "connecting took too long. Check the address and the firewall.",
  UND_ERR_SOCKET: "the server closed the connection without an answer. Check whether the port speaks http or https.",
  ECONNRESET: "the connection was cut.",
  DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is self-signed. Give its CA (${ANY_CA}).`,
  SELF_SIGNED_CERT_IN_CHAIN: `its certificate chain is self-signed. Give its CA (${ANY_CA}).`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `its certificate is from an unknown authority. Give its CA (${ANY_CA}).`,
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  CERT_HAS_EXPIRED: "its certificate has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is for another host name. Correct the address, or give the certificate's name in `tlsServerName`.",
};

/** The code of a failed connection, such as ECONNREFUSED. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  // Several addresses of one host were tried.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return "cause" in error ? codeOf(error.cause) : "unknown";
}
