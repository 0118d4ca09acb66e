import { type PathRule, readPolicy } from "../../../provider/resources/sys/policy-text";

/**
 * The path of the rule by which a policy may write policies, and so anything; `""` where it may not, and undefined for a text
 * that cannot be read.
 */
export function writesPoliciesAt(text: string): string | undefined {
  const read = readPolicy(text);
  if (typeof read === "string") return undefined;
  const name = unusedName(read);
  // A name may have slashes, and rules for shorter or longer ones may differ.
  const reachOf = (rule: PathRule) => FOLDERS.flatMap((folder) => samplesOf(rule.path, { folder, name }));
  const rules = read.filter((rule) => reachOf(rule).length > 0);
  const writers = rules.filter(writes);
  // Nobody writes so many by hand, and to weigh each against each takes long.
  if (writers.length > 0 && rules.length > MOST_RULES) return writers[0]?.path;
  const samples = writers.flatMap(reachOf);
  return samples.map((sample) => decisiveRule(rules, sample)).find((rule) => rule && writes(rule))?.path ?? "";
}

const MOST_RULES = 300;
/** In segments. */
const LONGEST_NAME = 8;

/** A name that no rule has anything to do with, so that no rule for a single policy hides what the others allow. */
function unusedName(rules: readonly PathRule[]): string {
  const used = new Set(rules.flatMap(({ path }) => [...path]));
  for (let code = 0x61; ; code++) if (!used.has(String.fromCodePoint(code))) return String.fromCodePoint(code);
}

/** Where policies are written; the second one is the older form. */
const FOLDERS = [
  ["sys", "policies", "acl"],
  ["sys", "policy"],
];

const WRITES = ["create", "update", "patch"];

function writes({ capabilities }: PathRule): boolean {
  return capabilities.some((capability) => WRITES.includes(capability));
}

interface Wanted {
  readonly folder: readonly string[];
  readonly name: string;
}

/** Paths of policies that fit the pattern. */
function samplesOf(pattern: string, { folder, name }: Wanted): readonly string[] {
  const [isGlob, body] = pattern.endsWith("*") ? [true, pattern.slice(0, -1)] : [false, pattern];
  const segments = body.split("/");
  const beginning = isGlob ? segments.slice(0, -1) : segments;
  const fitsFolder = beginning.every((segment, at) => segment === "+" || (folder[at] ?? segment) === segment);
  if (!fitsFolder) return [];
  const known = beginning.map((segment, at) => (segment === "+" ? (folder[at] ?? name) : segment));
  if (!isGlob) return known.length > folder.length && known.at(-1) !== "" ? [known.join("/")] : [];
  const last = segments.at(-1) ?? "";
  const next = folder[known.length];
  if (next !== undefined && !next.startsWith(last)) return [];
  const rest = next === undefined ? [last + name] : [...folder.slice(known.length), name];
  const whole = [...known, ...rest];
  return Array.from({ length: LONGEST_NAME }, (_, more) => [...whole, ...Array<string>(more).fill(name)].join("/"));
}

/** The rules that the server applies to a path: those of the path itself, else those of the pattern that comes first. */
export function decisiveRule(rules: readonly PathRule[], path: string): PathRule | undefined {
  const fitting = rules.filter((rule) => fits(rule.path, path)).sort((a, b) => order(b.path, a.path, path));
  const [first] = fitting;
  if (first === undefined) return undefined;
  const its = fitting.filter((rule) => rule.path === first.path);
  // Rules of one path count together, and one that denies wins.
  const denies = its.find(({ capabilities }) => capabilities.includes("deny"));
  return denies ?? { ...first, capabilities: its.flatMap(({ capabilities }) => capabilities) };
}

/** True for a path that the pattern of a rule covers. */
export function fits(pattern: string, path: string): boolean {
  const [isGlob, body] = pattern.endsWith("*") ? [true, pattern.slice(0, -1)] : [false, pattern];
  const [segments, parts] = [body.split("/"), path.split("/")];
  if (isGlob ? parts.length < segments.length : parts.length !== segments.length) return false;
  return segments.every((segment, at) => {
    const part = parts[at] ?? "";
    if (isGlob && at === segments.length - 1) return part.startsWith(segment);
    return segment === "+" || segment === part;
  });
}

/** The server's order of patterns that fit one path; the higher one counts. */
function order(a: string, b: string, path: string): number {
  if (a === b) return 0;
  if (a === path || b === path) return a === path ? 1 : -1;
  const wild = (pattern: string) => {
    const at = pattern.search(/(^|\/)\+(\/|$)|\*$/);
    return at < 0 ? pattern.length : pattern[at] === "/" ? at + 1 : at;
  };
  const plusses = (pattern: string) => pattern.split("/").filter((segment) => segment === "+").length;
  const isGlob = (pattern: string) => Number(pattern.endsWith("*"));
  return (
    wild(a) - wild(b) || isGlob(b) - isGlob(a) || plusses(b) - plusses(a) || a.length - b.length || (a < b ? -1 : 1)
  );
}
