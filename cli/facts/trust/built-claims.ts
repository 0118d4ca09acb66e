import { isRecord } from "../../../provider/core/unknowns";
import { listOf } from "./sentences";
import type { TrustRole } from "./trust-world";

/** Claims by name or JSON pointer. */
export type FlatClaims = Readonly<Record<string, unknown>>;

export interface SearchedRole extends Pick<TrustRole, "values" | "audience" | "issuer"> {
  /** Claims that a token may have the policy with. */
  readonly unless: Readonly<Record<string, string>>;
  /** Names of groups that give the policy. */
  readonly groups: readonly string[];
  /** Users who have the policy by an entity. */
  readonly users: readonly string[];
}

/** Values near what the role demands of each claim that it looks at. The first ones of all together should get in. */
export function nearValues(role: SearchedRole): ReadonlyMap<string, readonly unknown[]> {
  const { userClaim, groupsClaim, boundClaims, claimMappings } = role.values;
  const own = [userClaim, groupsClaim].filter((name) => typeof name === "string" && name !== "").map(String);
  const bound = isRecord(boundClaims) ? Object.keys(boundClaims) : [];
  const mapped = isRecord(claimMappings) ? Object.keys(claimMappings) : [];
  const names = new Set(["sub", ...own, ...bound, ...mapped, ...Object.keys(role.unless)]);
  return new Map([...names].map((name) => [name, valuesFor(role, name)]));
}

function valuesFor(
  { values, audience, issuer, unless, groups, users }: SearchedRole,
  claim: string,
): readonly unknown[] {
  const { boundSubject, boundClaims, userClaim, groupsClaim } = values;
  const bound = isRecord(boundClaims) ? [boundClaims[claim] ?? []].flat() : [];
  const demanded = [
    ...listOf({ sub: boundSubject, aud: audience, iss: issuer }[claim]),
    ...bound.flatMap((each) => (typeof each === "string" ? spellings(each) : [each])),
  ];
  if (claim === groupsClaim) return [...demanded, groups, ...groups.map((group) => [group]), []];
  return [
    ...demanded,
    ...(demanded.length === 0 ? ["x"] : []),
    ...(claim === userClaim ? users : []),
    ...(claim in unless ? spellings(unless[claim] ?? "") : []),
  ];
}

/** A text that a glob may accept, in the ways in which globs go wrong. */
const spellings = (text: string) => [text.replaceAll("*", "x"), text, text.replaceAll("*", ""), `${text}x`];

/** One token that has the first value of each claim, and those that differ from it in one claim. */
export function builtClaims(near: ReadonlyMap<string, readonly unknown[]>): readonly FlatClaims[] {
  const base = Object.fromEntries([...near].map(([name, [first]]) => [name, first]));
  const others = [...near].flatMap(([name, [, ...values]]) => values.map((value) => ({ ...base, [name]: value })));
  const shorter = [...near.keys()].map((name) => without(base, name));
  return [base, ...others, ...shorter];
}

/** The claims without this one. */
export function without(claims: FlatClaims, claim: string): FlatClaims {
  const { [claim]: _, ...others } = claims;
  return others;
}

/** An address from which the role takes logins. */
export function addressFor({ values }: Pick<TrustRole, "values">): string {
  const [first] = listOf(values["tokenBoundCidrs"]);
  if (first === undefined) return "127.0.0.1";
  const [block = ""] = String(first).trim().split("/");
  const [, v6] = /^\[(.*)\]/.exec(block) ?? [];
  return v6 ?? block.replace(/^([\d.]+):\d+$/, "$1");
}
