import type { Values } from "../../../provider/core/definition";
import { isRecord } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { allowedChanges } from "./allowed-changes";
import {
  askersOf,
  cloudRoleChanges,
  type NamedRules,
  namedRules,
  reachedPathsOf,
  staticRoleChanges,
} from "./cloud-changes";
import { exportChanges, intentionChanges } from "./cluster-changes";
import { denialChanges, denialsIn } from "./denial-changes";
import { policiesOf, policyNames } from "./gain-words";
import { groupChanges } from "./group-changes";
import { leftRecord } from "./left-records";
import { foreignMethod, goneMethod, methodChanges } from "./method-changes";
import { LIFETIMES_OF, type MountAround, mountLifetimes } from "./mount-lifetimes";
import { type RecordPair, recordPairs } from "./record-pairs";
import type { TrustChange } from "./report";
import { foreignRole, leftRole, type RolePair, roleChanges } from "./role-changes";
import { rootChanges } from "./root-changes";
import { isTemplated } from "./templated-rules";
import { code, inOrderOfWeight, listed, type Said } from "./trust-change";
import { groupName, keyOf, placeOf, roleName, type TrustRecord } from "./trust-record";
import { asServerNames } from "./vault-names";

const { jwtRole, jwtConfig, identityGroup, sysPolicy, cloudRole, cloudStaticRole } = definitions;
const { cloudRootConfig, clusterExportedServices, clusterIntention, sysSecretsMount } = definitions;

/** The classes of records that decide who gets what. */
export const DECIDING = [
  ...[jwtRole, jwtConfig, identityGroup, sysPolicy, cloudRole, cloudStaticRole],
  ...[cloudRootConfig, clusterExportedServices, clusterIntention],
  ...LIFETIMES_OF.map(({ definition }) => definition),
] as const;

/** The records that decide about trust, before and after a change. */
export interface TrustSides {
  readonly before: readonly TrustRecord[];
  readonly after: readonly TrustRecord[];
  /** Those that stay as they are. */
  readonly beside: readonly TrustRecord[];
  /** Those that stay as they are, and that nobody manages any more. */
  readonly left?: readonly TrustRecord[];
  /** Roles and configurations of auth methods that the stack does not manage. */
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
  const told = (
    definition: { readonly token: string },
    names: readonly string[],
    say: (pair: RecordPair) => readonly TrustChange[],
  ) =>
    recordPairs(definition, names, { before, after }).flatMap((pair) =>
      say(pair).map((each) => unlessRefused(each, pair)),
    );
  const found: readonly TrustChange[] = [
    ...told(jwtRole, ["mount", "name"], (pair) => roleSentences(pair, world)),
    ...told(identityGroup, ["name"], (pair) => groupSentences(pair, world)),
    ...told(jwtConfig, ["mount"], (pair) => methodSentences(pair, world)),
    ...told(sysPolicy, ["name"], (pair) => policySentences(pair, world)),
    ...told(cloudRole, ["mount", "name"], (pair) => cloudSentences(pair, world)),
    ...told(cloudStaticRole, ["mount", "name", "username"], (pair) => without(staticRoleChanges(pair))),
    ...told(clusterExportedServices, ["partition"], ({ was, is }) => without(exportChanges(was, is))),
    ...told(clusterIntention, ["partition", "namespace", "destination"], ({ was, is }) =>
      without(intentionChanges(was, is)),
    ),
    ...told(cloudRootConfig, ["mount"], (pair) => without(rootChanges(pair, world.mountOf(pair)))),
    ...LIFETIMES_OF.flatMap((each) =>
      told(each.definition, [each.key], (pair) => without(mountLifetimes(pair, each, world.mountOf(pair)))),
    ),
    ...leftSentences(left, [...after, ...beside], world),
  ];
  const foreign = others.flatMap(({ definition, values }): TrustChange[] => {
    if (definition.token === jwtRole.token) {
      const by = [`somebody else's ${roleName(values)}`];
      return [{ ...foreignRole(world.rolePair(undefined, values), values), by }];
    }
    const theirs = others.filter((one) => one.definition.token === jwtRole.token && isAtMethod(one, values));
    const roles = [...world.rolesAt(values).news, ...theirs.map((one) => one.values)];
    const by = [`somebody else's configuration ${code(`auth/${String(values["mount"])}/config`)}`];
    return [{ ...foreignMethod(values, roles, [...new Set(roles.flatMap(policiesOf))].sort()), by }];
  });
  return [foreign, found].flatMap(inOrderOfWeight);
}

/** It is said all the same: another run may be allowed to write over what is there. */
function unlessRefused(change: TrustChange, { outcome }: RecordPair): TrustChange {
  if (outcome !== "refused" || change.effect === "loses") return change;
  return { ...change, sentence: `${change.sentence.replace(/\.$/, "")}, but the update will be refused: see above.` };
}

const isAtMethod = ({ values }: TrustRecord, method: Values) => keyOf(values, ["mount"]) === keyOf(method, ["mount"]);

const without = (said: readonly Said[]): readonly TrustChange[] => said.map((each) => ({ ...each, by: [] }));

/** What is around a change. */
interface World {
  readonly denials: ReturnType<typeof denialsIn>;
  readonly policies: readonly NamedRules[];
  readonly cloudRoles: readonly Values[];
  /** Who gives a policy. */
  holders(policy: string): readonly string[];
  rolePair(before: Values | undefined, after: Values | undefined, differing?: readonly string[]): RolePair;
  /** The roles of the auth method of a configuration: as they will be, and as they were. */
  rolesAt(method: Values): { readonly news: readonly Values[]; readonly olds: readonly Values[] };
  /** The secrets engine in which a record is. */
  mountOf(pair: RecordPair): MountAround;
}

