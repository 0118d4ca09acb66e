import type { RawApi } from "../support/contract-raw.ts";
import type { Args, Stored } from "./kind.ts";
import { type KindName, kinds } from "./kinds.ts";
import type { Life } from "./life.ts";
import { openedAll } from "./marks.ts";
import { changedPlaces, placesOf } from "./owners.ts";
import type { Declaration } from "./program.ts";
import type { Side } from "./way.ts";
import { POLICY_SETS } from "./world.ts";

/** What others do to the servers, past the provider and its proxy. */

type Hand = (api: Apis, args: Stored, stored: Stored) => Promise<unknown>;
interface Apis {
  readonly secrets: RawApi;
  readonly policy: RawApi;
  readonly cluster: RawApi;
}

const someRole = { role_type: "jwt", user_claim: "email", bound_audiences: ["other"], token_ttl: 77 };
const someCloudRole = { credential_type: "iam_user", policy_arns: ["arn:aws:iam::aws:policy/ReadOnlyAccess"] };
const someGroup = { type: "external", policies: ["other"] };
const someIntention = (Name: unknown) => ({
  ...{ Kind: "service-intentions", Name },
  Sources: [{ Name: "other", Action: "deny" }],
});
const someExports = { Kind: "exported-services", Name: "default", Services: [] };
const vars = (attributes: unknown) => ({ data: { type: "vars", attributes } });

/** Another hand changes the record, or makes it where there is none. */
const edits: Readonly<Partial<Record<KindName, Hand>>> = {
  authMount: ({ secrets }, { path }) => secrets.call(`POST sys/auth/${path}/tune`, { description: "other" }),
  secretsMount: ({ secrets }, { path }) => secrets.call(`POST sys/mounts/${path}/tune`, { description: "other" }),
  jwtConfig: ({ secrets }, { mount }, stored) => {
    const { jwt_validation_pubkeys } = stored;
    return secrets.call(`POST auth/${mount}/config`, { jwt_validation_pubkeys, bound_issuer: "other" });
  },
  jwtRole: ({ secrets }, { mount, name }) => secrets.call(`POST auth/${mount}/role/${name}`, someRole),
  rootConfig: ({ secrets }, { mount }) => secrets.call(`POST ${mount}/config/root`, { region: "us-west-1" }),
  rootRotation: ({ secrets }, { mount }) => secrets.call(`POST ${mount}/config/rotate-root`, {}),
  leaseConfig: ({ secrets }, { mount }) => secrets.call(`POST ${mount}/config/lease`, { lease: "2h", lease_max: "3h" }),
  cloudRole: ({ secrets }, { mount, name }) => secrets.call(`POST ${mount}/roles/${name}`, someCloudRole),
  staticRole: ({ secrets }, { mount, name }) =>
    secrets.call(`POST ${mount}/static-roles/${name}`, { username: name, rotation_period: "5h" }),
  parameter: ({ policy }, { policySetId }, { id }) =>
    policy.call(`PATCH policy-sets/${policySetId}/parameters/${id}`, vars({ value: "other" })),
  group: ({ secrets }, { name }) => secrets.call(`POST identity/group/name/${name}`, someGroup),
  intention: ({ cluster }, { destination }) => cluster.call("PUT config", someIntention(destination)),
  exportedServices: ({ cluster }) => cluster.call("PUT config", someExports),
};

/** Where the API can delete. */
const deletions: Readonly<Partial<Record<KindName, Hand>>> = {
  authMount: ({ secrets }, { path }) => secrets.call(`DELETE sys/auth/${path}`),
  secretsMount: ({ secrets }, { path }) => secrets.call(`DELETE sys/mounts/${path}`),
  jwtRole: ({ secrets }, { mount, name }) => secrets.call(`DELETE auth/${mount}/role/${name}`),
  cloudRole: ({ secrets }, { mount, name }) => secrets.call(`DELETE ${mount}/roles/${name}`),
  staticRole: ({ secrets }, { mount, name }) => secrets.call(`DELETE ${mount}/static-roles/${name}`),
  parameter: ({ policy }, { policySetId }, { id }) => policy.call(`DELETE policy-sets/${policySetId}/parameters/${id}`),
  group: ({ secrets }, { name }) => secrets.call(`DELETE identity/group/name/${name}`),
  intention: ({ cluster }, { destination }) => cluster.call(`DELETE config/service-intentions/${destination}`),
  exportedServices: ({ cluster }) => cluster.call("DELETE config/exported-services/default"),
  peeringToken: ({ cluster }, { peerName }) => cluster.call(`DELETE peering/${peerName}`),
};

