import type { Service } from "../../../provider/core/connection-entry";
import type { Definition } from "../../../provider/core/definition";
import { ProviderError } from "../../../provider/core/errors";
import { isLike } from "../../../provider/core/is-like";
import { inFlight } from "../../../provider/engine/in-flight";
import { classOf, isInMounts, isMount, kinds, neededFor, type Place, placeIn, serviceOf } from "../../stack/kinds";
import { type Found, type FoundRecord, keyOf, type NotAdopted, titleOf } from "./found-record";
import { judge } from "./hidden-values";
import { addressesAt, type LiveRecord, type Reader, readRecord, type Search } from "./search";

/** What to read, and what to leave out. */
export interface Selection {
  readonly services: readonly Service[];
  /** Patterns of mounts; only what is in them is read then. */
  readonly mounts: readonly string[];
  readonly organizations: readonly string[];
  readonly policySets: readonly string[];
  /** Patterns of an id, or of class and name: `jwt.Role ci-*`. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export interface ReadOptions extends Selection {
  /** Requests at once. */
  readonly parallel: number;
  readonly progress: (done: number, all: number) => void;
}

/** All records of the selected servers as they are there. */
export interface LiveRecords extends Omit<Found, "records"> {
  readonly live: readonly LiveRecord[];
}

/** Reads all records of the selected servers, places first: mounts, then what is in them. */
export async function readLive(engine: Reader, options: ReadOptions): Promise<LiveRecords> {
  const { services, mounts, organizations, policySets, parallel, progress } = options;
  const searched = kinds.filter((kind) => services.includes(serviceOf(kind)) && isSearched(kind, mounts));
  const isWanted = wantedBy(options);
  const [live, leftOut, unread] = [[] as LiveRecord[], [] as NotAdopted[], [] as NotAdopted[]];
  const given: Place[] = [
    { values: {} },
    ...organizations.map((organization) => ({ values: { organization } })),
    ...policySets.map((policySetId) => ({ values: { policySetId } })),
  ];
  let searches = searched.flatMap((definition) => searchesAt(definition, given));
  const found = new Set<Definition>();
  let [done, all] = [0, 0];
  while (searches.length > 0) {
    const listed = await inFlight(searches, parallel, (search) => addressesAt(engine, search));
    // A mount that is left out is still the place of what is in it.
    const addresses = listed
      .flatMap((answer) => answer.found)
      .filter((each) => isMount(each.definition) || isWanted(each));
    all += addresses.length;
    const read = await inFlight(addresses, parallel, async (address) => {
      const answer = await readRecord(engine, address);
      progress(++done, all);
      return answer;
    });
    for (const answer of [...listed, ...read]) {
      if (answer.unread) unread.push(answer.unread);
      if (answer.leftOut) leftOut.push(answer.leftOut);
    }
    for (const { definition } of searches) found.add(definition);
    const news = read.flatMap((answer) => answer.found).filter((each) => isMounted(each, mounts));
    live.push(...news);
    searches = news.flatMap((giver) => searchesIn(giver, searched));
  }
  const unsearched = searched.filter((kind) => !found.has(kind) && !isInMounts(kind));
  const notLookedAt = unsearched.map((kind) => ({ what: classOf(kind), reason: missingPlace(kind) }));
  if (mounts.length > 0 && live.length === 0 && unread.length === 0)
    throw new ProviderError("ConfigError", `there is no mount ${mounts.join(" or ")}.`);
  return { live: live.filter(isWanted), leftOut, notLookedAt, unread };
}

/** The found records that the patterns name. */
export function selected<T extends Found>(found: T, patterns: Pick<Selection, "include" | "exclude">): T {
  return { ...found, records: found.records.filter(wantedBy(patterns)) };
}

function wantedBy({ include, exclude }: Pick<Selection, "include" | "exclude">): (record: Named) => boolean {
  const isMeant = (patterns: readonly string[], record: Named) =>
    patterns.some((pattern) => isLike(pattern, record.id) || isLike(pattern, titleOf(record)));
  return (record) => (include.length === 0 || isMeant(include, record)) && !isMeant(exclude, record);
}

type Named = Pick<FoundRecord, "definition" | "id" | "values">;

/** With `--mount`, only mounts and what is in them. */
function isSearched(kind: Definition, mounts: readonly string[]): boolean {
  return mounts.length === 0 || isMount(kind) || isInMounts(kind);
}

function isMounted({ definition, values }: LiveRecord, mounts: readonly string[]): boolean {
  if (mounts.length === 0 || !isMount(definition)) return true;
  return mounts.some((pattern) => isLike(pattern.replace(/^\/+|\/+$/g, ""), String(values["path"])));
}

function searchesAt(definition: Definition, places: readonly Place[]): Search[] {
  const needed = neededFor(definition);
  const fits = ({ values }: Place) =>
    needed.every((name) => name in values) && Object.keys(values).length === needed.length;
  return places.filter(fits).map((place) => ({ definition, place }));
}

/** What can be looked for once this record is known. */
function searchesIn({ definition, id, state }: LiveRecord, searched: readonly Definition[]): Search[] {
  return searched.flatMap((kind) => {
    const place = placeIn(definition, id, state, kind);
    return place ? [{ definition: kind, place }] : [];
  });
}

/** Decides what the records become. */
export function foundIn(
  live: readonly LiveRecord[],
  { leftOut, unread, notLookedAt = [] }: Omit<Found, "records">,
): Found {
  const refused: NotAdopted[] = [];
  const records = live.flatMap(({ state, server, ...record }): FoundRecord[] => {
    const judgement = judge(record.definition, record.values, { state, server });
    if ("hidden" in judgement) return [{ ...record, ...judgement }];
    refused.push({ what: titleOf(record), reason: judgement.refusal, key: keyOf(record) });
    return [];
  });
  // A policy set may be found and also named on the command line.
  const once = new Map(records.map((record) => [keyOf(record), record]));
  return { records: [...once.values()].sort(byName), leftOut: [...leftOut, ...refused], notLookedAt, unread };
}

/** By class and name: the ids of some records are random. */
function byName(a: FoundRecord, b: FoundRecord): number {
  const [one, other] = [a, b].map((record) => `${titleOf(record)}\n${record.id}`) as [string, string];
  return one < other ? -1 : 1;
}

function missingPlace(kind: Definition): string {
  const needed = neededFor(kind);
  const todo = needed.includes("organization")
    ? ": give --organization"
    : needed.includes("policySetId")
      ? ": give --organization or --policy-set"
      : "";
  return `it is not looked for without ${neededFor(kind).join(" and ")}${todo}`;
}
