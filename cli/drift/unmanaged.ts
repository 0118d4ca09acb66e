import { isEmpty } from "../../provider/core/canonical";
import type { Definition, Values } from "../../provider/core/definition";
import { ProviderError } from "../../provider/core/errors";
import { idIn } from "../../provider/core/record-id";
import { placeholders, requestPath } from "../../provider/core/template";
import { placeProperties, tenantIn } from "../../provider/core/tenant";
import { listingOf } from "../../provider/dialects/listing";
import type { Engine } from "../../provider/engine/engine";
import { hasOwnRecord, isUnsupportedList } from "../../provider/engine/find-records";
import { inFlight } from "../../provider/engine/in-flight";
import { listCall } from "../../provider/engine/list-call";
import { addressesIn } from "../../provider/engine/listed-addresses";
import { messageOf } from "../../provider/engine/operation";
import { straysAmong } from "../../provider/engine/strays";
import { definitions } from "../../provider/resources";
import type { IgnoreList } from "./ignore-file";
import { placeIn } from "./place";
import type { RecordedResource } from "./recorded-stack";
import type { UnlistedCollection, UnmanagedRecord } from "./report";

export interface UnmanagedOptions {
  readonly engineOf: (provider: string) => Engine;
  readonly parallel: number;
  readonly ignores: IgnoreList;
}

/** Records that the stack does not manage, in every mount, policy set and cluster where it manages something. */
export async function unmanagedRecords(
  resources: readonly RecordedResource[],
  { engineOf, parallel, ignores }: UnmanagedOptions,
): Promise<{ readonly unmanaged: UnmanagedRecord[]; readonly unlisted: UnlistedCollection[] }> {
  const parts = resources.flatMap(partsOf);
  const listed = await inFlight(listsFor(parts), parallel, (list) => recordsIn(list, engineOf, parts));
  const unmanaged = listed.flatMap((list) => ("records" in list ? list.records : []));
  return {
    unmanaged: unmanaged.map((record) => {
      const ignored = ignores.whole(record);
      return ignored ? { ...record, ignored } : record;
    }),
    unlisted: listed.flatMap((list) => ("unlisted" in list ? [list.unlisted] : [])),
  };
}

/** A record of a resource. A pair of clusters has two, on two connections; a set has many. */
interface Part {
  readonly definition: Definition;
  readonly values: Values;
  readonly provider: string;
}

interface List extends Part {
  readonly template: string;
}

function partsOf({ definition, inputs, outputs, provider, records }: RecordedResource): Part[] {
  if (!definition) return [];
  const values = { ...inputs, ...outputs };
  const { members } = definition;
  if (members) {
    const own = records.map((each) => ({
      definition: members.of,
      values: { ...each.inputs, ...each.outputs },
      provider,
    }));
    // The set itself knows whether it is exclusive.
    return [{ definition, values, provider }, ...own];
  }
  if (!definition.parts) return [{ definition, values, provider }];
  const { issuer, taker, issuerFields, takerFields } = definition.parts;
  const side = (part: Definition, names: Readonly<Record<string, string>>) => ({
    definition: part,
    values: Object.fromEntries(Object.entries(names).map(([name, own]) => [own, values[name]])),
    provider,
  });
  return [side(issuer, issuerFields), side(taker, takerFields)];
}

/** The records of a pair and of a set are in the lists of their kinds. */
const everyDefinition = Object.values<Definition>(definitions).filter(hasOwnRecord);

/** Every list that contains one of these records, or belongs to the same mount or policy set. Each list is there once. */
function listsFor(parts: readonly Part[]): List[] {
  const lists = parts.flatMap((part) =>
    everyDefinition.flatMap((definition): [string, List][] => {
      const template = listingOf(definition);
      if (template === undefined || !isToBeRead(part, definition, template)) return [];
      return [[listKey(template, part), { ...part, definition, template }]];
    }),
  );
  // Definitions that share a list: the first one is kept.
  return [...new Map(lists.reverse()).values()].reverse();
}

/**
 * A list inside a mount or policy set is read when the stack manages any record there. A list of a whole server is read
 * when the stack manages a record of the same kind.
 */
function isToBeRead({ definition, values }: Part, listed: Definition, template: string): boolean {
  const names = placeholders(template.replace(/\[.*?\]/g, ""));
  const isSameModule = definition.token.split(":")[0] === listed.token.split(":")[0];
  if (names.length === 0) return definition.token === listed.token;
  return isSameModule && names.every((name) => !isEmpty(values[name]));
}

function listKey(template: string, { definition, values, provider }: Part): string {
  const tenant = tenantIn(definition.dialect, values) ?? "";
  return JSON.stringify([provider, values["connection"] ?? "", tenant, requestPath(template, values)]);
}

async function recordsIn(
  { definition, template, values, provider }: List,
  engineOf: UnmanagedOptions["engineOf"],
  parts: readonly Part[],
): Promise<{ readonly records: UnmanagedRecord[] } | { readonly unlisted: UnlistedCollection }> {
  const place = placeIn(definition, values);
  const key = listKey(template, { definition, values, provider });
  try {
    const { results } = await engineOf(provider).call(
      listCall(definition, template),
      placeOf(definition, template, values),
    );
    const here = parts.filter((part) => listedBy(part) === template && listKey(template, part) === key);
    const managed = new Set(here.map((part) => idIn(part.definition, part.values)));
    const sets = here.filter((part) => part.definition.members);
    // Each of its records would look unmanaged.
    if (sets.some(hasHiddenNames))
      throw new ProviderError("InputError", "the state encrypts which records a set has; --decrypt reads them");
    const records = addressesIn(definition, results["found"])
      .filter((address) => !sets.some((set) => isReportedBy(set, address)))
      .map((address) => idIn(definition, { ...values, ...address }))
      .filter((id) => !managed.has(id))
      .map((id) => ({ type: definition.token.replace(":", "."), id, ...place }));
    return { records };
  } catch (error) {
    const unsupported = isUnsupportedList(definition, error);
    const path = requestPath(template, values).replace(/\?.*/, "");
    return {
      unlisted: {
        path,
        ...place,
        reason: messageOf(error),
        ...(unsupported ? { unsupported: true as const } : {}),
      },
    };
  }
}

/** The list that has the records of a part. */
function listedBy({ definition }: Part): string | undefined {
  return listingOf(definition.members?.of ?? definition);
}

function hasHiddenNames({ definition: { members }, values }: Part): boolean {
  return members !== undefined && values[members.property] === undefined;
}

/** A record that an exclusive set would remove is drift of the set. */
function isReportedBy({ definition, values }: Part, address: Values): boolean {
  const name = definition.members && address[definition.members.name];
  return values["exclusive"] === true && straysAmong(definition, [String(name)], values).length > 0;
}

/** The values that name the list: the connection and tenant, and the mount or policy set. */
function placeOf({ dialect }: Definition, template: string, values: Values): Values {
  const names = [...placeholders(template), ...placeProperties(dialect)].filter((name) => !isEmpty(values[name]));
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}
