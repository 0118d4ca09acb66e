import type { Values } from "../../../provider/core/definition";
import { isRecord } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { allowedChanges } from "./allowed-changes";
import { askersOf, cloudRoleChanges, staticRoleChanges } from "./cloud-changes";
import { exportChanges, intentionChanges } from "./cluster-changes";
import { denialChanges, denialsIn } from "./denial-changes";
import { policiesOf } from "./gain-words";
import { groupChanges, leftGroup } from "./group-changes";
import { methodChanges } from "./method-changes";
import { type RecordPair, recordPairs } from "./record-pairs";
import type { TrustChange } from "./report";
import { foreignRole, leftRole, type RolePair, roleChanges } from "./role-changes";
import { listOf } from "./sentences";
import { isTemplated, rulesOf } from "./templated-rules";
import { code, inOrderOfWeight, listed } from "./trust-change";
import { groupName, keyOf, placeOf, roleName, type TrustRecord } from "./trust-record";
import { asServerNames } from "./vault-names";

const { jwtRole, jwtConfig, identityGroup, sysPolicy, cloudRole, cloudStaticRole } = definitions;
const { clusterExportedServices, clusterIntention } = definitions;

/** The classes of records that decide who gets what. */
export const DECIDING = [
  ...[jwtRole, jwtConfig, identityGroup, sysPolicy, cloudRole, cloudStaticRole],
  ...[clusterExportedServices, clusterIntention],
] as const;

/** The records that decide about trust, before and after a change. */
export interface TrustSides {
  readonly before: readonly TrustRecord[];
  readonly after: readonly TrustRecord[];
  /** Those that stay as they are. */
  readonly beside: readonly TrustRecord[];
  /** Those that stay as they are, and that nobody manages any more. */
  readonly left?: readonly TrustRecord[];
  /** Roles that the stack does not manage. */
  readonly others?: readonly TrustRecord[];
}

/** Who gains or loses which policy by a change, the worst first. */
export function trustChanges(sides: TrustSides): readonly TrustChange[] {
  const named = (records: readonly TrustRecord[] = []) =>
    records.map((record): TrustRecord => ({ ...record, ...asServerNames(record) }));
  const [before, after, beside, left, others] = [
    ...[named(sides.before), named(sides.after), named(sides.beside)],
    ...[named(sides.left), named(sides.others)],
  ] as const;
  const world = worldOf([...beside, ...left, ...after], [...beside, ...left, ...before]);
  const pairs = (definition: { readonly token: string }, ...names: readonly string[]) =>
    recordPairs(definition, names, { before, after });
  const found: readonly TrustChange[] = [
    ...pairs(jwtRole, "mount", "name").flatMap((pair) => roleSentences(pair, world)),
    ...pairs(identityGroup, "name").flatMap((pair) => groupSentences(pair, world)),
    ...pairs(jwtConfig, "mount").flatMap((pair) => methodSentences(pair, world)),
    ...pairs(sysPolicy, "name").flatMap((pair) => policySentences(pair, world)),
    ...pairs(cloudRole, "mount", "name").flatMap((pair) => cloudSentences(pair, world)),
    ...pairs(cloudStaticRole, "mount", "name", "username").flatMap(({ was, is }) =>
      without(staticRoleChanges(was, is)),
    ),
    ...pairs(clusterExportedServices, "partition").flatMap(({ was, is }) => without(exportChanges(was, is))),
    ...pairs(clusterIntention, "partition", "namespace", "destination").flatMap(({ was, is }) =>
      without(intentionChanges(was, is)),
    ),
    ...leftSentences(left, [...after, ...beside], world),
  ];
  const foreign = others
    .filter(({ definition }) => definition.token === jwtRole.token)
    .map(({ values }): TrustChange => {
      const by = [`somebody else's ${roleName(values)}`];
      return { ...foreignRole(world.rolePair(undefined, values), values), by };
    });
  return [foreign, found].flatMap(inOrderOfWeight);
}

type Said = Omit<TrustChange, "by">;

const without = (said: readonly Said[]): readonly TrustChange[] => said.map((each) => ({ ...each, by: [] }));

/** What is around a change. */
interface World {
  readonly denials: ReturnType<typeof denialsIn>;
  readonly policies: readonly Values[];
  readonly cloudRoles: readonly Values[];
  /** Who gives a policy. */
  holders(policy: string): readonly string[];
  rolePair(before: Values | undefined, after: Values | undefined, differing?: readonly string[]): RolePair;
  /** The roles of the auth method of a configuration: as they will be, and as they were. */
  rolesAt(method: Values): { readonly news: readonly Values[]; readonly olds: readonly Values[] };
}

