import { compareBytes } from "../framework/go-format";
import type { Capability, PathRule } from "./policy-text";
import type { TokenEntry } from "./token-store";

/** The rights that a set of policies gives on a path. */
export interface AccessList {
  readonly isRoot: boolean;
  /** The capabilities on the path; empty when nothing matches, which is a denial too. */
  capabilitiesOn(path: string): ReadonlySet<Capability>;
}

/** What a token may do by these policies. */
export type AccessOf = (token: Pick<TokenEntry, "namespace">, policies: readonly string[]) => AccessList;

interface Grant {
  readonly path: string;
  readonly matches: RegExp;
  readonly capabilities: ReadonlySet<Capability>;
}

export const rootAccess: AccessList = { isRoot: true, capabilitiesOn: () => new Set() };

/** Merges the rules of several policies: the same path adds up, a deny wins, the most specific path decides. */
export function createAccessList(rules: readonly PathRule[]): AccessList {
  const grants = mergeRules(rules);
  const bestFor = (path: string) => grants.filter((grant) => grant.matches.test(path)).sort(bySpecificity)[0];
  return {
    isRoot: false,
    capabilitiesOn: (path) => {
      // A list asks for `role/`; Vault also takes a rule for `role`.
      const exact = grants.find((grant) => grant.path === path) ?? grants.find((grant) => `${grant.path}/` === path);
      return (exact ?? bestFor(path))?.capabilities ?? new Set();
    },
  };
}

function mergeRules(rules: readonly PathRule[]): readonly Grant[] {
  const merged = new Map<string, Set<Capability>>();
  for (const rule of rules) {
    const granted = merged.get(rule.path) ?? new Set();
    for (const capability of rule.capabilities) granted.add(capability);
    merged.set(rule.path, granted);
  }
  return Array.from(merged, ([path, granted]) => ({
    path,
    matches: pathPattern(path),
    capabilities: granted.has("deny") ? new Set<Capability>(["deny"]) : granted,
  }));
}

// `*` counts only at the end, `+` only as a whole segment.
function pathPattern(path: string): RegExp {
  const prefix = path.endsWith("*");
  const segments = (prefix ? path.slice(0, -1) : path)
    .split("/")
    .map((segment) => (segment === "+" ? "[^/]+" : escaped(segment)));
  return new RegExp(`^${segments.join("/")}${prefix ? "" : "$"}`);
}

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

// Vault's documented order of priority: the later first wildcard, no final `*`, fewer `+`, the longer, the greater path.
function bySpecificity(a: Grant, b: Grant): number {
  return (
    firstWildcard(b.path) - firstWildcard(a.path) ||
    Number(a.path.endsWith("*")) - Number(b.path.endsWith("*")) ||
    plusCount(a.path) - plusCount(b.path) ||
    b.path.length - a.path.length ||
    compareBytes(b.path, a.path)
  );
}

function firstWildcard(path: string): number {
  const found = path.search(/\*$|(?<=^|\/)\+(?=\/|\*?$)/);
  return found < 0 ? path.length : found;
}

function plusCount(path: string): number {
  return path.split("/").filter((segment) => segment === "+").length;
}
