import type { Definition, Values } from "../../../provider/core/definition";
import type { Engine } from "../../../provider/engine/engine";
import { inFlight } from "../../../provider/engine/in-flight";
import { messageOf } from "../../../provider/engine/operation";
import { addressOf, fits } from "../../../provider/hosts/terraform/origin-address";
import { ORIGINS, type Origin } from "../../../provider/hosts/terraform/origins";
import { definitions } from "../../../provider/resources";
import type { OldResource } from "../../sources/old-state";
import { type Found, keyOf } from "../../sources/servers/found-record";
import { foundIn } from "../../sources/servers/read-servers";
import { type Address, type LiveRecord, readRecord } from "../../sources/servers/search";
import { kinds, type Place, placeAt, placeIn } from "../../stack/kinds";
import { slug } from "./names";

/** Rows that a move within Terraform cannot have: what it has no resource for, and many that become one. */
const MORE_ORIGINS: readonly Origin[] = [
  { type: "consul_peering_token", token: "cluster:PeeringToken", from: { peerName: "peer_name" } },
  { type: "consul_intention", token: "cluster:Intention", from: { destination: "destination_name" } },
];

/** What the servers have of an old state. */
export interface OldRecords extends Found {
  /** Names in the old program, by key of the record. */
  readonly names: ReadonlyMap<string, string>;
  readonly traced: readonly TracedResource[];
}

/** An old resource, and what was found of it. */
export interface TracedResource {
  readonly old: OldResource;
  readonly records: readonly TracedRecord[];
  /** The resource of which it is a part. */
  readonly whole?: OldResource;
  /** Why no record of ours stands for it. */
  readonly reason?: string;
}

interface TracedRecord extends Address {
  /** Its key where it is there. */
  readonly key?: string;
  readonly isGone: boolean;
}

interface ReadOptions {
  /** Requests at once. */
  readonly parallel: number;
  readonly progress: (done: number, all: number) => void;
}

/** Reads the records that an old state has, and no others: by their ids, without a list. */
export async function oldRecords(
  engine: Engine,
  resources: readonly OldResource[],
  { parallel, progress }: ReadOptions,
): Promise<OldRecords> {
  const mapped = resources.map((old) => ({ old, ...addressesFor(old, resources) }));
  const addresses = new Map(mapped.flatMap((each) => each.addresses.map((address) => [keyOf(address), address])));
  let done = 0;
  const answers = await inFlight([...addresses.values()], parallel, async (address) => {
    const answer = await readRecord(engine, address);
    progress(++done, addresses.size);
    return { key: keyOf(address), ...answer };
  });
  const there = new Map(answers.flatMap(({ key, found }) => found.map((record) => [key, record] as const)));
  const refused = new Set(answers.flatMap(({ key, unread }) => (unread ? [key] : [])));
  const live = [...there.values()];
  const names = mapped.flatMap(({ old, addresses }) =>
    // What names a record is the first that stands for it; an alias does not.
    addresses.flatMap((address) => {
      const record = there.get(keyOf(address));
      return record && !PARTS_OF.has(old.type) ? [[keyOf(record), slug(old.name)] as const] : [];
    }),
  );
  return {
    ...foundIn(
      live.map((record) => ({ ...record, place: placeAmong(record, live) })),
      { leftOut: [], unread: answers.flatMap(({ unread }) => unread ?? []) },
    ),
    names: new Map(names.reverse()),
    traced: mapped.map(({ addresses, ...each }) => ({
      ...each,
      records: addresses.map((address) => {
        const record = there.get(keyOf(address));
        const isGone = record === undefined && !refused.has(keyOf(address));
        return { ...address, ...(record && { key: keyOf(record) }), isGone };
      }),
    })),
  };
}

interface Mapped {
  readonly addresses: readonly Address[];
  readonly whole?: OldResource;
  readonly reason?: string;
}

const OF_GROUP = { type: "vault_identity_group", by: "group_id" };
const OF_SET = { type: "tfe_policy_set", by: "policy_set_id" };

/** What is a resource of its own there, and a property of the whole here. From the public documentation of the providers. */
const PARTS_OF: ReadonlyMap<string, { readonly type: string; readonly by: string }> = new Map([
  ["vault_identity_group_alias", { ...OF_GROUP, by: "canonical_id" }],
  ["vault_identity_group_policies", OF_GROUP],
  ["vault_identity_group_member_entity_ids", OF_GROUP],
  ["vault_identity_group_member_group_ids", OF_GROUP],
  ["tfe_workspace_policy_set", OF_SET],
  ["tfe_project_policy_set", OF_SET],
  ["tfe_workspace_policy_set_exclusion", OF_SET],
]);

function addressesFor(old: OldResource, all: readonly OldResource[]): Mapped {
  const part = PARTS_OF.get(old.type);
  if (part) {
    const whole = all.find(
      ({ type, attributes }) => type === part.type && attributes["id"] === old.attributes[part.by],
    );
    return whole
      ? { ...addressesFor(whole, all), whole }
      : { addresses: [], reason: `the state does not have its ${part.type}` };
  }
  const origins = [...ORIGINS, ...MORE_ORIGINS].filter((each) => each.type === old.type && fits(each, old.attributes));
  if (origins.length === 0) return { addresses: [], reason: "no resource of this package stands for it" };
  try {
    return { addresses: origins.map((origin) => addressIn(origin, old.attributes)) };
  } catch (error) {
    return { addresses: [], reason: messageOf(error) };
  }
}

function addressIn(origin: Origin, attributes: Values): Address {
  const definition = Object.values<Definition>(definitions).find(({ token }) => token === origin.token);
  if (!definition || !kinds.includes(definition)) throw new Error(`there is no ${origin.token}`);
  const { id, values } = addressOf(definition, origin, attributes);
  return { definition, id, values, place: placeAt(definition, values) };
}

/** The place of a record, given by another one where that is there, such as the policy set of a parameter. */
function placeAmong(record: LiveRecord, all: readonly LiveRecord[]): Place {
  const at = JSON.stringify(record.place.values);
  const places = all.flatMap(({ definition, id, state }) => placeIn(definition, id, state, record.definition) ?? []);
  return places.find(({ values }) => JSON.stringify(values) === at) ?? record.place;
}