/** Makes a record of the name that is nothing of ours. */
const creations: Readonly<Partial<Record<KindName, Hand>>> = {
  authMount: async ({ secrets }, { path, type = "jwt" }) => {
    await secrets.call(`POST sys/auth/${path}`, { type });
    await secrets.call(`POST auth/${path}/role/foreign`, someRole);
  },
  secretsMount: async ({ secrets }, { path }) => {
    await secrets.call(`POST sys/mounts/${path}`, { type: "aws" });
    await secrets.call(`POST ${path}/roles/foreign`, someCloudRole);
  },
  jwtRole: ({ secrets }, { mount, name }) => secrets.call(`POST auth/${mount}/role/${name}`, someRole),
  leaseConfig: ({ secrets }, { mount }) => secrets.call(`POST ${mount}/config/lease`, { lease: "2h", lease_max: "3h" }),
  cloudRole: ({ secrets }, { mount, name }) => secrets.call(`POST ${mount}/roles/${name}`, someCloudRole),
  parameter: ({ policy }, { policySetId = POLICY_SETS[0], key }) =>
    policy.call(
      `POST policy-sets/${policySetId}/parameters`,
      vars({ key, value: "foreign", category: "policy-set", sensitive: false }),
    ),
  group: ({ secrets }, { name }) => secrets.call(`POST identity/group/name/${name}`, someGroup),
  intention: ({ cluster }, { destination }) => cluster.call("PUT config", someIntention(destination)),
  exportedServices: ({ cluster }) => cluster.call("PUT config", someExports),
  peeringToken: ({ cluster }, { peerName }) => cluster.call("POST peering/token", { PeerName: peerName }),
};

export type Meddling = "edit" | "delete" | "replace";

/** Changes a record behind the stack's back; false where there is none, or no such change. */
export async function meddle(life: Life, declaration: Declaration, how: Meddling): Promise<boolean> {
  const { kind } = declaration;
  const args = life.program.argsOf(declaration);
  const before = life.records;
  const place = placeIn(life, declaration);
  if (place === undefined || before[place] === undefined) return false;
  // A configuration that was blanked has no key to rotate.
  if (kind === "rootRotation" && !(before[place] as Stored).access_key) return false;
  // Another value of a sensitive parameter shows nowhere: the API has no witness of it.
  if (how === "edit" && kind === "parameter" && (before[place] as Stored).sensitive) return false;
  const remove = deletions[kind];
  const make = creations[kind];
  const api = apisOf(life, "home");
  await life.world.fallBehind();
  const change = how === "edit" ? edits[kind] : remove;
  if (change === undefined) return false;
  await change(api, args, before[place]);
  if (how === "replace" && make) await make(api, args, before[place]);
  for (const path of changedPlaces(before, life.records)) {
    life.drifted.add(path);
    if (before[path] === undefined) life.squatters.add(path);
    if (how === "replace") life.remade.add(path);
  }
  noteRotation(life, before);
  return true;
}

/** Makes a record that belongs to somebody else; false where one is there. */
export async function occupy(life: Life, kind: KindName, args: Args, side: Side = "home"): Promise<boolean> {
  const make = creations[kind];
  if (make === undefined) return false;
  const before = life.world.records(side);
  if (side === "home") await life.world.fallBehind();
  await make(apisOf(life, side), args, undefined);
  if (side === "home") for (const path of changedPlaces(before, life.records)) life.squatters.add(path);
  return true;
}

/** Somebody else has a role in one of our mounts. */
export async function squat(life: Life, { kind, values }: Declaration): Promise<boolean> {
  const path = String(values["path"]);
  const before = life.records;
  const { secrets } = apisOf(life, "home");
  await life.world.fallBehind();
  const line = kind === "authMount" ? `POST auth/${path}/role/foreign` : `POST ${path}/roles/foreign`;
  const { status } = await secrets.ask(line, kind === "authMount" ? someRole : someCloudRole);
  if (status > 299) return false;
  for (const place of changedPlaces(before, life.records)) life.squatters.add(place);
  return true;
}

/** The others go, as a message has asked for. Answers whether there were any. */
export async function evict(life: Life): Promise<boolean> {
  const { secrets, policy, cluster } = apisOf(life, "home");
  const places = [...life.squatters].filter((place) => life.records[place] !== undefined);
  life.squatters.clear();
  const recorded = new Set(life.stack.entries.flatMap((entry) => placesOf(entry, life.records)));
  const strangers = places.filter((place) => !recorded.has(place));
  // What lives in a mount goes before the mount.
  for (const place of strangers.sort((one, other) => other.length - one.length)) {
    const path = place
      .replace(/\/role\/(?=[^/]+$)/, place.startsWith("auth/") ? "/role/" : "/roles/")
      .replace(/\/$/, "");
    if (/^(config|peering)\//.test(place)) await cluster.ask(`DELETE ${place}`);
    else if (place.startsWith("policy-sets/")) await policy.ask(`DELETE ${path}`);
    else await secrets.ask(`DELETE ${path}`);
  }
  return strangers.length > 0;
}

/**
 * The root key that was there before is dead. The new one is taken for a rotation of the recorded key, also where a run that
 * died had written another one meanwhile: nobody can know that.
 */
function noteRotation({ dead, unused, records, stack }: Life, before: Readonly<Record<string, Stored>>): void {
  for (const [place, old] of Object.entries(before)) {
    const now = records[place] as Stored;
    if (!place.endsWith("/config/root") || !now || old.access_key === now.access_key) continue;
    dead.add(old.access_key);
    for (const { outputs } of stack.entries) {
      const { mount, accessKey } = openedAll(outputs);
      if (`${String(mount)}/config/root` === place && accessKey) unused.add(String(accessKey));
    }
  }
}

function placeIn({ program, records }: Life, declaration: Declaration): string | undefined {
  return kinds[declaration.kind].path(program.argsOf(declaration), records);
}

function apisOf({ world }: Life, side: Side): Apis {
  const [secrets, policy, cluster] = (["secrets", "policy", "cluster"] as const).map((each) => world.raw(side, each));
  if (!secrets || !policy || !cluster) throw new Error("an API is missing");
  return { secrets, policy, cluster };
}
