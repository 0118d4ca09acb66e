import { isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord, UNKNOWN } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { type Entities, entitiesAt } from "../../stack/entities";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { visibleLine } from "../../text/visible-text";
import { policyNames } from "./gain-words";
import { shownName } from "./not-shown";
import { abilitiesOf, listOf, nearTo, titleOf, trustedIssuer, whoSentence } from "./sentences";
import { recordsAt } from "./test-places";
import { listed } from "./trust-change";
import { isAskedForGroups } from "./trust-world";
import { mayAlsoGive, unclearGroups, unreadEntities } from "./unclear-groups";
import { authMountName } from "./vault-names";

interface ExplainedPolicy {
  readonly name: string;
  /** A line for each path. */
  readonly allows: readonly string[];
}

export interface ExplainedRole {
  readonly role: string;
  readonly who: string;
  readonly policies: readonly ExplainedPolicy[];
  /** What its logins get by the groups that their tokens name. */
  readonly groups: readonly { readonly who: string; readonly policies: readonly ExplainedPolicy[] }[];
  /** What some of its users get by their entities, on servers. */
  readonly users: readonly { readonly who: string; readonly policies: readonly ExplainedPolicy[] }[];
  /** What may give its logins more, in sentences. */
  readonly unclear: readonly string[];
}

/** Who gets in by a role, and what that gives, by its groups and its users' entities too. The names in the records are the server's. */
export function explainedRole(role: Values, all: readonly EvaluatedRecord[], live?: Entities): ExplainedRole {
  // Servers share nothing. The connections of a stack may be one server with several credentials.
  const connection = live && String(role["connection"] ?? "");
  const records = recordsAt(all, { connection });
  const { known, unread } = entitiesAt(live ?? { known: [], unread: [] }, connection);
  const ofKind = (token: string) => records.filter(({ definition }) => definition.token === token);
  const policiesOf = (names: unknown): readonly ExplainedPolicy[] =>
    listOf(names).map((policy) => ({
      name: shownName(policy),
      allows:
        policy === UNKNOWN
          ? []
          : allowedBy(
              policy,
              nearTo(
                role,
                ofKind(definitions.sysPolicy.token).filter(({ values }) => values["name"] === policy),
              ),
            ),
    }));
  const { mount, groupsClaim } = role;
  const claim = shownName(groupsClaim);
  const external = isEmpty(groupsClaim) ? [] : ofKind(definitions.identityGroup.token);
  const method = ofKind(definitions.jwtConfig.token).find(({ values }) => values["mount"] === mount);
  const isAsked = method !== undefined && isAskedForGroups(method.values);
  const groups = external.flatMap(({ values: { name, alias, policies } }) =>
    isRecord(alias) && (alias["mount"] === mount || hasUnknown(alias["mount"]))
      ? [
          {
            who: `${isAsked ? "Who is at the provider in" : `Whose claim ${claim} has`} ${shownName(alias["name"])}, by the group ${shownName(name)}`,
            policies: policiesOf(policies),
          },
        ]
      : [],
  );
  const own = [...listOf(role["tokenPolicies"]), ...(role["tokenNoDefaultPolicy"] === true ? [] : ["default"])];
  const givesMore = (names: readonly unknown[]) => names.some((policy) => policy === UNKNOWN || !own.includes(policy));
  const users = known.flatMap((entity) => {
    const more = policyNames(entity.policies).filter((policy) => givesMore([policy]));
    const names = entity.aliases.filter((alias) => authMountName(alias.mount) === mount).map((alias) => alias.name);
    return entity.isDisabled || more.length === 0 ? [] : names.map((user) => ({ user: visibleLine(user), more }));
  });
  const alike = Map.groupBy(users, ({ more }) => JSON.stringify(more));
  return {
    role: titleOf(role),
    who: whoSentence(role, trustedIssuer(role, records)),
    policies: policiesOf(role["tokenPolicies"]),
    groups,
    users: [...alike.values()].map((those) => ({
      who: `Whose user is ${listed(those.map(({ user }) => user).sort(), "or")}, by the entity on the server`,
      policies: policiesOf(those[0]?.more),
    })),
    unclear: [
      ...external
        .filter(({ values: { alias } }) => alias === UNKNOWN)
        .map(({ values: { name } }) => `The group ${shownName(name)} may give more: its alias is not known.`),
      ...(isEmpty(groupsClaim)
        ? []
        : [`Groups of auth/${shownName(mount)} that this stack does not have may give more.`]),
      ...unclearGroups(records)
        .filter(({ policies }) => policies === undefined || givesMore(policies))
        .map(mayAlsoGive),
      ...unreadEntities(unread).map(mayAlsoGive),
    ],
  };
}

function allowedBy(policy: unknown, records: readonly EvaluatedRecord[]): readonly string[] {
  const [text, ...others] = new Set(records.map(({ values }) => String(values["policy"])));
  if (text === undefined) return ["not in this stack"];
  return others.length === 0
    ? abilitiesOf(text)
    : [
        `it cannot be told which: the stack has more than one policy ${shownName(policy)}, by other connections or namespaces`,
      ];
}

/** The same for a terminal. */
export function explainedRoleText({ role, who, policies, groups, users, unclear }: ExplainedRole): string {
  const linesOf = (each: readonly ExplainedPolicy[], indent: string) =>
    each.flatMap(({ name, allows }) => [`${indent}policy ${name}`, ...allows.map((line) => `${indent}  ${line}`)]);
  return [
    `${role}: ${who}`,
    ...linesOf(policies, "  "),
    ...[...groups, ...users].flatMap((group) => [`  ${group.who}`, ...linesOf(group.policies, "    ")]),
    ...unclear.map((line) => `  ${line}`),
  ].join("\n");
}
