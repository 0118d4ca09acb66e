import { setTimeout as delay } from "node:timers/promises";

/** Waits, but no longer than until the signal fires, and without keeping the process alive. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // It rejects for no other reason than the signal.
  await delay(ms, undefined, { ref: false, signal }).catch(() => undefined);
}
