import type * as Timers from "node:timers/promises";

/**
 * A life is full of pauses, of the provider and of servers that are behind: here a second of them lasts fifty milliseconds. On a machine
 * that is busy with other things a request takes as long, and no wait comes to its end.
 */
const SPEED = Number(process.env["TRUSTPLANE_MODEL_SPEED"] ?? 20);

/** Makes every clock of this process fast. The two that code reads time from, and waits with, stay in step. */
export function hurry(): void {
  const { setTimeout: wait } = globalThis;
  const { now } = Date;
  const start = now();
  Date.now = () => start + (now() - start) * SPEED;
  const fast = (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => wait(work, ms / SPEED, ...args);
  globalThis.setTimeout = Object.assign(fast, wait) as typeof setTimeout;
}

/** `node:timers/promises` in the same hurry. */
export function hurried(timers: typeof Timers): typeof Timers {
  const wait = timers.setTimeout;
  return { ...timers, setTimeout: ((ms = 0, ...more) => wait(ms / SPEED, ...more)) as typeof wait };
}
