import { AsyncLocalStorage } from "node:async_hooks";

/** Says something to the user. A status is replaced by the next one, where the host can show it so. */
export type Log = (level: "info" | "warning" | "status", message: string) => void;

/** A log for many calls, each of which has secrets of its own. */
export interface CallLog {
  readonly write: Log;
  /** Does the work of a call. What is said meanwhile is written without what the call keeps secret. */
  during<T>(scrub: (text: string) => string, work: () => Promise<T>): Promise<T>;
}

export function callLog(log: Log): CallLog {
  const scrubs = new AsyncLocalStorage<(text: string) => string>();
  return {
    write: (level, message) => log(level, scrubs.getStore()?.(message) ?? message),
    during: (scrub, work) => scrubs.run(scrub, work),
  };
}
