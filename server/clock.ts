/** The time of the embedded server. It runs as the machine's does, and can be moved ahead. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  advance(milliseconds: number): void;
}

export function createClock(): Clock {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    advance: (milliseconds) => {
      aheadMs += milliseconds;
    },
  };
}
