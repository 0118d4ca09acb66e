import { canonicalText } from "../../provider/core/canonical";

/** Items of which the same is said, together, in the order of the first of each. */
export type Alike<T> = readonly [first: T, ...others: T[]];

/** Puts the items together of which the same is said. `said` is what a reader sees of one, without its name. */
export function alike<T>(items: readonly T[], said: (item: T) => unknown): readonly Alike<T>[] {
  return [...Map.groupBy(items, (item) => canonicalText(said(item))).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}
