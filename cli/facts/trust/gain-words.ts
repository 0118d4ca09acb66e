import { isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { listOf } from "./sentences";
import { code, policiesText } from "./trust-change";
import { lowerName } from "./vault-names";
import type { Who } from "./who-words";

/** What a login gets, as the object of a sentence; `""` for a login and nothing else. */
export type Gain = string;

/** Names of policies in order, as the server knows them. */
export function policyNames(names: unknown): readonly string[] {
  return [...new Set(listOf(names).map((name) => lowerName(String(name))))].sort();
}

export const policiesOf = (role: Values | undefined) => policyNames(role?.["tokenPolicies"]);

/** Policies, and what groups give. */
export function gainOf(policies: readonly string[], byGroups: string): Gain {
  const named = policies.length === 0 ? "" : policyWords(policies);
  return [named, byGroups].filter((part) => part !== "").join(", and ");
}

export function policyWords(names: readonly unknown[]): string {
  return `the ${names.length === 1 ? "policy" : "policies"} ${policiesText(names)}`;
}

/** What a role gives by the groups that a claim names; `""` where no claim does. */
export function groupsGain({ groupsClaim }: Values, policies: readonly string[]): string {
  if (isEmpty(groupsClaim)) return "";
  const known = policies.length === 0 ? "" : ` (${policyWords(policies)})`;
  return `what the groups named in the claim ${code(groupsClaim)} of the token give${known}`;
}

/** The verb that fits, and what they get. */
export function receive({ isOne }: Pick<Who, "isOne">, gain: Gain): string {
  return gain === "" ? `log${isOne ? "s" : ""} in` : `get${isOne ? "s" : ""} ${gain}`;
}

/** The same where they do not any more. */
export function lose(who: Pick<Who, "isOne">, gain: Gain): string {
  return `no longer ${receive(who, gain)}`;
}
