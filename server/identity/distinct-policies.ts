import { compareBytes } from "../framework/go-format";
import { Refusal } from "../framework/refusal";

/** Policies of an entity or a group. Their letter case stays; on tokens they are in lower case. @throws Refusal */
export function distinctPolicies(policies: readonly string[]): readonly string[] {
  if (policies.some((name) => name.toLowerCase() === "root")) throw new Refusal("policies cannot contain root");
  return [...new Set(policies.filter((name) => name !== ""))].sort(compareBytes);
}