function worldOf(all: readonly TrustRecord[], old: readonly TrustRecord[]): World {
  const of = ({ token }: { readonly token: string }, records = all) =>
    records.filter(({ definition }) => definition.token === token).map(({ values }) => values);
  const methodOf = (values: Values) => keyOf(values, ["mount"]);
  const grouped = (values: readonly Values[]) => Map.groupBy(values, methodOf);
  const groups = of(identityGroup);
  const policies = of(sysPolicy).map((values): NamedRules => namedRules(values));
  const filled = new Set(
    policies.filter(({ rules }) => rules.some(isTemplated)).map(({ name, place }) => `${place} ${name}`),
  );
  const [roles, rolesThen] = [grouped(of(jwtRole)), grouped(of(jwtRole, old))];
  const methods = grouped([...of(jwtConfig), ...of(jwtConfig, old)]);
  const groupsAt = Map.groupBy(
    groups.filter(({ alias }) => isRecord(alias)),
    (group) => methodOf({ ...group, mount: (group["alias"] as Values)["mount"] }),
  );
  const holding = Map.groupBy(
    [
      ...of(jwtRole).flatMap((role) => policiesOf(role).map((name) => ({ name, holder: roleName(role) }))),
      ...groups.flatMap((group) => policyNames(group["policies"]).map((name) => ({ name, holder: groupName(group) }))),
    ],
    ({ name }) => name,
  );
  const mounts = [old, all].map((records) =>
    Map.groupBy(
      records.filter(({ definition }) => definition.token === sysSecretsMount.token),
      ({ values }) => methodOf({ ...values, mount: values["path"] }),
    ),
  );
  return {
    mountOf({ was, is }) {
      const [then, now] = mounts.map((each) => each.get(methodOf(is ?? was ?? {}))?.[0]);
      return {
        was: then?.values,
        isNew: then === undefined && now !== undefined && now.outcome === undefined,
        isGone: then !== undefined && now === undefined,
      };
    },
    denials: denialsIn([...all, ...old].filter(({ definition }) => definition.token === sysPolicy.token)),
    policies,
    cloudRoles: [...of(cloudRole), ...of(cloudStaticRole)],
    holders: (policy) => (holding.get(policy) ?? []).map(({ holder }) => holder),
    rolePair(before, after, differing = []) {
      const role = after ?? before ?? {};
      const its = groupsAt.get(methodOf(role)) ?? [];
      const templated = policiesOf(role).filter((name) => filled.has(`${placeOf(role)} ${name}`));
      return { before, after, differing, method: methods.get(methodOf(role))?.[0], groups: its, templated };
    },
    rolesAt: (method) => ({
      news: roles.get(methodOf(method)) ?? [],
      olds: rolesThen.get(methodOf(method)) ?? [],
    }),
  };
}

function roleSentences({ was, is, differing, outcome }: RecordPair, world: World): readonly TrustChange[] {
  const by = [roleName(is ?? was ?? {})];
  return [
    ...roleChanges({ ...world.rolePair(was, is, differing), outcome }),
    ...denialChanges({ before: was, after: is, property: "tokenPolicies" }, world.denials),
  ].map((said) => ({ ...said, by }));
}

function groupSentences(pair: RecordPair, { denials }: World): readonly TrustChange[] {
  const { was, is } = pair;
  const by = [groupName(is ?? was ?? {})];
  return [...groupChanges(pair), ...denialChanges({ before: was, after: is, property: "policies" }, denials)].map(
    (said) => ({ ...said, by }),
  );
}

function methodSentences({ was, is, differing, isLeft }: RecordPair, world: World): readonly TrustChange[] {
  if (is === undefined) {
    if (was === undefined) return [];
    const { news } = world.rolesAt(was);
    return without(isLeft ? leftRecord({ definition: jwtConfig, values: was }, news) : goneMethod(was, news));
  }
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
  const [olds, news] = [was === undefined ? [] : [namedRules(was)], [namedRules(is)]];
  const reached = cloudRoles.filter((role) => askersOf(role, news).length > 0 && askersOf(role, olds).length === 0);
  if (reached.length === 0) return [];
  const paths = reached.map((role) => code(reachedPathsOf(role, namedRules(is))[0]));
  const sentence = `Whoever has the policy ${code(is["name"])} now gets cloud credentials from ${listed(paths, "and")}; before, not.`;
  return [{ effect: "gains", sentence }];
}

function cloudSentences(pair: RecordPair, { policies, holders }: World): readonly TrustChange[] {
  const askers = askersOf(pair.is ?? pair.was ?? {}, policies);
  const by = [...askers.map((name) => `policy ${code(name)}`), ...askers.flatMap(holders)];
  return cloudRoleChanges(pair).map((said) => ({ ...said, by }));
}

/** Who still gets in by a record that nobody manages any more. */
function leftSentences(
  left: readonly TrustRecord[],
  stay: readonly TrustRecord[],
  world: World,
): readonly TrustChange[] {
  const keyAt = ({ definition, values }: TrustRecord) =>
    `${definition.token} ${keyOf(values, ["mount", "name", "partition", "namespace", "destination"])}`;
  const managed = new Set(stay.map(keyAt));
  return left
    .filter((record) => !managed.has(keyAt(record)))
    .flatMap((record): readonly TrustChange[] => {
      const { definition, values } = record;
      if (definition.token === jwtRole.token)
        return [{ ...leftRole(world.rolePair(values, values), values), by: [roleName(values)] }];
      const by = definition.token === identityGroup.token ? [groupName(values)] : [];
      return leftRecord(record, world.rolesAt(values).news).map((said) => ({ ...said, by }));
    });
}
