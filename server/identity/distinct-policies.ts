import { compareBytes } from "../framework/go-format";
import { Refusal } from "../framework/refusal";
import type { IdentityProfile } from "../profiles/secrets-profile";

/** Policy names as an entity or a group keeps them: trimmed, sorted, the first spelling of each. */
export function distinctPolicies(
  names: readonly string[],
  { lowersPolicies, findsRootInAnyCase }: IdentityProfile,
): readonly string[] {
  const given = names.map((name) => (lowersPolicies ? name.trim().toLowerCase() : name.trim())).filter(Boolean);
  const isRoot = (name: string) => (findsRootInAnyCase ? name.toLowerCase() : name) === "root";
  if (given.some(isRoot)) throw new Refusal("policies cannot contain root");
  return [...new Map(given.toReversed().map((name) => [name.toLowerCase(), name])).values()].sort(compareBytes);
}
