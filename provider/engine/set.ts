import type { Members, Values } from "../core/definition";
import { diff, type EditedRecord } from "../core/diff";
import { isProviderError, ProviderError } from "../core/errors";
import { ignoredIn, withIgnored } from "../core/ignored";
import { assertAddress, valuesFromId } from "../core/look-up";
import { type Records, recordsIn, withRecords } from "../core/members";
import { hasId } from "../core/record-id";
import { PARALLEL } from "../core/set-rows";
import { INCOMPLETE } from "../core/state-names";
import { fill } from "../core/template";
import { isRecord } from "../core/unknowns";
import { assertServer, isElsewhere, withServer } from "./assert-server";
import { withDeleted } from "./declared";
import { noteFound, stays, strangePlace } from "./found-elsewhere";
import { unlessHomeIsGone } from "./gone-home";
import { inFlight } from "./in-flight";
import * as single from "./lifecycle";
import { assertMount, noteMountOf } from "./mount-type";
import { movedWith } from "./moves";
import { doing, messageOf, type Operation, type Recorded, type SetOperation, type Verbs } from "./operation";
import { claimedIn, removalsOf, withOthers } from "./removals";
import { reasonToKeep } from "./run-notes";
import { type Failed, failed, stillThere } from "./set-failures";
import { isWithoutList, type Listed, listRecords, named, someOf, unmanagedAmong } from "./unmanaged";
import { isOpen } from "./write";

/** The four verbs of this set. */
export function verbs(operation: SetOperation): Verbs {
  return {
    create: (inputs) => create(operation, inputs),
    read: (id, state) => read(operation, id, state),
    update: (id, olds, news) => update(operation, id, olds, news),
    remove: (id, state) => remove(operation, id, state),
  };
}

export function create(operation: SetOperation, inputs: Values): Promise<Recorded> {
  return doing("creating", operation.set, inputs, () => carryOut(operation, {}, inputs));
}

export function update(operation: SetOperation, id: string, olds: Values, news: Values): Promise<Recorded> {
  const { definition, ignored = [] } = operation.set;
  return doing("updating", operation.set, news, () => {
    assertAddress(definition, id, news, "write");
    return carryOut(operation, withDeleted(operation.set, olds), withIgnored(definition, news, olds, ignored));
  });
}

/** The records of the state; all of an exclusive set's mount or policy set, and of a set that is looked up by its id. */
export function read(operation: SetOperation, id: string, state: Values): Promise<Recorded | undefined> {
  const { set, members } = operation;
  const { definition } = set;
  const values = valuesFromId(definition, id, state);
  return doing("reading", set, values, async () => {
    assertAddress(definition, id, values, "read");
    const server = await assertServer(set, state);
    if (isElsewhere(state, server)) noteFound(set, values);
    const isLookUp = !isRecord(values[members.property]);
    // The apply of a saved plan takes them for shown, and a plan for a part of the program does not show them.
    const isShown = !(set.run.journal.isPlanSaved() && set.run.sight() === "part");
    const isListed = isLookUp || (values["exclusive"] === true && isShown);
    const list = () => listRecords(set, members, values);
    const listed = isListed ? ((await unlessHomeIsGone(set, values, list))?.names ?? []) : [];
    const others = unmanagedAmong(definition, listed, values);
    // What is not the set's own stands apart: it is drift, and nothing that the set may delete.
    const own = recordsIn(definition, members, values);
    const all = isLookUp ? named(definition, members, values, others) : own;
    const found = new Map<string, Values>();
    const tasks = [...all].map(([name, record]) => async () => {
      const one = await single.read(memberOf(operation, name), idOf(members, record), record);
      if (one) found.set(name, one.state);
    });
    const failures = await done(operation, values, tasks);
    if (failures.length > 0) throw failed(failures, tasks.length);
    if (found.size === 0 && (isLookUp || all.size > 0)) return undefined;
    const inOrder = new Map(
      [...all.keys()].flatMap((name) => (found.has(name) ? [[name, found.get(name) ?? {}]] : [])),
    );
    const live = withServer(withRecords(definition, members, values, inOrder), server);
    const known = claimedIn(values);
    const [claimed, unmanaged] = [
      isShown ? known.filter((name) => others.includes(name)) : known,
      others.filter((name) => !known.includes(name)),
    ];
    return { id, state: withOthers(live, isLookUp ? { claimed: [], unmanaged: [] } : { claimed, unmanaged }) };
  });
}

