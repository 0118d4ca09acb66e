import { compareBytes, goTypeName, goValueText } from "../framework/go-format";
import { Refusal } from "../framework/refusal";
import { isNumberText, isWireList, type WireObject, type WireValue } from "../framework/wire-value";
import { claimAt, listOf } from "./claims";
import type { RoleRecord } from "./role-record";

/** Every bound claim must be there with one of its values. @throws Refusal */
export function checkBoundClaims(
  claims: WireObject,
  role: Pick<RoleRecord, "bound_claims" | "bound_claims_type">,
): void {
  // Vault looks at them in Go's random order; one order is as good as another, and repeatable.
  const bounds = Object.entries(role.bound_claims ?? {}).sort(([a], [b]) => compareBytes(a, b));
  for (const [name, bound] of bounds) {
    const problem = claimProblem(claims, { name, bound, isGlob: role.bound_claims_type === "glob" });
    if (problem !== undefined) throw new Refusal(`error validating claims: ${problem}`);
  }
}

interface BoundClaim {
  readonly name: string;
  readonly bound: WireValue;
  readonly isGlob: boolean;
}

function claimProblem(claims: WireObject, { name, bound, isGlob }: BoundClaim): string | undefined {
  const claim = claimAt(claims, name);
  if (claim === undefined) return `claim "${name}" is missing`;
  const expected = listOf(bound);
  const received = listOf(claim);
  if (received === undefined) return `received claim is not a string, bool, int or list: ${goValueText(claim)}`;
  if (expected === undefined) return `bound claim is not a string, bool, int or list: ${goValueText(bound)}`;
  const notGlob = isGlob && received.length > 0 ? expected.find((value) => typeof value !== "string") : undefined;
  const before = notGlob === undefined ? expected : expected.slice(0, expected.indexOf(notGlob));
  const matches = isGlob ? matchesGlob : isEqual;
  // Numbers inside of a list are not converted: they equal nothing.
  const comparable = isWireList(claim) ? received.filter((value) => !isNumberText(value)) : received;
  if (before.some((value) => comparable.some((each) => matches(value, each)))) return undefined;
  if (notGlob !== undefined) return `received claim is not a glob string: ${wrongVerb(notGlob)}`;
  return `claim "${name}" does not match any associated bound claim values`;
}

function isEqual(expected: WireValue, received: WireValue): boolean {
  if (isNumberText(expected)) return isNumberText(received) && expected.rawJSON === received.rawJSON;
  return (typeof expected === "string" || typeof expected === "boolean") && expected === received;
}

function matchesGlob(pattern: WireValue, received: WireValue): boolean {
  if (typeof pattern !== "string" || typeof received !== "string") return false;
  const literals = pattern.split("*").map((literal) => literal.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literals.join(".*")}$`, "s").test(received);
}

// Vault prints the value with a verb that does not fit it.
function wrongVerb(value: WireValue): string {
  return `%!e(${goTypeName(value)}=${goValueText(value)})xpVal`;
}
