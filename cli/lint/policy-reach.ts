import { type PathRule, readPolicy } from "../../provider/resources/sys/policy-text";

/**
 * The path of the rule by which a policy may write policies, and so anything; `""` where it may not, and undefined for a text
 * that cannot be read.
 */
export function writesPoliciesAt(text: string): string | undefined {
  const rules = readPolicy(text);
  if (typeof rules === "string") return undefined;
  const samples = rules.flatMap(({ path }) => POLICIES.flatMap((folder) => sampleOf(path, folder) ?? []));
  return samples.map((sample) => decisiveRule(rules, sample)).find((rule) => rule && writes(rule))?.path ?? "";
}

/** Where policies are written; the second one is the older form. */
const POLICIES = [
  ["sys", "policies", "acl"],
  ["sys", "policy"],
];

const WRITES = ["create", "update", "patch"];

function writes({ capabilities }: PathRule): boolean {
  return capabilities.some((capability) => WRITES.includes(capability));
}

/** A policy's path that fits the pattern; undefined where none does. */
function sampleOf(pattern: string, folder: readonly string[]): string | undefined {
  const [isGlob, body] = pattern.endsWith("*") ? [true, pattern.slice(0, -1)] : [false, pattern];
  const segments = body.split("/");
  const wanted = [...folder, NAME];
  const sample: string[] = [];
  for (const [at, segment] of segments.entries()) {
    const target = wanted[at] ?? NAME;
    const isName = at >= folder.length;
    if (isGlob && at === segments.length - 1) {
      if (!isName && !target.startsWith(segment)) return undefined;
      return [...sample, ...(isName ? [segment + NAME] : wanted.slice(at))].join("/");
    }
    if (segment !== "+" && !isName && segment !== target) return undefined;
    sample.push(segment === "+" ? target : segment);
  }
  return segments.length > folder.length && segments.at(-1) !== "" ? sample.join("/") : undefined;
}

/** No policy of a program has this name. */
const NAME = "any-policy-of-all";

/** The rules that the server applies to a path: those of the path itself, else those of the pattern that comes first. */
function decisiveRule(rules: readonly PathRule[], path: string): PathRule | undefined {
  const fitting = rules.filter((rule) => fits(rule.path, path)).sort((a, b) => order(b.path, a.path, path));
  const [first] = fitting;
  if (first === undefined) return undefined;
  const its = fitting.filter((rule) => rule.path === first.path);
  // Rules of one path count together, and one that denies wins.
  const denies = its.find(({ capabilities }) => capabilities.includes("deny"));
  return denies ?? { ...first, capabilities: its.flatMap(({ capabilities }) => capabilities) };
}

function fits(pattern: string, path: string): boolean {
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