export function remove(operation: SetOperation, id: string, state: Values): Promise<void> {
  const { set, members } = operation;
  const values = valuesFromId(set.definition, id, state);
  return doing("deleting", set, values, async () => {
    const server = await assertServer(set, state);
    if (!movedWith(set, values) && stays(set, values, await strangePlace(set, state, server))) return;
    const records = [...recordsIn(set.definition, members, values)];
    const listed = members.of.read.pick ? await listRecords(set, members, values) : undefined;
    const gone = new Map<string, Values>();
    const tasks = records.map(
      ([name, record]) =>
        () =>
          removeOne(operation, name, record, listed?.show(record)).then(() => {
            // What another resource has by now was kept.
            if (reasonToKeep(memberOf(operation, name), record) === undefined) gone.set(name, record);
          }),
    );
    const failures = await done(operation, values, tasks);
    failures.push(...(await stillThere(operation, values, gone)));
    if (failures.length > 0) throw failed(failures, tasks.length);
  });
}

/** Brings every record to what the program says. What failed is named, and everything that is done is recorded. */
async function carryOut(operation: SetOperation, recorded: Values, news: Values): Promise<Recorded> {
  const { set, members } = operation;
  const { definition, log } = set;
  const server = await assertServer(set, recorded);
  const isNewThere = (await strangePlace(set, recorded, server)) !== undefined;
  const olds = isNewThere ? {} : recorded;
  if (isNewThere)
    for (const [name, record] of recordsIn(definition, members, recorded)) noteFound(memberOf(operation, name), record);
  await assertMount(set, news);
  const edits = diff(definition, olds, news).records ?? [];
  const isNew = ({ before }: EditedRecord) => before === undefined;
  // What is looked up in a list is looked up in this one.
  const isListed =
    news["exclusive"] === true || edits.some((edit) => isNew(edit) || members.of.read.pick !== undefined);
  const listed = isListed ? await listUnlessRefused(operation, news) : undefined;
  const known = recordsIn(definition, members, olds);
  const unnamed = edits.filter(({ after }) => after === undefined).map(({ name }) => name);
  const isStrange = async (one: Operation, record: Values) =>
    isNewThere || (await strangePlace(one, record, server)) !== undefined;
  const given = { olds, news: withServer(news, server), unnamed, listed, isStrange };
  const removals = await removalsOf(operation, given);
  const there = new Set(listed?.names);

  const records = new Map([...known].filter(([name]) => !removals.handedOver.includes(name)));
  const gone = new Set<string>();
  const tasks = [
    ...edits
      .filter(({ name }) => !removals.handedOver.includes(name))
      .map((edit) => () => carryOutOne(operation, edit, records, listed)),
    ...[...removals.others].map(
      ([name, record]) =>
        () =>
          removeUnmanaged(operation, name, record).then(() => void gone.add(name)),
    ),
  ];
  const failures = await done(operation, news, tasks);
  await noteMountOf(set, recorded);
  // What was refused is not recorded.
  const taken = edits.filter((edit) => isNew(edit) && there.has(edit.name) && records.has(edit.name));
  const names = taken.map(({ name }) => name);
  if (names.length > 0)
    log("info", `${names.length} of its records exist already (${someOf(names)}) and are taken over`);
  const deleted = [...known].filter(([name]) => removals.own.includes(name) && !records.has(name));
  const others = [...removals.others].filter(([name]) => gone.has(name));
  for (const still of await stillThere(operation, news, new Map([...deleted, ...others]))) {
    failures.push(still);
    if (known.has(still.name)) records.set(still.name, { ...still.record, [INCOMPLETE]: true });
    else gone.delete(still.name);
  }
  const inOrder = [...recordsIn(definition, members, news).keys(), ...records.keys()];
  const left: Records = new Map(
    [...new Set(inOrder)].flatMap((name) => (records.has(name) ? [[name, records.get(name) ?? {}]] : [])),
  );
  const id = fill(definition.id, news);
  const unmanaged = [...removals.unmanaged, ...[...removals.others.keys()].filter((name) => !gone.has(name))];
  const own = withServer(withRecords(definition, members, news, left), server);
  const state = withOthers(own, { unmanaged, claimed: removals.claimed });
  if (failures.length === 0) return { id, state };
  const error = failed(failures, tasks.length);
  // Where nothing was done, what was recorded before is still true.
  if (failures.length === tasks.length && isAsBefore(known, records)) throw error;
  throw new ProviderError("PartialError", error.message, { id, properties: state, reasons: [error.message] });
}

