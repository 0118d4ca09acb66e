import type { Definition, Members, Values } from "../core/definition";
import type { Difference } from "../core/diff";
import { ProviderError } from "../core/errors";
import { type Records, recordsIn } from "../core/members";
import { WILL_BE_REFUSED } from "../core/take-over-words";
import { parse } from "../core/template";
import { hasUnknown, UNKNOWN } from "../core/unknowns";
import { withServer } from "./assert-server";
import { type HeldRecord, heldIn } from "./held-record";
import { naturalId } from "./natural-id";
import { messageOf, type Operation, type SetOperation, titleOf } from "./operation";
import { claimedIn, countOf, unmanagedIn } from "./removals";
import { hasKnownPlace, isOfProgram, isWritten, keysOf, recordKeys, wantedNames } from "./run-notes";
import { isIgnored, type Listed, listRecords, named, refusalOf, unmanagedAmong, unmanagedRecords } from "./unmanaged";

/** The records on the server that a set neither names nor ignores. */
export interface Unmanaged {
  /** The names of those that an update of it will remove, and their ids. */
  readonly names: readonly string[];
  readonly ids: readonly string[];
  /** All of them, also those of other resources. */
  readonly held: readonly HeldRecord[];
  /**
   * Names of which the state says otherwise whether another resource has them: those that are nobody's by now, those
   * that the preview has shown as going, before it came to the resource that has them, and those that are not made yet.
   */
  readonly outdated: readonly string[];
  /** Of an exclusive set: whether it removes this record, once it is there. */
  readonly clears?: (record: HeldRecord) => boolean;
}

/** What an update would change, with what it would remove that the program does not name. */
export interface ForeseenDifference extends Difference {
  readonly unmanaged?: Unmanaged;
}

export const NO_UNMANAGED: Unmanaged = { names: [], ids: [], held: [], outdated: [] };

/** Whether a set with these values removes unmanaged records, and it is known already which records those are. */
function removesUnmanaged(definition: Definition, members: Members, values: Values): boolean {
  const isKnown = values[members.property] !== UNKNOWN && !hasUnknown(values["ignore"]);
  return values["exclusive"] === true && isKnown && hasKnownPlace(definition, values);
}

interface Foreseen {
  readonly olds: Values;
  readonly news: Values;
  readonly difference?: Difference | undefined;
  /** The list of what there is, where it has been asked for already. */
  readonly listing?: Promise<Listed> | undefined;
}

/** The difference of a set with the records that it would remove although the program has never named them. */
export async function withRemovals(set: Operation, foreseen: Foreseen & { readonly difference: Difference }) {
  const { difference } = foreseen;
  const { members } = set.definition;
  if (!members) return difference;
  const unmanaged = await unmanagedOf({ set, members }, foreseen);
  if (unmanaged.names.length + unmanaged.outdated.length === 0) return { ...difference, unmanaged };
  const removed = (name: string) => ({ name, before: {}, after: undefined, changed: [], replaces: [] });
  const records = [...(difference.records ?? []), ...unmanaged.names.map(removed)];
  const changed = [...new Set([...difference.changed, members.property])];
  return { ...difference, unmanaged, records, changed };
}

/** What an exclusive set would remove although the program does not name it. */
export async function unmanagedOf(operation: SetOperation, foreseen: Foreseen): Promise<Unmanaged> {
  const { definition, log, run } = operation.set;
  if (run.sight() === "part") assertShown(operation, foreseen, "it is made for a part of the program");
  if (!removesUnmanaged(definition, operation.members, foreseen.news)) return NO_UNMANAGED;
  try {
    return await foreseenUnmanaged(operation, foreseen);
  } catch (error) {
    assertShown(operation, foreseen, `they cannot be listed: ${messageOf(error)}`);
    const what = `${titleOf(definition, foreseen.news)}: it is not known which other records there are`;
    log("warning", `${what}: ${messageOf(error)}`);
    return NO_UNMANAGED;
  }
}

/**
 * An apply of a saved plan takes for shown what the state names as nobody's: a plan that would write the set, and does not show
 * these records, is refused. A refresh looks for them, or leaves none of them in the state.
 */
