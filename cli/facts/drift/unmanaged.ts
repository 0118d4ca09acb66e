import { isEmpty } from "../../../provider/core/canonical";
import type { Definition, Values } from "../../../provider/core/definition";
import { isProviderError, ProviderError } from "../../../provider/core/errors";
import { idIn } from "../../../provider/core/record-id";
import { placeholders, requestPath } from "../../../provider/core/template";
import { placeProperties, tenantIn } from "../../../provider/core/tenant";
import { isRecord } from "../../../provider/core/unknowns";
import { listingOf } from "../../../provider/dialects/listing";
import type { Engine } from "../../../provider/engine/engine";
import { hasOwnRecord, isUnsupportedList } from "../../../provider/engine/find-records";
import { inFlight } from "../../../provider/engine/in-flight";
import { listCall } from "../../../provider/engine/list-call";
import { addressesIn } from "../../../provider/engine/listed-addresses";
import { messageOf } from "../../../provider/engine/operation";
import { isNobodys } from "../../../provider/engine/take-over";
import { isIgnored, unmanagedAmong } from "../../../provider/engine/unmanaged";
import { definitions } from "../../../provider/resources";
import { classOf, isInMounts, placeIn as placeGivenBy } from "../../stack/kinds";
import { placeIn } from "../../stack/place";
import type { StateStep } from "../../stack/state";
import type { IgnoreList } from "../exceptions/ignore-file";
import type { ResourceReport, UnlistedCollection, UnmanagedRecord } from "./report";

export interface UnmanagedOptions {
  readonly engineOf: (provider: string) => Engine;
  readonly parallel: number;
  readonly ignores: IgnoreList;
  /** Also what the whole server has of the stack's kinds. What may not be looked at is a failure, too. */
  readonly isAsked: boolean;
  /** What became of a resource. Whose server it is that could not be read, nobody knows; in what is gone there is nothing. */
  readonly statusOf: (urn: string) => ResourceReport["status"] | undefined;
}

/** A record that the stack does not manage, and where it was found. */
export interface FoundBeside {
  readonly record: UnmanagedRecord;
  readonly definition: Definition;
  readonly provider: string;
  /** The list that shows it: no other one has this key. */
  readonly list: string;
}

interface Beside {
  readonly unmanaged: FoundBeside[];
  readonly unlisted: UnlistedCollection[];
  /** Configurations of mounts that the stack does not manage were not looked for. */
  readonly leavesConfigurations: boolean;
}

/** Records that the stack does not manage, in every mount, policy set and cluster where it manages something. */
export async function unmanagedRecords(
  steps: readonly StateStep[],
  { engineOf, parallel, ignores, isAsked, statusOf }: UnmanagedOptions,
): Promise<Beside> {
  const parts = steps.flatMap(partsOf);
  const known = parts.filter(({ urn }) => statusOf(urn) !== "unknown");
  const all = listsFor(known, ({ urn }) => statusOf(urn) === "missing");
  // Others have mounts, policies and groups of their own on most servers, and a mount's configuration is of whoever has the mount.
  const isLooked = ({ template, definition, isInOwnMount }: List) =>
    isAsked || !(isOfWholeServer(template) || (isSingle(definition) && !isInOwnMount));
  const lists = all.filter(isLooked);
  const listed = await inFlight(lists, parallel, (list) => recordsIn(list, engineOf, parts));
  const unmanaged = listed.flatMap((list) => ("records" in list ? list.records : []));
  return {
    leavesConfigurations: all.some(
      (list) => isSingle(list.definition) && !isLooked(list) && ownIn(list, parts).length === 0,
    ),
    unmanaged: unmanaged.map(({ record, ...found }) => {
      const ignored = ignores.whole(record) ?? record.ignored;
      return { ...found, record: ignored ? { ...record, ignored } : record };
    }),
    unlisted: listed.flatMap((list) =>
      "unlisted" in list ? [unlistedBecause(list.error, list.unlisted, isAsked)] : [],
    ),
  };
}

