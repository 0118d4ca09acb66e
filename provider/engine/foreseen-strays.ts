import type { Definition, Members, Values } from "../core/definition";
import type { Difference } from "../core/diff";
import { type Records, recordsIn } from "../core/members";
import { stateOf } from "../core/record";
import { hasUnknown, UNKNOWN } from "../core/unknowns";
import { type HeldRecord, hasKnownPlace, heldIn } from "./held-record";
import { type Operation, titleOf } from "./operation";
import { recordKey } from "./run";
import type { SetOperation } from "./set";
import { listRecords, named, refusalOf, someOf, straysAmong } from "./strays";

/** The records on the server that a set neither names nor ignores, which an update of it will remove. */
export interface Strays {
  /** The names of those that the program has never named. */
  readonly names: readonly string[];
  /** All of them, also those that the set has had. */
  readonly held: readonly HeldRecord[];
}

/** What an update would change, with what it would remove that the program does not name. */
export interface ForeseenDifference extends Difference {
  /** As in `held`. */
  readonly strays?: readonly HeldRecord[];
}

export const NO_STRAYS: Strays = { names: [], held: [] };

/** Whether a set with these values removes strays, and it is known already which records those are. */
export function hasStrays(definition: Definition, members: Members, values: Values): boolean {
  const isKnown = values[members.property] !== UNKNOWN && !hasUnknown(values["ignore"]);
  return values["exclusive"] === true && isKnown && hasKnownPlace(definition, values);
}

/** Lists what such a set would remove, and says so. */
export async function foreseenStrays(
  { set, members }: SetOperation,
  {
    olds,
    news,
    difference,
  }: { readonly olds: Values; readonly news: Values; readonly difference?: Difference | undefined },
): Promise<Strays> {
  const { definition, log } = set;
  const one = { ...set, definition: members.of };
  const found = await othersOf(one, { set, members }, news);
  const known = recordsIn(definition, members, olds);
  const names = [...found.keys()].filter((name) => !known.has(name));
  const removed = (difference?.records ?? []).filter(({ after }) => after === undefined).map(({ name }) => name);
  const title = titleOf(definition, news);
  const refusal = refusalOf(news, [...removed, ...names]);
  if (refusal) log("warning", `${title}: this update will be refused: ${refusal}`);
  if (names.length > 0) {
    log("info", `${title}: ${names.length} records that the program does not name are removed (${someOf(names)})`);
  }
  return { names, held: heldIn([...found.values()].map((record) => [one, record])) };
}

/** What this run has written is another resource's by now, and is not removed. */
async function othersOf(one: Operation, { set, members }: SetOperation, news: Values): Promise<Records> {
  const listed = await listRecords(set, members, news);
  const others = named(set.definition, members, news, straysAmong(set.definition, listed.names, news));
  const shown = [...others].map(([name, values]) => {
    const record = listed.show(values)?.record;
    return [name, record ? stateOf(members.of, record, values) : values] as const;
  });
  return new Map(shown.filter(([, values]) => one.run.get(recordKey(one, values) ?? "")?.by === undefined));
}