/** A record that was deleted, made, or written to in part has another state, or none. */
function isAsBefore(known: Records, records: Records): boolean {
  return known.size === records.size && [...known].every(([name, record]) => records.get(name) === record);
}

/**
 * Undefined where the token may not list, or the server cannot: then every record is looked for. An exclusive set cannot
 * do without a list.
 */
async function listUnlessRefused({ set, members }: SetOperation, values: Values): Promise<Listed | undefined> {
  try {
    return await listRecords(set, members, values);
  } catch (error) {
    if (values["exclusive"] === true || !isWithoutList(set, error)) throw error;
    return undefined;
  }
}

/** Makes, changes or removes one record, and takes note of what is there afterwards. */
async function carryOutOne(
  operation: SetOperation,
  { name, before, after, replaces }: EditedRecord,
  records: Map<string, Values>,
  listed: Listed | undefined,
): Promise<void> {
  const { members } = operation;
  const one = memberOf(operation, name);
  if (before !== undefined && (after === undefined || replaces.length > 0)) {
    await removeOne(operation, name, before, listed?.show(before)).catch((error: unknown) => {
      // It may be gone, now or later: the next run looks.
      if (isOpen(error)) records.set(name, { ...before, [INCOMPLETE]: true });
      throw error;
    });
    records.delete(name);
  }
  if (after === undefined) return;
  const isReplaced = before !== undefined && replaces.length > 0;
  const looked = isReplaced ? undefined : listed?.show(before ?? after);
  // What is perhaps there is made where it is not, although its id would be another one.
  const isMissing = before?.[INCOMPLETE] === true && (!hasId(members.of, before) || isGone(looked));
  const isMade = before === undefined || isReplaced || isMissing;
  try {
    const told = looked ? { ...one, looked } : one;
    const { state } = isMade
      ? await single.create({ ...told, isOwn: before !== undefined }, after)
      : await single.update(told, idOf(members, before), before, after);
    records.set(name, state);
  } catch (error) {
    // The next run repairs what was written and is not as it should be.
    const left = isProviderError(error) && error.code === "PartialError" ? error.properties : undefined;
    if (left) records.set(name, { ...left, [INCOMPLETE]: true });
    throw error;
  }
}

async function removeUnmanaged(operation: SetOperation, name: string, record: Values): Promise<void> {
  const found = await single.read(memberOf(operation, name), "", record);
  if (found) await removeOne(operation, name, found.state, JUST_READ);
}

function isGone(looked: Operation["looked"]): boolean {
  return looked !== undefined && looked.record === undefined;
}

/** There is nothing more to be seen. */
const JUST_READ = { record: undefined };

function removeOne(operation: SetOperation, name: string, record: Values, looked?: Operation["looked"]): Promise<void> {
  // Its creation had no answer, and the id is the server's.
  if (!hasId(operation.members.of, record)) return removeUnmanaged(operation, name, record);
  const isGoneLater = operation.members.of.read.pick !== undefined;
  const one = { ...memberOf(operation, name), isGoneLater, ...(looked ? { looked } : {}) };
  return single.remove(one, idOf(operation.members, record), record);
}

/** What is said of each record goes to the status line; a warning is shown, however many records there are. */
function memberOf({ set, members }: SetOperation, name: string): Operation {
  const log: Operation["log"] = (level, message) => set.log(level === "warning" ? level : "status", message);
  const ignored = ignoredIn(members, name, set.ignored ?? []);
  return { ...set, definition: members.of, log, ignored, name: set.name && `${set.name}: ${name}` };
}

function idOf({ of }: Members, record: Values): string {
  return fill(of.id, record);
}

/** Does the tasks, several at a time, all of them whatever fails. Once the run is cancelled, no further one is begun. */
async function done({ set }: SetOperation, values: Values, tasks: readonly (() => Promise<void>)[]): Promise<Failed[]> {
  const width = typeof values["parallel"] === "number" ? values["parallel"] : PARALLEL;
  const failures: Failed[] = [];
  let ended = 0;
  await inFlight(tasks, width, async (task) => {
    try {
      set.signal?.throwIfAborted();
      await task();
    } catch (error) {
      failures.push({ message: messageOf(error), error });
    }
    ended++;
    if (ended % EVERY === 0) set.log("status", `${ended} of ${tasks.length} records`);
  });
  return failures;
}

/** How often the status line changes. */
const EVERY = 50;
