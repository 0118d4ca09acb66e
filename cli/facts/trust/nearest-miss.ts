import { formatDuration } from "../../../provider/core/duration";
import { isLike } from "../../../provider/core/is-like";
import { listOf } from "./sentences";

/** What a token has, and the accepted value that is nearest to it: "`ref` is `refs/heads/main`, bound is `main`". */
export function nearestMiss(
  claim: string,
  actual: unknown,
  accepted: readonly unknown[],
  { isGlob = false }: { readonly isGlob?: boolean } = {},
): string {
  const found = listOf(actual);
  const pairs = (found.length === 0 ? [undefined] : found.slice(0, MOST)).flatMap((has) =>
    accepted
      .slice(0, MOST)
      .map((bound) => ({ has, bound, distance: distanceOf(textOf(has), textOf(bound).replaceAll("*", "")) })),
  );
  const [first, ...others] = pairs;
  if (first === undefined) return `\`${claim}\` is accepted with no value`;
  const { has, bound } = others.reduce((best, pair) => (pair.distance < best.distance ? pair : best), first);
  // A text and a number can look the same, so quotes tell them apart.
  const isPlain = typeof bound === "string" && (has === undefined || typeof has === "string");
  const shown = (value: unknown) => `\`${isPlain ? value : JSON.stringify(value)}\``;
  const which =
    accepted.length === 1
      ? "bound is"
      : `the nearest of ${accepted.length > MOST ? `the first ${MOST}` : accepted.length} bounds is`;
  const what = has === undefined ? "is not in the token" : `is ${shown(has)}`;
  return `\`${claim}\` ${what}, ${which} ${shown(bound)}${nearForm({ has, bound, isGlob })}`;
}

/** How far a time of a token is from now, in seconds that are left. */
export function missedTime(claim: string, secondsLeft: number): string {
  const far = formatDuration(Math.ceil(Math.abs(secondsLeft)));
  return `\`${claim}\` ${secondsLeft < 0 ? `was ${far} ago` : `is in ${far}`}`;
}

/** Of longer lists the first ones are compared: the token of a stranger must not take long. */
const MOST = 50;

const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** Longer values are compared by their start. */
const LONGEST = 200;

/** How many characters have to be added, left out or changed (Levenshtein). A text that has the other one in it is near. */
function distanceOf(a: string, b: string): number {
  if (a !== "" && b !== "" && (a.includes(b) || b.includes(a))) return 1;
  const [left, right] = [a.slice(0, LONGEST), b.slice(0, LONGEST)];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [at, character] of [...left].entries()) {
    const next = [at + 1];
    for (const [index, other] of [...right].entries())
      next.push(
        Math.min((row[index] ?? 0) + (character === other ? 0 : 1), (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** A value of a token and a bound that it misses. */
interface Miss {
  readonly has: unknown;
  readonly bound: unknown;
  /** Whether `*` in the bound stands for any text. */
  readonly isGlob: boolean;
}

/** Why a text misses a bound that looks as if it matched, and what to bind; empty where it only is another text. */
export function nearForm({ has, bound, isGlob }: Miss): string {
  if (typeof has !== "string" || typeof bound !== "string") return "";
  if (!isGlob && bound.includes("*") && isLike(bound, has))
    return '. The `*` is a plain character there: bind the claim in boundClaims, with boundClaimsType: "glob"';
  if (isGlob && bound.includes(".*") && isLike(bound.replaceAll(".*", "*"), has))
    return ". A glob is no regular expression: `*` alone stands for any text, and the `.` before it for itself";
  const old = has.replace(NUMBERED, "$1$3$5");
  if (old === has || !(isGlob ? isLike(bound, old) : bound === old)) return "";
  const subject = bound.replace(/^repo:[^:*]+:/, NUMBERED.exec(has)?.[0] ?? "");
  const other = subject === bound ? has : subject;
  return `. GitHub puts the numbers of owner and repository into the subject of newer repositories: bind \`${other}\``;
}

/** The immutable subject of GitHub: `repo:acme@12/app@34:`. */
const NUMBERED = /^(repo:[^:/@]+)(@\d+)(\/[^:/@]+)(@\d+)(:)/;
