/** Several runs of one measurement, in its own unit. */
export interface Summary {
  readonly runs: number;
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Throws when nothing was measured: a missing figure must not look like a zero. */
export function summaryOf(samples: readonly number[]): Summary {
  const sorted = [...samples].sort((a, b) => a - b);
  const [min, max] = [sorted.at(0), sorted.at(-1)];
  if (min === undefined || max === undefined) throw new Error("nothing was measured");
  return { runs: sorted.length, min, median: medianOf(sorted), max };
}

function medianOf(sorted: readonly number[]): number {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
