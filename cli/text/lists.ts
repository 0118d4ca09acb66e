import { canonicalText } from "../../provider/core/canonical";

/** Items of which the same is said, together, in the order of the first of each. */
export type Alike<T> = readonly [first: T, ...others: T[]];

/** Puts the items together of which the same is said. `said` is what a reader sees of one, without its name. */
export function alike<T>(items: readonly T[], said: (item: T) => unknown): readonly Alike<T>[] {
  return [...Map.groupBy(items, (item) => canonicalText(said(item))).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}

/** More names than these are counted. */
const MOST = 5;

/** The first names, and how many more there are. */
export function firstOf(names: readonly string[]): string {
  const more = names.length - MOST;
  return names.slice(0, MOST).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** What is expected and is not there, and what is there and is not expected; of a change, what goes from before and what comes after. */
export function setDifference(own: readonly string[] = [], expected: readonly string[] = []) {
  return {
    missing: expected.filter((each) => !own.includes(each)),
    more: own.filter((each) => !expected.includes(each)),
  };
}
