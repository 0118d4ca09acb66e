import { isLike } from "../../../provider/core/is-like";

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
