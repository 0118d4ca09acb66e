import { ProviderError } from "../core/errors";
import type { Limits } from "./operation";

/** What the user allows an operation, and the setting that says so. Without a limit it has 0 seconds. */
export interface TimeLimit {
  readonly seconds: number;
  readonly setting: string;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Does the work until the run is stopped, or until the limit, if it has one. */
export async function withinLimit<T>(
  run: AbortSignal,
  { seconds, setting }: TimeLimit,
  work: (limits: Limits) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const over = new ProviderError("NetworkError", `its timeout of ${seconds} s is over (${setting})`);
  const afterMs = Math.min(seconds * 1000, LONGEST_TIMER_MS);
  const timer = seconds > 0 ? setTimeout(() => limit.abort(over), afterMs) : undefined;
  try {
    return await work({ signal: AbortSignal.any([run, limit.signal]), timeoutMs: seconds * 1000 });
  } finally {
    clearTimeout(timer);
  }
}
