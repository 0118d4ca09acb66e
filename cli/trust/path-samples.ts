/**
 * Paths that stand for all paths of a pattern: a policy decides by its own patterns, so there is one path for each
 * pattern of the policies that meets it, and one that meets none. `+` stands for a segment, `*` at the end for any text.
 */
export function samplesOf(pattern: string, ruled: readonly string[]): readonly string[] {
  const met = [pattern, ...ruled.flatMap((rule) => meet(pattern, rule) ?? [])];
  return [...new Set(met.flatMap(concrete))];
}

/** The pattern of all paths that both patterns have; undefined where there is none. */
export function meet(one: string, other: string): string | undefined {
  const [a, b] = [segmentsOf(one), segmentsOf(other)];
  const merged: string[] = [];
  for (let at = 0; ; at++) {
    const [left, right] = [a[at], b[at]];
    if (left === undefined && right === undefined) return merged.join("/");
    // A glob takes the rest of the other one, whatever its segments.
    if (left?.endsWith("*")) return rest(merged, left, b.slice(at));
    if (right?.endsWith("*")) return rest(merged, right, a.slice(at));
    if (left === undefined || right === undefined) return undefined;
    if (left !== right && left !== "+" && right !== "+") return undefined;
    merged.push(left === "+" ? right : left);
  }
}

function rest(merged: readonly string[], glob: string, others: readonly string[]): string | undefined {
  const prefix = glob.slice(0, -1);
  const [first = "", ...more] = others;
  const own = first.endsWith("*") ? first.slice(0, -1) : first;
  const isOpen = first.endsWith("*");
  if (first === "+") return [...merged, more.length === 0 ? `${prefix}${ANY}` : `${prefix}${ANY}`, ...more].join("/");
  if (own.startsWith(prefix)) return [...merged, first, ...more].join("/");
  return isOpen && prefix.startsWith(own) ? [...merged, glob].join("/") : undefined;
}

const segmentsOf = (pattern: string) => pattern.split("/");

/** A segment that no policy names. */
const ANY = "any-3f9c";

function concrete(pattern: string): readonly string[] {
  const filled = segmentsOf(pattern)
    .map((segment) => (segment === "+" ? ANY : segment))
    .join("/");
  if (!filled.endsWith("*")) return [filled];
  const prefix = filled.slice(0, -1);
  return [`${prefix}${ANY}`, `${prefix}${ANY}/${ANY}`];
}