function worldOf(all: readonly TrustRecord[], olds: readonly TrustRecord[]): World {
  const of = ({ token }: { readonly token: string }, records = all) =>
    records.filter(({ definition }) => definition.token === token).map(({ values }) => values);
  const [groups, methods, policies] = [of(identityGroup), of(jwtConfig), of(sysPolicy)];
  const isAt = (values: Values) => (other: Values) =>
    other["mount"] === values["mount"] && placeOf(other) === placeOf(values);
  const filled = new Set(
    policies
      .filter(({ policy }) => rulesOf(String(policy ?? "")).some(isTemplated))
      .map((policy) => `${placeOf(policy)} ${String(policy["name"])}`),
  );
  const byMount = Map.groupBy(
    groups.flatMap((group) => (isRecord(group["alias"]) ? [{ group, mount: group["alias"]["mount"] }] : [])),
    ({ group, mount }) => `${placeOf(group)} ${String(mount)}`,
  );
  const holding = Map.groupBy(
    [
      ...of(jwtRole).flatMap((role) => policiesOf(role).map((name) => ({ name, holder: roleName(role) }))),
      ...groups.flatMap((group) =>
        listOf(group["policies"]).map((name) => ({ name: String(name), holder: groupName(group) })),
      ),
    ],
    ({ name }) => name,
  );
  return {
    denials: denialsIn([...all, ...olds].filter(({ definition }) => definition.token === sysPolicy.token)),
    policies,
    cloudRoles: of(cloudRole),
    holders: (policy) => (holding.get(policy) ?? []).map(({ holder }) => holder),
    rolePair(before, after, differing = []) {
      const role = after ?? before ?? {};
      const its = byMount.get(`${placeOf(role)} ${String(role["mount"])}`) ?? [];
      const policies = [...new Set(its.flatMap(({ group }) => listOf(group["policies"]).map(String)))].sort();
      const templated = policiesOf(role).filter((name) => filled.has(`${placeOf(role)} ${name}`));
      const method = methods.find(isAt(role)) ?? of(jwtConfig, olds).find(isAt(role));
      return { before, after, differing, method, groupPolicies: policies, templated };
    },
    rolesAt: (method) => ({ news: of(jwtRole).filter(isAt(method)), olds: of(jwtRole, olds).filter(isAt(method)) }),
  };
}

function roleSentences({ was, is, differing }: RecordPair, world: World): readonly TrustChange[] {
  const by = [roleName(is ?? was ?? {})];
  return [
    ...roleChanges(world.rolePair(was, is, differing)),
    ...denialChanges({ before: was, after: is, property: "tokenPolicies" }, world.denials),
  ].map((said) => ({ ...said, by }));
}

function groupSentences({ was, is, differing }: RecordPair, { denials }: World): readonly TrustChange[] {
  const by = [groupName(is ?? was ?? {})];
  return [
    ...groupChanges(was, is, differing),
    ...denialChanges({ before: was, after: is, property: "policies" }, denials),
  ].map((said) => ({ ...said, by }));
}

function methodSentences({ was, is, differing }: RecordPair, world: World): readonly TrustChange[] {
  // The API cannot delete the record.
  if (is === undefined) return [];
  const { news, olds } = world.rolesAt(is);
  // What a new method takes is said with its roles, if these are new, too.
  if (was === undefined && !news.some(({ name }) => olds.some((role) => role["name"] === name))) return [];
  const policies = [...new Set(news.flatMap(policiesOf))].sort();
  return without(methodChanges({ before: was, after: is, differing, roles: news, policies }));
}

function policySentences({ was, is, differing }: RecordPair, world: World): readonly TrustChange[] {
  const by = world.holders(String((is ?? was)?.["name"]));
  // A new policy that nobody of the stack has gives nobody anything.
  if (was === undefined && by.length === 0) return [];
  return [...allowedChanges(was, is, differing), ...reachedCloudRoles({ was, is, differing }, world)].map((said) => ({
    ...said,
    by,
  }));
}

/** Cloud roles whose credentials come within reach by a policy. */
function reachedCloudRoles({ was, is }: RecordPair, { cloudRoles }: World): readonly Said[] {
  if (is === undefined) return [];
  const reaches = (policy: Values | undefined, role: Values) =>
    policy !== undefined && placeOf(policy) === placeOf(role) && askersOf(role, [policy]).length > 0;
  const reached = cloudRoles.filter((role) => reaches(is, role) && !reaches(was, role));
  if (reached.length === 0) return [];
  const names = listed(
    reached.map(({ mount, name }) => code(`${String(mount)}/creds/${String(name)}`)),
    "and",
  );
  const sentence = `Whoever has the policy ${code(is["name"])} now gets cloud credentials from ${names}; before, not.`;
  return [{ effect: "gains", sentence }];
}

function cloudSentences({ was, is, differing }: RecordPair, { policies, holders }: World): readonly TrustChange[] {
  const role = is ?? was ?? {};
  const askers = askersOf(
    role,
    policies.filter((policy) => placeOf(policy) === placeOf(role)),
  );
  const by = [...askers.map((name) => `policy ${code(name)}`), ...askers.flatMap(holders)];
  return cloudRoleChanges(was, is, differing).map((said) => ({ ...said, by }));
}

/** Who still gets in by a record that nobody manages any more. */
function leftSentences(
  left: readonly TrustRecord[],
  stay: readonly TrustRecord[],
  world: World,
): readonly TrustChange[] {
  const keyAt = ({ definition, values }: TrustRecord) => `${definition.token} ${keyOf(values, ["mount", "name"])}`;
  const managed = new Set(stay.map(keyAt));
  return left
    .filter((record) => !managed.has(keyAt(record)))
    .flatMap(({ definition, values }): readonly TrustChange[] => {
      if (definition.token === jwtRole.token)
        return [{ ...leftRole(world.rolePair(values, values), values), by: [roleName(values)] }];
      if (definition.token !== identityGroup.token) return [];
      return leftGroup(values).map((said) => ({ ...said, by: [groupName(values)] }));
    });
}
