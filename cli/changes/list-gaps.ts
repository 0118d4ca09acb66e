import { diffArrays } from "diff";

/** A place in which two lists differ: what went from there, and what came. */
export interface Gap {
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
  /** Index of the first of them in its list. */
  readonly from: number;
  readonly to: number;
}

/**
 * How many elements may have moved before all of them count as gone and come: the time to find the fewest moves grows
 * with their square, and nobody reads thousands of them.
 */
const MOST_MOVES = 1000;

/** Where the lists differ, in order. `textOf` is asked once for each element; equal texts mean equal elements. */
export function listGaps(
  before: readonly unknown[],
  after: readonly unknown[],
  textOf: (element: unknown) => string,
): readonly Gap[] {
  let [from, to] = [0, 0];
  const ends = [...keptPairs(before.map(textOf), after.map(textOf)), [before.length, after.length] as const];
  return ends.flatMap(([inBefore, inAfter]) => {
    const gap = { removed: before.slice(from, inBefore), added: after.slice(to, inAfter), from, to };
    [from, to] = [inBefore + 1, inAfter + 1];
    return gap.removed.length + gap.added.length === 0 ? [] : [gap];
  });
}

/** The indices of what stays, in both lists. What only one list has cannot stay, and is left out of the search. */
function keptPairs(before: readonly string[], after: readonly string[]): readonly (readonly [number, number])[] {
  const left = indicesOf(before, new Set(after));
  const right = indicesOf(after, new Set(before));
  const runs = diffArrays(
    left.map((index) => before[index]),
    right.map((index) => after[index]),
    { maxEditLength: MOST_MOVES },
  );
  let [l, r] = [0, 0];
  return (runs ?? []).flatMap(({ added, removed, value }) => {
    if (!added && !removed) return value.map(() => [left[l++] ?? 0, right[r++] ?? 0] as const);
    if (removed) l += value.length;
    else r += value.length;
    return [];
  });
}

function indicesOf(texts: readonly string[], among: ReadonlySet<string>): readonly number[] {
  return texts.flatMap((text, index) => (among.has(text) ? [index] : []));
}