/** A record of a resource. A pair of clusters has two, on two connections; a set has many. */
interface Part {
  readonly urn: string;
  readonly definition: Definition;
  readonly values: Values;
  readonly provider: string;
}

interface List extends Part {
  readonly template: string;
  /** All that the stack has there is gone, and so may be what it is in. */
  readonly isPerhapsGone: boolean;
  /** The stack manages the mount itself. */
  readonly isInOwnMount: boolean;
}

function partsOf({ urn, definition, provider, values: read }: StateStep): Part[] {
  if (!definition) return [];
  const { desired, recorded, records } = read();
  const values = { ...desired, ...recorded };
  const { members } = definition;
  if (members) {
    const own = records.map((each) => ({
      definition: members.of,
      values: { ...each.desired, ...each.recorded },
      provider,
      urn,
    }));
    // The set itself knows whether it is exclusive.
    return [{ urn, definition, values, provider }, ...own];
  }
  if (!definition.parts) return [{ urn, definition, values, provider }];
  const { issuer, taker, issuerFields, takerFields } = definition.parts;
  const side = (part: Definition, names: Readonly<Record<string, string>>) => ({
    urn,
    definition: part,
    values: Object.fromEntries(Object.entries(names).map(([name, own]) => [own, values[name]])),
    provider,
  });
  return [side(issuer, issuerFields), side(taker, takerFields)];
}

/** The records of a pair and of a set are in the lists of their kinds. */
const everyDefinition = Object.values<Definition>(definitions).filter(hasOwnRecord);

/** The list that has the records of a kind, or the one configuration of a mount. */
function listOf(definition: Definition): string | undefined {
  return listingOf(definition) ?? (isInMounts(definition) ? definition.read.path : undefined);
}

const isSingle = (definition: Definition) => listingOf(definition) === undefined;

/** Every list that contains one of these records, or belongs to the same mount or policy set. Each list is there once. */
function listsFor(parts: readonly Part[], isMissing: (part: Part) => boolean): List[] {
  const found = parts.flatMap((part) =>
    everyDefinition.flatMap((definition) => {
      const template = listOf(definition);
      if (template === undefined) return [];
      const inMount = placeGivenBy(part.definition, "", part.values, definition);
      if (!inMount && !isToBeRead(part, definition, template)) return [];
      const list = { ...part, values: { ...part.values, ...inMount?.values }, definition, template };
      return [{ key: listKey(template, list), list, isMissing: isMissing(part), isMount: inMount !== undefined }];
    }),
  );
  // Definitions that share a list, and records that are in one: the first is kept.
  return [...Map.groupBy(found, ({ key }) => key).values()].flatMap((those) => {
    // Where the stack's mount is gone, another hand may have made another one.
    const isPerhapsGone = those.some((one) => one.isMount && one.isMissing) || those.every((one) => one.isMissing);
    const isInOwnMount = those.some(({ isMount }) => isMount);
    return those.slice(0, 1).map(({ list }) => ({ ...list, isPerhapsGone, isInOwnMount }));
  });
}

/**
 * A list inside a mount or policy set is read when the stack manages any record there, or the mount itself. A list of a whole
 * server is read when the stack manages a record of the same kind.
 */
function isToBeRead({ definition, values }: Part, listed: Definition, template: string): boolean {
  const names = namesOf(template);
  const isSameModule = definition.token.split(":")[0] === listed.token.split(":")[0];
  if (names.length === 0) return definition.token === listed.token;
  return isSameModule && names.every((name) => !isEmpty(values[name]));
}

function isOfWholeServer(template: string): boolean {
  return namesOf(template).every((name) => name === "organization");
}

/** What a list cannot be asked for without. */
function namesOf(template: string): readonly string[] {
  return placeholders(template.replace(/\[.*?\]/g, ""));
}

function listKey(template: string, { definition, values, provider }: Omit<Part, "urn">): string {
  const tenant = tenantIn(definition.dialect, values) ?? "";
  return JSON.stringify([provider, values["connection"] ?? "", tenant, requestPath(template, values)]);
}

