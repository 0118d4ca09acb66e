import type { Service } from "../../provider/core/connection-entry";
import type { Definition, Values, WireRecord } from "../../provider/core/definition";
import { isProviderError, ProviderError } from "../../provider/core/errors";
import { isLike } from "../../provider/core/is-like";
import { requestPath } from "../../provider/core/template";
import { dialects } from "../../provider/dialects";
import type { Dialect } from "../../provider/dialects/dialect";
import { listingOf } from "../../provider/dialects/listing";
import { type Engine, inputsOf } from "../../provider/engine/engine";
import { inFlight } from "../../provider/engine/in-flight";
import { messageOf } from "../../provider/engine/operation";
import { addressesIn, idIn, listCall } from "../drift/listing";
import { type HiddenValue, judge } from "./hidden-values";
import { classOf, isMount, isOfKind, kinds, livesInMounts, neededFor, type Place, placeIn, serviceOf } from "./kinds";

/** What to read, and what to leave out. */
export interface Selection {
  readonly services: readonly Service[];
  /** Patterns of mounts; only what lives in them is read then. */
  readonly mounts: readonly string[];
  readonly policySets: readonly string[];
  /** Patterns of an id, or of class and name: `jwt.Role ci-*`. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** A record of a server, as a program would say it. */
export interface FoundRecord {
  readonly definition: Definition;
  readonly id: string;
  readonly values: Values;
  readonly place: Place;
  /** Values that the program must get from its configuration. */
  readonly hidden: readonly HiddenValue[];
}

/** A record, or all those of a list, and the reason why it is not in the program. */
export interface NotAdopted {
  readonly what: string;
  readonly reason: string;
}

export interface Found {
  readonly records: readonly FoundRecord[];
  /** Records that no program of this package can say. */
  readonly leftOut: readonly NotAdopted[];
  /** What the servers refused to show. */
  readonly unread: readonly NotAdopted[];
}

export interface ReadOptions extends Selection {
  readonly parallel: number;
  readonly progress: (done: number, all: number) => void;
}

/** A record that is to be read. */
interface Address {
  readonly definition: Definition;
  readonly place: Place;
  readonly id: string;
  readonly values: Values;
}

/** A kind at a place: a list, or a single record. */
interface Search {
  readonly definition: Definition;
  readonly place: Place;
}

/** Reads all records of the selected servers, places first: mounts, then what is in them. */
export async function readServers(engine: Engine, options: ReadOptions): Promise<Found> {
  const { services, mounts, policySets, parallel, progress } = options;
  const isWanted = wantedBy(options);
  const searched = kinds.filter((kind) => services.includes(serviceOf(kind)) && isSearched(kind, mounts));
  const [records, leftOut, unread] = [[] as FoundRecord[], [] as NotAdopted[], [] as NotAdopted[]];
  const given: Place[] = [{ values: {} }, ...policySets.map((policySetId) => ({ values: { policySetId } }))];
  let searches = searched.flatMap((definition) => placesIn(definition, given));
  const known = new Set<Definition>();
  let [done, all] = [0, 0];
  while (searches.length > 0) {
    const found = await inFlight(searches, parallel, (search) => addressesAt(engine, search));
    unread.push(...found.flatMap(({ unread = [] }) => unread));
    leftOut.push(...found.flatMap(({ leftOut = [] }) => leftOut));
    const addresses = found
      .flatMap(({ addresses }) => addresses)
      .filter((each) => isMount(each.definition) || isWanted(each));
    all += addresses.length;
    const read = await inFlight(addresses, parallel, async (address) => {
      const result = await readRecord(engine, address);
      progress(++done, all);
      return result;
    });
    for (const { definition } of searches) known.add(definition);
    unread.push(...read.flatMap(({ unread }) => unread ?? []));
    const live = read.flatMap(({ record }) => record ?? []).filter((each) => isMounted(each, mounts));
    searches = live.flatMap(({ definition, id, state }) =>
      searched.flatMap((kind) => {
        const place = placeIn(definition, id, state, kind);
        return place ? [{ definition: kind, place }] : [];
      }),
    );
    for (const each of live.filter(isWanted)) {
      const judgement = judgeRecord(each);
      if ("refusal" in judgement) leftOut.push({ what: titleOf(each), reason: judgement.refusal });
      else records.push({ ...each, hidden: judgement.hidden });
    }
  }
  assertMounts(mounts, records, unread);
  const unsearched = searched.filter((kind) => !known.has(kind) && !livesInMounts(kind));
  leftOut.push(...unsearched.map((kind) => ({ what: classOf(kind), reason: missingPlace(kind) })));
  // A policy set may be found and also named on the command line.
  const once = new Map(records.map((record) => [keyOf(record), record]));
  return { records: [...once.values()].sort(byKey), leftOut, unread };
}

function wantedBy({ include, exclude }: Selection): (record: Address | FoundRecord) => boolean {
  const isMeant = (patterns: readonly string[], record: Address | FoundRecord) =>
    patterns.some((pattern) => isLike(pattern, record.id) || isLike(pattern, titleOf(record)));
  return (record) => (include.length === 0 || isMeant(include, record)) && !isMeant(exclude, record);
}

/** With `--mount`, only mounts and what lives in them. */
function isSearched(kind: Definition, mounts: readonly string[]): boolean {
  return mounts.length === 0 || isMount(kind) || livesInMounts(kind);
}

function isMounted({ definition, values }: Address, mounts: readonly string[]): boolean {
  if (mounts.length === 0 || !isMount(definition)) return true;
  return mounts.some((pattern) => isLike(pattern.replace(/^\/+|\/+$/g, ""), String(values["path"])));
}

function placesIn(definition: Definition, places: readonly Place[]): Search[] {
  const needed = neededFor(definition);
  return places
    .filter(({ values }) => needed.every((name) => name in values) && Object.keys(values).length === needed.length)
    .map((place) => ({ definition, place }));
}

interface Addresses {
  readonly addresses: readonly Address[];
  readonly unread?: readonly NotAdopted[];
  readonly leftOut?: readonly NotAdopted[];
}

async function addressesAt(engine: Engine, { definition, place }: Search): Promise<Addresses> {
  const template = listingOf(definition);
  const addressOf = (values: Values): Address => ({ definition, place, id: idIn(definition, values), values });
  if (template === undefined) return { addresses: [addressOf(place.values)] };
  try {
    const { results } = await engine.call(listCall(definition, template), place.values);
    const list = results["found"];
    const { pick } = definition.read;
    const isOurs = (address: Values) => {
      const record: WireRecord | undefined = pick?.(list, { ...place.values, ...address });
      return record === undefined || isOfKind(definition, record);
    };
    const own = addressesIn(definition, list).filter((address) => isOurs(address));
    // A name that ends in a slash is a folder of names.
    const named = own.filter((address) => !String(address[definition.label]).endsWith("/"));
    return { addresses: named.map((address) => addressOf({ ...place.values, ...present(address) })) };
  } catch (error) {
    const { names }: Dialect = dialects[definition.dialect];
    const said = isProviderError(error) ? (error.details ?? []) : [];
    const what = `${classOf(definition)} in ${requestPath(template, place.values).replace(/\?.*/, "")}`;
    const failed = [{ what, reason: messageOf(error) }];
    const isUnsupported = said.some((detail) => names?.unsupported.test(detail));
    return { addresses: [], ...(isUnsupported ? { leftOut: failed } : { unread: failed }) };
  }
}

interface ReadResult {
  readonly record?: Omit<FoundRecord, "hidden"> & { readonly state: Values };
  readonly unread?: NotAdopted;
}

async function readRecord(engine: Engine, { definition, place, id, values }: Address): Promise<ReadResult> {
  try {
    const found = await engine.read(definition, id, values);
    // It was deleted since the list was read, or there is no such configuration.
    if (!found) return {};
    const { id: at, state } = found;
    return { record: { definition, place, id: at, state, values: ownInputs(definition, state) } };
  } catch (error) {
    return { unread: { what: titleOf({ definition, values }), reason: messageOf(error) } };
  }
}

/** The inputs, with what the server gives the record as an address. */
function ownInputs(definition: Definition, state: Values): Values {
  const { connection: _, ...values } = inputsOf(definition, state);
  return definition.rewrite?.(values) ?? values;
}

function judgeRecord({ definition, values, state }: NonNullable<ReadResult["record"]>) {
  const broken = definition.broken?.(state) ?? [];
  if (broken.length > 0) return { refusal: `it needs a repair (${broken.join(", ")}), which an update would make` };
  return judge(definition, values);
}

function assertMounts(mounts: readonly string[], records: readonly FoundRecord[], unread: readonly NotAdopted[]): void {
  if (mounts.length === 0 || records.length > 0 || unread.length > 0) return;
  throw new ProviderError("ConfigError", `there is no mount ${mounts.join(" or ")}, or nothing to adopt in it.`);
}

function missingPlace(kind: Definition): string {
  const todo = neededFor(kind).includes("policySetId") ? ": give --policy-set" : "";
  return `it is not looked for without ${neededFor(kind).join(" and ")}${todo}`;
}

/** `jwt.Role ci`, as `--include` and the ignore file of drift detection name it. */
export function titleOf({ definition, values }: Pick<Address, "definition" | "values">): string {
  return `${classOf(definition)} ${String(values[definition.label] ?? "")}`;
}

/** Tells one record from all others. */
export function keyOf({ definition, id }: { readonly definition: Definition; readonly id: string }): string {
  return `${definition.token} ${id}`;
}

function byKey(a: FoundRecord, b: FoundRecord): number {
  return keyOf(a) < keyOf(b) ? -1 : 1;
}

function present(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
