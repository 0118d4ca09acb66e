import { isEmpty } from "../../../provider/core/canonical";
import { hasUnknown } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { shownName } from "./not-shown";
import { listOf } from "./sentences";
import { lowerName } from "./vault-names";

/** A group with members that are no logins of the stack: any login may be one of them. */
export interface UnclearGroup {
  readonly name: string;
  /** Undefined where they are hidden. */
  readonly policies: readonly string[] | undefined;
}

/** The groups whose members only the server knows: those that the program fills with entities or groups. */
export function unclearGroups(records: readonly EvaluatedRecord[]): readonly UnclearGroup[] {
  return records.flatMap(({ definition, values }) => {
    const { name, type, memberEntityIds, memberGroupIds, policies } = values;
    if (definition.token !== definitions.identityGroup.token || type === "external") return [];
    if (isEmpty(memberEntityIds) && isEmpty(memberGroupIds)) return [];
    return [{ name: shownName(name), policies: hasUnknown(policies) ? undefined : listOf(policies).map(String) }];
  });
}

/** Those that a test does not say the user to be outside of. */
export function groupsBeside(groups: readonly UnclearGroup[], notIn: readonly string[]): readonly UnclearGroup[] {
  const outside = notIn.map(lowerName);
  return groups.filter(({ name }) => !outside.includes(lowerName(name)));
}

/** The name of a group that a test is to be outside of, and that the stack does not have. */
export function missingGroup(groups: readonly UnclearGroup[], notIn: readonly string[]): string | undefined {
  const missing = notIn.find((name) => !groups.some((group) => lowerName(group.name) === lowerName(name)));
  return missing === undefined ? undefined : `the stack has no internal group ${missing} with members`;
}

export const unclearText = (what: string, { name }: UnclearGroup) =>
  `it cannot be told whether ${what}: who is in the group ${name} only the server knows; a test of somebody else says notIn: [${name}]`;
