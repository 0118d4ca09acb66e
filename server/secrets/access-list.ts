import { compareBytes } from "../framework/go-format";
import { filledPath, type PolicySubject } from "./policy-template";
import type { Capability, Conditions, PathRule } from "./policy-text";

/** What all rules of one path grant together. */
export interface Grant {
  readonly capabilities: ReadonlySet<Capability>;
  readonly conditions: Conditions;
}

/** The rights that a set of policies gives on a path. */
export interface AccessList {
  readonly isRoot: boolean;
  /** What decides on the path; `undefined` when nothing matches, which is a denial too. A list asks for its folder. */
  grantOn(path: string, asked: { readonly isList: boolean }): Grant | undefined;
  /** Whether anything is granted at this folder or somewhere in it. */
  reaches(folder: string): boolean;
}

export const rootAccess: AccessList = { isRoot: true, grantOn: () => undefined, reaches: () => true };

/** A path with `*` at its end, or with `+` for a segment. */
interface Pattern {
  readonly path: string;
  readonly grant: Grant;
  readonly hasSegments: boolean;
  readonly isPrefix: boolean;
  /** Without the `*`. */
  readonly text: string;
  readonly segments: readonly string[];
  /** Where the first `+` or the `*` stands. */
  readonly firstWildcard: number;
}

/** Merges the rules of several policies: the same path adds up, a deny wins, the most specific path decides. */
export function createAccessList(rules: readonly PathRule[], subject?: PolicySubject): AccessList {
  const merged = new Map<string, Grant>();
  for (const rule of rules) {
    const path = filledPath(rule.path, subject)?.replace(/^\//, "");
    if (path === undefined) continue;
    const grant = { capabilities: new Set(rule.capabilities), conditions: rule.conditions };
    const before = merged.get(path);
    merged.set(path, before === undefined ? grant : mergedGrant(before, grant));
  }
  const patterns = Array.from(merged, ([path, grant]) => patternOf(path, grant));
  const exact = new Map(patterns.filter(isExact).map(({ path, grant }) => [path, grant]));
  const loose = patterns.filter((pattern) => !isExact(pattern)).sort(bySpecificity);
  const best = (path: string) => loose.find((pattern) => matches(pattern, path))?.grant;
  return {
    isRoot: false,
    grantOn: (asked, { isList }) => {
      const path = asked.replace(/^\/+/, "");
      const found = exact.get(path);
      if (found !== undefined || !isList) return found ?? best(path);
      const folder = path.replace(/\/$/, "");
      return exact.get(folder) ?? best(folder) ?? best(path);
    },
    reaches: (folder) => {
      const own = exact.get(folder) ?? best(folder);
      return [
        ...(own ? [own] : []),
        ...patterns.filter((each) => isWithin(each, folder)).map(({ grant }) => grant),
      ].some(({ capabilities }) => capabilities.size > 0 && !capabilities.has("deny"));
    },
  };
}

/** A pattern that begins with the folder, or whose `+` can stand for a part of it. */
function isWithin({ hasSegments, text, segments }: Pattern, folder: string): boolean {
  if (!hasSegments) return text.startsWith(folder);
  const asked = folder.replace(/\/$/, "").split("/");
  return asked.every((part, at) => segments[at] === "+" || segments[at] === part);
}

function patternOf(path: string, grant: Grant): Pattern {
  const hasSegments = path === "+" || path.includes("/+") || path.startsWith("+/");
  const isPrefix = path.endsWith("*");
  const text = isPrefix ? path.slice(0, -1) : path;
  const firstWildcard = hasSegments ? path.indexOf("+") : text.length;
  return { path, grant, hasSegments, isPrefix, text, segments: text.split("/"), firstWildcard };
}

function isExact({ hasSegments, isPrefix }: Pattern): boolean {
  return !hasSegments && !isPrefix;
}

function matches({ hasSegments, isPrefix, text, segments }: Pattern, path: string): boolean {
  if (!hasSegments) return path.startsWith(text);
  const asked = path.split("/");
  if (isPrefix ? asked.length < segments.length : asked.length !== segments.length) return false;
  return segments.every((segment, at) => {
    const part = asked[at] ?? "";
    const isLast = at === segments.length - 1;
    return segment === "+" || segment === part || (isPrefix && isLast && part.startsWith(segment));
  });
}

// Vault's documented order of priority: the later first wildcard, no final `*`, fewer `+`, the longer, the greater path.
function bySpecificity(a: Pattern, b: Pattern): number {
  return (
    b.firstWildcard - a.firstWildcard ||
    Number(a.isPrefix) - Number(b.isPrefix) ||
    plusCount(a) - plusCount(b) ||
    b.text.length - a.text.length ||
    compareBytes(b.text, a.text)
  );
}

function plusCount({ hasSegments, segments }: Pattern): number {
  return hasSegments ? segments.filter((segment) => segment === "+").length : 0;
}

function mergedGrant(one: Grant, other: Grant): Grant {
  const capabilities = new Set([...one.capabilities, ...other.capabilities]);
  if (capabilities.has("deny")) return { ...one, capabilities: new Set(["deny"]) };
  const [a, b] = [one.conditions, other.conditions];
  const conditions: Conditions = {
    allowed: mergedLists(a.allowed, b.allowed),
    denied: mergedLists(a.denied, b.denied),
    required: [...new Set([...a.required, ...b.required])],
    minWrapSeconds: shorter(a.minWrapSeconds, b.minWrapSeconds),
    maxWrapSeconds: shorter(a.maxWrapSeconds, b.maxWrapSeconds),
  };
  return { capabilities, conditions };
}

/** An empty list, which stands for every value, wins. */
function mergedLists(one: Conditions["allowed"], other: Conditions["allowed"]): Conditions["allowed"] {
  const lists = new Map(one);
  for (const [name, values] of other) {
    const before = lists.get(name);
    const isEvery = values.length === 0 || before?.length === 0;
    lists.set(name, isEvery ? [] : [...values, ...(before ?? [])]);
  }
  return lists;
}

/** The shorter lifetime of two, also of two that are the least; 0 is none. */
function shorter(one: number, other: number): number {
  return one > 0 && other > 0 ? Math.min(one, other) : Math.max(one, other, 0);
}
