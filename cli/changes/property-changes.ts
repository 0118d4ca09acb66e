import { diffArrays } from "diff";
import { canonicalText } from "../../provider/core/canonical";
import { parseJson } from "../../provider/core/parse-json";
import { step } from "../../provider/core/property-path";
import { isRecord } from "../../provider/core/unknowns";

/** One difference between two values, at the deepest place that both have. */
export interface PropertyChange {
  /** Such as `boundClaims.ref[1]`; an index is that of the value that has the element. */
  readonly path: string;
  /** Absent when the value was added. */
  readonly before?: unknown;
  /** Absent when the value was removed. */
  readonly after?: unknown;
}

/**
 * What differs, element by element: members of maps by name, elements of lists by what stays around them, texts that
 * hold JSON as what they say. Undefined is "not there".
 *
 * @example
 * propertyChanges("tokenPolicies", ["ci", "old"], ["ci", "new"]);
 * // [{ path: "tokenPolicies[1]", before: "old" }, { path: "tokenPolicies[1]", after: "new" }]
 */
export function propertyChanges(path: string, before: unknown, after: unknown): readonly PropertyChange[] {
  if (canonicalText(before) === canonicalText(after)) return [];
  const [left, right] = [document(before), document(after)];
  // The same JSON in another form is a change where the server compares texts: shown as the texts.
  if (canonicalText(left) === canonicalText(right)) return [change(path, before, after)];
  if (isRecord(left) && isRecord(right)) return changesOfMembers(path, left, right);
  if (Array.isArray(left) && Array.isArray(right)) return changesOfElements(path, left, right);
  return [change(path, left, right)];
}

function changesOfMembers(
  path: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly PropertyChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => propertyChanges(path + step(name), before[name], after[name]));
}

function changesOfElements(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly PropertyChange[] {
  const runs = diffArrays([...before], [...after], { comparator: (a, b) => canonicalText(a) === canonicalText(b) });
  let [left, right] = [0, 0];
  return runs.flatMap((run, index) => {
    const [from, to] = [left, right];
    if (!run.added) left += run.value.length;
    if (!run.removed) right += run.value.length;
    if (!run.added && !run.removed) return [];
    if (run.added) {
      // Elements that took the place of others were compared with them, one line up.
      const compared = runs[index - 1]?.removed ? pairs(runs[index - 1]?.value ?? [], run.value) : 0;
      return run.value.slice(compared).map((value, at) => change(path + step(to + compared + at), undefined, value));
    }
    const next = runs[index + 1];
    const compared = next?.added ? pairs(run.value, next.value) : 0;
    return run.value.flatMap((value, at) =>
      at < compared
        ? propertyChanges(path + step(to + at), value, next?.value[at])
        : [change(path + step(from + at), value, undefined)],
    );
  });
}

/** How many elements at the start of both are of a kind that can be compared inside. */
function pairs(removed: readonly unknown[], added: readonly unknown[]): number {
  const differing = removed.findIndex((value, at) => !isRecord(value) || !isRecord(added[at]));
  return differing < 0 ? removed.length : differing;
}

function change(path: string, before: unknown, after: unknown): PropertyChange {
  return { path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** What a text of JSON says, such as a policy document; any other value is itself. */
function document(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  return parseJson(value) ?? value;
}
