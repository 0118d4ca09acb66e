import { isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { isRecord } from "../../../provider/core/unknowns";
import { listOf } from "./sentences";
import { code, listed, policiesText } from "./trust-change";
import { lowerName } from "./vault-names";
import type { Who } from "./who-words";

/** What a login gets, as the object of a sentence; `""` for a login and nothing else. */
export type Gain = string;

/** Names of policies in order, as the server knows them. */
export function policyNames(names: unknown): readonly string[] {
  return [...new Set(listOf(names).map((name) => lowerName(String(name))))].sort();
}

export const policiesOf = (role: Values | undefined) => policyNames(role?.["tokenPolicies"]);

/** Policies, and what groups give. A role that gives nothing but the groups lets in all the same, and not all of them are in a group. */
export function gainOf(policies: readonly string[], role: Values, groups: readonly Values[]): Gain {
  if (policies.length > 0) return [policyWords(policies), groupsGain(role, groups)].filter(Boolean).join(", and ");
  if (isEmpty(role["groupsClaim"])) return "";
  return `in (the role gives no policy of its own: ${groupsText(role, groups) || `the groups named in the claim ${code(role["groupsClaim"])} may give some`})`;
}

export function policyWords(names: readonly unknown[]): string {
  return `the ${names.length === 1 ? "policy" : "policies"} ${policiesText(names)}`;
}

/** What a role gives by the groups that a claim names; `""` where no claim does. */
export function groupsGain(role: Values, groups: readonly Values[]): string {
  if (isEmpty(role["groupsClaim"])) return "";
  const known = groupsText(role, groups);
  const gain = `what the groups named in the claim ${code(role["groupsClaim"])} of the token give`;
  return known === "" ? gain : `${gain} (${known})`;
}

/** The groups of the stack that give a policy, each with its condition. */
function groupsText({ groupsClaim }: Values, groups: readonly Values[]): string {
  const known = groups.flatMap(({ alias, policies }) => {
    const names = policyNames(policies);
    const name = isRecord(alias) ? alias["name"] : undefined;
    return names.length === 0
      ? []
      : [`who has ${code(name)} in the claim ${code(groupsClaim)} gets ${policiesText(names)}`];
  });
  return listed(known.toSorted(), "and");
}

/** The verb that fits, and what they get. */
export function receive({ isOne }: Pick<Who, "isOne">, gain: Gain): string {
  return gain === "" ? `log${isOne ? "s" : ""} in` : `get${isOne ? "s" : ""} ${gain}`;
}

/** The same where they do not any more. */
export function lose(who: Pick<Who, "isOne">, gain: Gain): string {
  return `no longer ${receive(who, gain)}`;
}
