import { canonicalText } from "../../provider/core/canonical";
import { losslessJson } from "../../provider/core/canonical-json";
import { step } from "../../provider/core/property-path";
import { isRecord } from "../../provider/core/unknowns";
import { own } from "../text/own-member";
import { listGaps } from "./list-gaps";

/** One difference between two values, at the deepest place that both have. */
export interface PropertyChange {
  /**
   * Such as `boundClaims.ref[1]`. The index of a removed element is its old one, any other index is the new one. An
   * element of a list without order has none: `tokenPolicies[]`.
   */
  readonly path: string;
  /** Absent when the value was added. */
  readonly before?: unknown;
  /** Absent when the value was removed. */
  readonly after?: unknown;
}

/**
 * What differs, element by element: members of maps by name, elements of lists by the elements that stay, texts of JSON
 * by their content. Undefined is "not there".
 *
 * @example
 * propertyChanges("tokenPolicies", ["ci", "old"], ["ci", "new"]);
 * // [{ path: "tokenPolicies[1]", before: "old" }, { path: "tokenPolicies[1]", after: "new" }]
 */
export function propertyChanges(
  path: string,
  before: unknown,
  after: unknown,
  { isOrdered = true }: { readonly isOrdered?: boolean } = {},
): readonly PropertyChange[] {
  return changesBetween(path, before, after, { textOf: rememberedTexts(), isOrdered });
}

interface Comparison {
  readonly textOf: (value: unknown) => string;
  /** Whether the order of elements means anything. */
  readonly isOrdered: boolean;
}

/** The canonical text of each list and map is made once, however often it is compared. */
function rememberedTexts(): Comparison["textOf"] {
  const texts = new WeakMap<object, string>();
  return (value) => {
    if (typeof value !== "object" || value === null) return canonicalText(value);
    const text = texts.get(value) ?? canonicalText(value);
    texts.set(value, text);
    return text;
  };
}

function changesBetween(
  path: string,
  before: unknown,
  after: unknown,
  comparison: Comparison,
): readonly PropertyChange[] {
  const { textOf } = comparison;
  if (textOf(before) === textOf(after)) return [];
  const [left, right] = [contentOf(before), contentOf(after)];
  // The same JSON, written differently, is a change where the server compares texts. It is shown as text.
  if (textOf(left) === textOf(right)) return [change(path, before, after)];
  if (isRecord(left) && isRecord(right)) return changesOfMembers(path, left, right, comparison);
  const inAnyOrder = comparison.isOrdered ? undefined : changesInAnyOrder(path, left, right);
  if (inAnyOrder !== undefined) return inAnyOrder;
  if (Array.isArray(left) && Array.isArray(right)) return changesOfElements(path, left, right, comparison);
  return [change(path, left, right)];
}

function changesOfMembers(
  path: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  comparison: Comparison,
): readonly PropertyChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => changesBetween(path + step(name), own(before, name), own(after, name), comparison));
}

function changesOfElements(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  comparison: Comparison,
): readonly PropertyChange[] {
  return listGaps(before, after, comparison.textOf).flatMap(({ removed, added, from, to }) => {
    // A map that took the place of a map is compared with it, member by member.
    const compared = mapsAtStart(removed, added);
    return [
      ...removed.flatMap((value, at) =>
        at < compared
          ? changesBetween(path + step(to + at), value, added[at], comparison)
          : [change(path + step(from + at), value, undefined)],
      ),
      ...added.slice(compared).map((value, at) => change(path + step(to + compared + at), undefined, value)),
    ];
  });
}

/**
 * What only one of two lists has, each element by itself. Where order means nothing, an element and a list of it are the
 * same. Undefined for other values, and for lists of maps, which are compared member by member.
 */
function changesInAnyOrder(path: string, before: unknown, after: unknown): PropertyChange[] | undefined {
  if (!Array.isArray(before) && !Array.isArray(after)) return undefined;
  const [left, right] = [before, after].map((side): unknown[] => (Array.isArray(side) ? side : [side]));
  if (left === undefined || right === undefined || [...left, ...right].some(isNoElement)) return undefined;
  const only = (these: readonly unknown[], those: readonly unknown[]) => {
    const known = new Set(those);
    return [...new Set(these)].filter((element) => !known.has(element)).sort();
  };
  return [
    ...only(left, right).map((element) => change(`${path}[]`, element, undefined)),
    ...only(right, left).map((element) => change(`${path}[]`, undefined, element)),
  ];
}

function isNoElement(value: unknown): boolean {
  return value === undefined || typeof value === "object";
}

/** How many elements at the start of both lists are maps. */
function mapsAtStart(removed: readonly unknown[], added: readonly unknown[]): number {
  const differing = removed.findIndex((value, at) => !isRecord(value) || !isRecord(added[at]));
  return differing < 0 ? removed.length : differing;
}

function change(path: string, before: unknown, after: unknown): PropertyChange {
  return { path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** The content of a JSON text, such as a policy document; any other value, and a text that says more, as it is. */
function contentOf(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  return losslessJson(value) ?? value;
}

/** A change as it may be shown. A secret is shown by its fingerprint, where one was taken. */
export interface ShownChange extends PropertyChange {
  readonly isSecret?: true;
  /** Of a set, the records that have the same change. The path is that of the first one, or of the defaults. */
  readonly records?: readonly string[];
  /** Of a set, a whole record that is removed. */
  readonly isRemoved?: true;
}
