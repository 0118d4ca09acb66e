import { diffArrays } from "diff";

/** A place where two lists differ: the elements removed there, and those added. */
export interface Gap {
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
  /** Index of the first of them in its list. */
  readonly from: number;
  readonly to: number;
}

/**
 * With more moves than this, all elements count as removed and added: the time to find the moves grows with their
 * square, and nobody reads thousands of them.
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

/** The indices, in both lists, of the elements that stay. An element that only one list has is left out of the search. */
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
