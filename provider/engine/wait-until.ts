import { setTimeout as sleep } from "node:timers/promises";
import { isProviderError, ProviderError } from "../core/errors";
import type { Pending } from "../core/stage";
import type { Log } from "./log";

/** What is waited for, and for how long. */
export interface Wait {
  /** What the messages of progress are about. */
  readonly title: string;
  readonly budgetMs: number;
  /** What a user should know when the wait has ended without success. */
  readonly otherwise: string;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a look. */
export type Look<T> = { readonly done: T } | { readonly pending: Pending };

/** A standby or a replica that answers a read may be behind a write for a moment. */
export const REPLICA_MS = 5_000;

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 500;
const PROGRESS_EVERY_MS = 10_000;

/** Looks until it is done, with growing pauses, and says every ten seconds what it waits for. */
export async function waitUntil<T>(wait: Wait, look: () => Promise<Look<T>>): Promise<T> {
  const { title, budgetMs, otherwise, log, signal } = wait;
  const start = Date.now();
  let told = start;
  let last: Pending | undefined;
  /** The message is the same for an abort during a request and for one during a pause. */
  const givenUp = ({ state, wanted }: Pending) =>
    new ProviderError("NetworkError", `the wait until it is ${wanted} ${endOf(signal)}; it is ${state}. ${otherwise}`);
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const found: Look<T> = await look().catch((error: unknown) => {
      throw last && signal?.aborted ? givenUp(last) : error;
    });
    if ("done" in found) return found.done;
    const { pending } = found;
    const { state, wanted, todo } = pending;
    last = pending;
    const now = Date.now();
    if (now - start >= budgetMs) {
      const still = `it is still ${state}, not ${wanted}, after ${budgetMs / 1000} s`;
      throw new ProviderError("ApiError", [`${still}.`, todo, otherwise].filter(Boolean).join(" "), { status: 200 });
    }
    if (now - told >= PROGRESS_EVERY_MS) {
      const seconds = Math.round((now - start) / 1000);
      log("info", `${title} is ${state} after ${seconds} s; waiting until it is ${wanted}`);
      told = now;
    }
    await sleep(pause, undefined, signal ? { signal } : {}).catch(() => {
      throw givenUp(pending);
    });
  }
}

/** The words for a wait that was ended early. */
export function endOf(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason;
  return isProviderError(reason) ? `ended: ${reason.message}` : "was cancelled";
}
