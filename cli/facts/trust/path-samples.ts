import { pathProblem } from "../../../provider/resources/sys/policy-text";

/**
 * Paths that stand for all paths of a pattern: a policy decides by its own patterns, so there are paths for each pattern of the
 * policies that meets it, and some that meet none. `+` stands for a segment, `*` at the end for any text.
 */
export function samplesOf(pattern: string, ruled: readonly string[]): readonly string[] {
  return [...new Set(sampledParts(pattern, ruled).flatMap(({ samples }) => samples))];
}

/** A part of the paths of a pattern, as a pattern or a path, and paths that stand for it. */
export interface SampledPart {
  readonly part: string;
  readonly samples: readonly string[];
}

/** The pattern, and what it has in common with each pattern of the policies. */
export function sampledParts(pattern: string, ruled: readonly string[]): readonly SampledPart[] {
  const met = [...new Set([pattern, ...ruled.flatMap((rule) => meet(pattern, rule) ?? [])])];
  const word = unusedWord([pattern, ...ruled]);
  // A rule with `+` ends where its segments end: beyond the longest of them, only the others count.
  const longest = Math.max(...[pattern, ...ruled].map((each) => segmentsOf(each).length)) + 1;
  return met.map((each) => {
    const samples = concrete(each, word, longest);
    return { part: each.includes(REST_OF_SEGMENT) ? (samples[0] ?? each) : each, samples };
  });
}

/** What is wrong with a pattern of a test; undefined where it means what it says. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.includes("{{"))
    return `${pattern} has {{, which stands for itself here: write the paths that it stands for`;
  if (pattern.startsWith("/")) return `${pattern} begins with a slash, as no path of a policy does`;
  if (/\*./.test(pattern)) return `${pattern} has \`*\` before its end: only \`+\` stands for a segment`;
  return pathProblem(pattern) && `${pattern} has \`+*\`, which servers refuse: \`+\` stands for a whole segment`;
}

/** The pattern of all paths that both patterns have; undefined where there is none. */
export function meet(one: string, other: string): string | undefined {
  const [a, b] = [segmentsOf(one), segmentsOf(other)];
  const merged: string[] = [];
  for (let at = 0; ; at++) {
    const [left, right] = [a[at], b[at]];
    if (left === undefined && right === undefined) return merged.join("/");
    // `secret/z` is not below `secret/z/`.
    if (left === undefined || right === undefined) return undefined;
    // A glob takes the rest of the other one, whatever its segments.
    if (left.endsWith("*")) return rest(merged, left, b.slice(at));
    if (right.endsWith("*")) return rest(merged, right, a.slice(at));
    if (left !== right && left !== "+" && right !== "+") return undefined;
    merged.push(left === "+" ? right : left);
  }
}

function rest(merged: readonly string[], glob: string, others: readonly string[]): string | undefined {
  const prefix = glob.slice(0, -1);
  const [first = "", ...more] = others;
  const own = first.endsWith("*") ? first.slice(0, -1) : first;
  const isOpen = first.endsWith("*");
  if (first === "+") return [...merged, prefix === "" ? "+" : `${prefix}${REST_OF_SEGMENT}`, ...more].join("/");
  if (own.startsWith(prefix)) return [...merged, first, ...more].join("/");
  return isOpen && prefix.startsWith(own) ? [...merged, glob].join("/") : undefined;
}

const segmentsOf = (pattern: string) => pattern.split("/");

/** Stands for the rest of a segment until a word is put there. No path of a policy has it. */
const REST_OF_SEGMENT = "\0";

/** A word that no pattern begins with, ends with or has in it: its first character is in none of them. */
function unusedWord(patterns: readonly string[]): string {
  const used = new Set(patterns.join(""));
  const letter = [..."qzxjywvkubpfmghdlrncsitoea0123456789"].find((each) => !used.has(each));
  let code = 0x100;
  while (letter === undefined && used.has(String.fromCodePoint(code))) code++;
  return `${letter ?? String.fromCodePoint(code)}-any`;
}

function concrete(pattern: string, word: string, longest: number): readonly string[] {
  const filled = segmentsOf(pattern)
    .map((segment) => (segment === "+" ? word : segment.replace(REST_OF_SEGMENT, word)))
    .join("/");
  if (!filled.endsWith("*")) return [filled];
  const prefix = filled.slice(0, -1);
  const more = Math.max(longest - segmentsOf(filled).length + 1, 2);
  return Array.from(
    { length: more },
    (_, deeper) =>
      prefix +
      Array(deeper + 1)
        .fill(word)
        .join("/"),
  );
}