/** What the stack has in a list. */
function ownIn(list: List, parts: readonly Part[]): Part[] {
  const { template } = list;
  const key = listKey(template, list);
  return parts.filter((part) => listedBy(part) === template && listKey(template, part) === key);
}

async function recordsIn(
  list: List,
  engineOf: UnmanagedOptions["engineOf"],
  parts: readonly Part[],
): Promise<{ readonly records: FoundBeside[] } | { readonly unlisted: UnlistedCollection; readonly error: unknown }> {
  const { definition, template, values, provider, isPerhapsGone } = list;
  const place = placeIn(definition, values);
  const key = listKey(template, list);
  const here = ownIn(list, parts);
  if (isSingle(definition) && here.length > 0) return { records: [] };
  try {
    const { results } = await engineOf(provider).call(
      listCall(definition, template),
      placeOf(definition, template, values),
    );
    const managed = new Set(here.map((part) => idIn(part.definition, part.values)));
    const sets = here.filter((part) => part.definition.members);
    // Each of its records would look unmanaged.
    if (sets.some(hasHiddenNames))
      throw new ProviderError("InputError", "the state encrypts which records a set has; --decrypt reads them");
    const records = foundAt(definition, results["found"])
      .filter((address) => !sets.some((set) => isReportedBy(set, address)))
      .map((address) => ({ id: idIn(definition, { ...values, ...address }), address }))
      .filter(({ id }) => !managed.has(id))
      .map(({ id, address }) => {
        const isLeft = sets.some((set) => isLeftAlone(set, address));
        const record = { type: classOf(definition), id, ...place, ...(isLeft ? { ignored: LEFT } : {}) };
        return { record, definition, provider, list: key };
      });
    return { records };
  } catch (error) {
    if (isPerhapsGone && isProviderError(error) && error.status === 404) return { records: [] };
    const unsupported = isUnsupportedList(definition, error);
    const path = requestPath(template, values).replace(/\?.*/, "");
    return {
      error,
      unlisted: {
        path,
        ...place,
        reason: messageOf(error),
        ...(unsupported ? { unsupported: true as const } : {}),
        ...(isSingle(definition) ? { single: true as const } : {}),
      },
    };
  }
}

/** The addresses in the answer to a list. Of a configuration there is one, unless it is as a fresh mount has it. */
function foundAt(definition: Definition, found: unknown): readonly Values[] {
  if (!isSingle(definition)) return addressesIn(definition, found);
  return isRecord(found) && !isNobodys(definition, found, {}) ? [{}] : [];
}

/** What nobody asked for may be refused. */
export function unlistedBecause(error: unknown, unlisted: UnlistedCollection, isAsked: boolean): UnlistedCollection {
  return isRefused(error) && !isAsked ? { ...unlisted, refused: true } : unlisted;
}

/** What the token may not see, or the state does not show. HCP Terraform answers with 404 then, Consul with a part of the list. */
function isRefused(error: unknown): boolean {
  return isProviderError(error) && (error.code === "InputError" || [200, 403, 404].includes(error.status ?? 0));
}

/** The list that has the records of a part. */
function listedBy({ definition }: Part): string | undefined {
  return listOf(definition.members?.of ?? definition);
}

function hasHiddenNames({ definition: { members }, values }: Part): boolean {
  return members !== undefined && values[members.property] === undefined;
}

/** A record that an exclusive set would remove is drift of the set. */
function isReportedBy({ definition, values }: Part, address: Values): boolean {
  const name = definition.members && address[definition.members.name];
  return values["exclusive"] === true && unmanagedAmong(definition, [String(name)], values).length > 0;
}

/** A record that the program has the set leave alone. */
function isLeftAlone({ definition, values }: Part, address: Values): boolean {
  const name = definition.members && address[definition.members.name];
  return values["exclusive"] === true && isIgnored(definition, values, String(name));
}

const LEFT = { reason: "the set leaves it alone (ignore)" };

/** The values that name the list: the connection and tenant, and the mount or policy set. */
function placeOf({ dialect }: Definition, template: string, values: Values): Values {
  const names = [...placeholders(template), ...placeProperties(dialect)].filter((name) => !isEmpty(values[name]));
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}
