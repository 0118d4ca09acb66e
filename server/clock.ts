import type { Table } from "./data/tables";

/** The time of the embedded server. It runs as the machine's does, and can be moved ahead. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  advance(milliseconds: number): void;
}

const aheadKey = "aheadMs";

export function createClock(settings: Table<number> = new Map()): Clock {
  let aheadMs = settings.get(aheadKey) ?? 0;
  return {
    now: () => Date.now() + aheadMs,
    advance: (milliseconds) => {
      aheadMs += milliseconds;
      settings.set(aheadKey, aheadMs);
    },
  };
}
