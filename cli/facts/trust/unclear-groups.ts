import { isEmpty } from "../../../provider/core/canonical";
import { hasUnknown } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import type { Entities } from "../../stack/entities";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { shownName } from "./not-shown";
import { listOf } from "./sentences";
import { listed } from "./trust-change";
import { lowerName } from "./vault-names";

/** A group with members that are no logins of the stack: any login may be one of them. */
export interface UnclearGroup {
  readonly name: string;
  /** Undefined where they are hidden. */
  readonly policies: readonly string[] | undefined;
}

/** Entities of a server whose policies are not known: any login may have some. */
export interface UntoldEntities {
  readonly reason: string;
  readonly policies?: undefined;
}

/** What may give a login more policies than the stack says. */
export type Unclear = UnclearGroup | UntoldEntities;

/** The groups whose members only the server knows: those that the program fills with entities or groups. */
export function unclearGroups(records: readonly EvaluatedRecord[]): readonly UnclearGroup[] {
  return records.flatMap(({ definition, values }) => {
    const { name, type, memberEntityIds, memberGroupIds, policies } = values;
    if (definition.token !== definitions.identityGroup.token || type === "external") return [];
    if (isEmpty(memberEntityIds) && isEmpty(memberGroupIds)) return [];
    return [{ name: shownName(name), policies: hasUnknown(policies) ? undefined : listOf(policies).map(String) }];
  });
}

/** The entities of servers that were not read. */
export const unreadEntities = (unread: Entities["unread"]): readonly UntoldEntities[] =>
  unread.map(({ reason }) => ({ reason: `the policies of the servers' entities were not read: ${reason}` }));

/** Those that a test does not say the user to be outside of. */
export function unclearBeside(unclear: readonly Unclear[], notIn: readonly string[]): readonly Unclear[] {
  const outside = notIn.map(lowerName);
  return unclear.filter((each) => !("name" in each && outside.includes(lowerName(each.name))));
}

/** The name of a group that a test is to be outside of, and that the stack does not have. */
export function missingGroup(unclear: readonly Unclear[], notIn: readonly string[]): string | undefined {
  const names = unclear.flatMap((each) => ("name" in each ? [lowerName(each.name)] : []));
  const missing = notIn.find((name) => !names.includes(lowerName(name)));
  return missing === undefined ? undefined : `the stack has no internal group ${missing} with members`;
}

/** The same of a login of which nobody has a test. */
export function mayAlsoGive(unclear: Unclear): string {
  if (!("name" in unclear)) return `It may get other policies, too: ${unclear.reason}.`;
  const { name, policies } = unclear;
  const what = policies === undefined ? "its policies, which are not known" : listed(policies, "and");
  return `Who is in the group ${name} only the server knows: its members also get ${what}.`;
}

export function unclearText(what: string, unclear: Unclear): string {
  const why =
    "name" in unclear
      ? `who is in the group ${unclear.name} only the server knows; a test of somebody else says notIn: [${unclear.name}]`
      : unclear.reason;
  return `it cannot be told whether ${what}: ${why}`;
}