function assertShown({ set }: SetOperation, { olds, news, difference }: Foreseen, why: string): void {
  const isPerhapsExclusive = news["exclusive"] === true || news["exclusive"] === UNKNOWN;
  const isWritten = difference !== undefined && difference.changed.length > 0;
  if (!isPerhapsExclusive || !isWritten || !set.run.journal.isPlanSaved()) return;
  const names = unmanagedAmong(set.definition, unmanagedIn(olds), news);
  if (names.length === 0) return;
  const what = `the apply of this saved plan would remove ${countOf(names)} that the state has in \`unmanaged\``;
  const todo = "Plan without -refresh=false, or name in `ignore` what is to stay.";
  const message = `${titleOf(set.definition, news)}: ${what}, and the plan does not show it, as ${why}. ${todo}`;
  throw new ProviderError("InputError", message);
}

/** Lists what such a set would remove, says so, and takes note of it: an update removes only what was shown. */
async function foreseenUnmanaged(
  { set, members }: SetOperation,
  { olds, news: said, difference, listing }: Foreseen,
): Promise<Unmanaged> {
  const { definition, log, run, connection, signal } = set;
  // What another resource has may be on another name of the same server.
  const news = withServer(said, await connection.server(signal));
  const one = { ...set, definition: members.of };
  const found = await othersOf(one, { set, members }, news, listing);
  const known = recordsIn(definition, members, olds);
  const claimed = claimedIn(olds);
  const others = [...found].filter(([name]) => !known.has(name));
  const free = others.filter(([, values]) => !isOfProgram(one, values));
  const sight = run.sight();
  // A saved plan has shown what was in its state.
  const isFree = (name: string) => !claimed.includes(name) && (sight !== "saved" || unmanagedIn(olds).includes(name));
  const going = free.filter(([name]) => isFree(name));
  const names = going.map(([name]) => name);
  const held = heldIn([...found.values()].map((record) => [one, record]));
  const isWhole = sight === "whole";
  const isShown = (values: Values) => run.said.hadBefore("clears", recordKeys(one, values));
  const isOutdated = ([name, values]: readonly [string, Values]) =>
    isOfProgram(one, values) ? isShown(values) && !claimed.includes(name) : claimed.includes(name);
  // Those that this run makes only now: the next preview may come to the set before it comes to them.
  const unseen = unmanagedAmong(definition, wantedNames(one, news), news).filter(
    (name) => !found.has(name) && !claimed.includes(name),
  );
  const outdated = isWhole ? [...others.filter(isOutdated).map(([name]) => name), ...unseen] : [];
  const title = titleOf(definition, news);
  if (sight === "part") {
    if (names.length > 0)
      log("info", `${title}: ${countOf(names)} that the program does not name stay: this run has only a part of it`);
    return { ...NO_UNMANAGED, held };
  }
  const removed = (difference?.records ?? [])
    .filter(({ name, after }) => after === undefined && !isIgnored(definition, news, name))
    .map(({ name }) => name);
  const refusal = refusalOf(news, [...removed, ...names]);
  if (refusal) log("warning", `${title}: ${WILL_BE_REFUSED}: ${refusal}`);
  if (names.length > 0) {
    run.said.note(
      "clears",
      names.flatMap((name) => recordKeys(one, found.get(name) ?? {})),
    );
    const verb = names.length === 1 ? "is" : "are";
    const unless = `unless another resource of the program has ${names.length === 1 ? "it" : "them"}`;
    // The update says itself what it removes. A record that no preview has named is not removed, so each of them is.
    if (run.journal.sight() !== "whole")
      log(
        "info",
        `${title}: ${countOf(names, names.length)} that the program does not name ${verb} removed, ${unless}`,
      );
  }
  const ids = heldIn(going.map(([, record]) => [one, record])).map(({ id }) => id);
  const clears = (record: HeldRecord) => {
    const name = parse(naturalId(one.definition), record.id)?.[members.name];
    if (name === undefined || unmanagedAmong(definition, [name], news).length === 0) return false;
    const own = named(definition, members, news, [name]).get(name);
    return own !== undefined && keysOf(one, own).some((key) => record.keys.includes(key));
  };
  return { names, ids, held, outdated, clears };
}

/** What this run has written is another resource's by now, and is not removed. */
async function othersOf(
  one: Operation,
  { set, members }: SetOperation,
  news: Values,
  listing = listRecords(set, members, news),
): Promise<Records> {
  const listed = await listing;
  const others = unmanagedRecords(set.definition, members, news, listed);
  return new Map([...others].filter(([, values]) => !isWritten(one, values)));
}
