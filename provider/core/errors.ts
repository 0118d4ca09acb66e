import { plainText } from "./plain-text";

/** What went wrong, for programs. Branch on this, never on the message: two copies of the package may be loaded. */
export type ErrorCode =
  | "ConfigError"
  | "InputError"
  | "ApiError"
  | "NetworkError"
  | "ResponseError"
  | "PartialError"
  | "BugError";

/** One input that cannot be accepted: where it stands and what is allowed. Never carries the value itself. */
export interface Failure {
  readonly property: string;
  readonly reason: string;
}

/** All of them in one sentence. */
export function textOf(failures: readonly Failure[]): string {
  return failures.map(({ property, reason }) => `${property} ${reason}`).join("; ");
}

export interface ErrorDetails {
  /** HTTP status of the server's answer (ApiError). */
  readonly status?: number;
  /** The server's own words (ApiError). */
  readonly details?: readonly string[];
  /** How long the server asked to wait (ApiError). */
  readonly retryAfterMs?: number;
  /** The end of the message, where it says what to do: of many such failures it is said once. */
  readonly todo?: string;
  /** Refused inputs (InputError). */
  readonly failures?: readonly Failure[];
  /** What was recorded although something failed afterwards (PartialError). */
  readonly id?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly reasons?: readonly string[];
  /** The error that revealed a defect, with its stack (BugError). For a debugger: no message repeats it. */
  readonly cause?: unknown;
}

/** Every failure of the provider. The message is one line: what was being done, to what, what happened, what to do next. */
export class ProviderError extends Error {
  readonly code: ErrorCode;
  readonly status?: number;
  readonly details?: readonly string[];
  readonly retryAfterMs?: number;
  readonly todo?: string;
  readonly failures?: readonly Failure[];
  readonly id?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly reasons?: readonly string[];

  constructor(code: ErrorCode, message: string, { cause, ...details }: ErrorDetails = {}) {
    super(plainText(message), cause === undefined ? {} : { cause });
    this.name = "ProviderError";
    this.code = code;
    Object.assign(this, details);
  }
}

/** True for a ProviderError, also one made by another copy of this package. */
export function isProviderError(error: unknown): error is ProviderError {
  return error instanceof Error && error.name === "ProviderError" && "code" in error;
}

/** The same failure, saying what was being done when it happened. */
export function during(doing: string, error: unknown): ProviderError {
  // Somebody gave up waiting.
  if (error instanceof Error && error.name === "AbortError")
    return new ProviderError("NetworkError", `${doing}: ${whyAborted(error.cause)}.`);
  if (!isProviderError(error)) {
    const text = error instanceof Error ? error.message : String(error);
    const message = `${doing}: ${text}. This is a defect of trustplane; please report it.`;
    return new ProviderError("BugError", message, { cause: error });
  }
  const { code, status, details, retryAfterMs, todo, failures, id, properties, reasons, cause } = error;
  const known = Object.entries({ status, details, retryAfterMs, todo, failures, id, properties, reasons, cause });
  return new ProviderError(
    code,
    `${doing}: ${error.message}`,
    Object.fromEntries(known.filter(([, value]) => value !== undefined)),
  );
}

/** Why a wait was given up: the reason that came with the abort, where it is an error of ours. */
export function whyAborted(reason: unknown): string {
  return isProviderError(reason) ? reason.message : "the operation was cancelled";
}
