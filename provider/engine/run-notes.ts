import type { Definition, Values } from "../core/definition";
import { ProviderError } from "../core/errors";
import { hasId } from "../core/record-id";
import { trimSlashes } from "../core/rows";
import { SERVER } from "../core/state-names";
import { fill, placeholders, requestPath } from "../core/template";
import { placeProperties, tenantProperty } from "../core/tenant";
import { hasUnknown, UNKNOWN } from "../core/unknowns";
import { listingOf } from "../dialects/listing";
import { type JournalEntry, saidIn } from "./journal";
import { bothDeclare, naturalId } from "./natural-id";
import type { Operation, Sides } from "./operation";
import type { Leaves, Run } from "./run";
import { aMoment, unlessAborted } from "./unless-aborted";
import { unveiled, veiled } from "./veil";

/**
 * Takes note that this resource is about to write the record. A second resource of the program that writes the same
 * record is refused: the two would undo each other's work in every run. So is a new one where a resource has the record
 * unchanged, but for that resource itself: a run before this one has deleted the record to make it anew, and failed. Where
 * the host cannot tell, that is so for a record that is not there.
 */
export function noteWrite(operation: Operation, values: Values, { isNew = false, isThere = false } = {}): void {
  const { run, definition, name, isAnew = !isThere } = operation;
  const keys = recordKeys(operation, values);
  // The server gives the id: the record is noted once it has one.
  if (keys.length === 0) return;
  const known = keys.flatMap((key) => run.records.get(key) ?? []);
  const other = known.find(({ by }) => by !== undefined && by !== operation);
  const isUnchanged = known.some((noted) => noted.isUnchanged);
  const told = run.journal.told(keys);
  const isKept = isUnchanged || told.has("has");
  if (other || (isNew && (told.has("wrote") || (isKept && !isAnew))))
    throw new ProviderError("InputError", `${bothDeclare(definition, values, [name, other?.name])}.`);
  const isNoted = keys.every((key) => run.records.get(key)?.by === operation);
  if (isNoted) return;
  for (const key of keys) run.records.set(key, { by: operation, name, isUnchanged });
  run.journal.note("wrote", keys);
}

/** Waits until no delete of the record goes on: what was written before its end would go with it. */
export async function untilDeleted(operation: Operation, values: Values): Promise<void> {
  const { run, signal } = operation;
  const keys = recordKeys(operation, values);
  for (const key of keys) await unlessAborted(run.deletes.get(key) ?? Promise.resolve(), signal);
  while (keys.length > 0 && run.journal.told(keys).has("deleting")) await aMoment(signal);
}

/**
 * Deletes the record, unless a resource of the program has it. Answers why it was kept. Nobody writes the record meanwhile:
 * whoever wants to has noted it before, or waits.
 */
export async function deleting(
  operation: Operation,
  values: Values,
  work: () => Promise<void>,
): Promise<string | undefined> {
  const { run } = operation;
  const keys = recordKeys(operation, values);
  if (keys.length > 0) run.journal.note("deleting", keys);
  const kept = reasonToKeep(operation, values);
  const working = kept === undefined ? work() : Promise.resolve();
  const ended = working.then(
    () => {},
    () => {},
  );
  for (const key of keys) run.deletes.set(key, ended);
  try {
    await working;
    return kept;
  } finally {
    for (const key of keys) if (run.deletes.get(key) === ended) run.deletes.delete(key);
    if (keys.length > 0) run.journal.note("deleted", keys);
  }
}

/**
 * Why the record must not be deleted by this run; undefined where it may be. Such a delete comes where the engine was
 * made to create first, and where the record has another name, or another provider, in the program now: also from a run
 * before this one, which was stopped between the two.
 */
export function reasonToKeep(operation: Operation, values: Values): string | undefined {
  const { run } = operation;
  const keys = recordKeys(operation, values);
  const known = keys.map((key) => run.records.get(key)).find((noted) => noted !== undefined);
  const told = known === undefined ? run.journal.told(keys) : new Set<JournalEntry>();
  if (known?.by !== undefined || told.has("wrote")) return "was written by this run";
  if (known !== undefined || told.has("has")) return "belongs to another resource of this program";
  return undefined;
}

/** Takes note of a record that a state has. */
export function noteHeld(operation: Operation, state: Values): void {
  const keys = recordKeys(operation, state);
  if (keys.length === 0) return;
  const inList = listKey(operation, state, String(state[operation.definition.label]));
  operation.run.said.note("held", inList === undefined ? keys : [...keys, inList]);
}

/** Whether a state that this run has seen has the record, or had it until the run forgot it: it is no other's. */
export function isHeld(operation: Operation, values: Values): boolean {
  const keys = recordKeys(operation, values);
  const { records, said, journal } = operation.run;
  if (said.has("found", keys)) return false;
  const isUnchanged = keys.some((key) => records.get(key)?.isUnchanged) || journal.told(keys).has("has");
  return isUnchanged || said.has("held", keys) || said.has("left", keys);
}

/** Whether this run has written the record. */
export function isWritten(operation: Operation, values: Values): boolean {
  const keys = recordKeys(operation, values);
  const { records, journal } = operation.run;
  return keys.some((key) => records.get(key)?.by !== undefined) || journal.told(keys).has("wrote");
}

/** Whether a resource of the program has the record, or wants it, as far as this run and the preview before it have seen. */
export function isOfProgram(operation: Operation, values: Values): boolean {
  const { run } = operation;
  const keys = recordKeys(operation, values);
  if (keys.some((key) => run.records.has(key)) || run.said.has("wants", keys)) return true;
  const told = run.journal.told(keys);
  return told.has("wrote") || told.has("has");
}

/** Takes note of what this run has left of the record: a node that is behind shows another one, or none. */
export function noteLeaves(operation: Operation, values: Values, what: Leaves): void {
  const { run } = operation;
  const keys = [nameKey(operation, values), ...boundKeys(operation, values)];
  for (const key of keys) run.leaves.set(key, what);
  if (what === "nothing") run.journal.note("gone", keys);
}

export function leavesOf(operation: Operation, values: Values): Leaves | undefined {
  return leavesAt(operation.run, nameKey(operation, values));
}

/** Whether this run has deleted one of these records. */
export function areDeleted(sides: Sides): boolean {
  const keys = sides.map((side) => nameKey(...side));
  const run = sides[0]?.[0].run;
  return keys.some((key) => run?.leaves.get(key) === "nothing") || run?.journal.told(keys).has("gone") === true;
}

/** Whether this run has deleted the record that is read at this path, or unbound what is bound there by this name. */
export function isDeletedAt(operation: Operation, ...path: readonly string[]): boolean {
  return leavesAt(operation.run, placeKey(operation, ...path)) === "nothing";
}

function leavesAt({ leaves, journal }: Run, key: string): Leaves | undefined {
  return leaves.get(key) ?? (journal.told([key]).has("gone") ? "nothing" : undefined);
}

/** The record by where it is read or, where it is one of a list, by its name: one that is made anew may have another id. */
function nameKey(operation: Operation, values: Values): string {
  const { definition } = operation;
  const { read, token } = definition;
  const id = read.pick ? naturalId(definition) : read.path;
  const place = fill(id, { ...values, ...sameNames({ ...definition, id }, values) });
  return read.pick ? placeKey(operation, token, place) : placeKey(operation, place);
}

/** Takes note that nobody has the record any more, although it stays until what it is in goes. */
export function noteLeft(operation: Operation, values: Values): void {
  operation.run.said.note("left", recordKeys(operation, values));
}

/** Takes note of the records that a resource of the program wants; of those whose place is not known yet, by kind and name. */
export function noteWanted(run: Run, sides: Sides): void {
  const isPlaced = ([{ definition }, values]: readonly [Operation, Values]) => hasKnownPlace(definition, values);
  const keys = sides.filter(isPlaced).flatMap((side) => keysOf(...side));
  const bound = sides.flatMap((side) => boundKeys(...side));
  // What is in a mount asks by the mount's place.
  const mounts = sides.filter(isPlaced).flatMap(([operation, values]) => {
    const { moves } = operation.definition;
    return moves ? [placeKey(operation, fill(moves.within, values))] : [];
  });
  const wanted = [...new Set([...keys, ...bound, ...mounts])];
  if (wanted.length > 0) run.said.note("wants", wanted);
  noteNames(run, sides.filter(isPlaced));
  const unplaced = sides.filter((side) => !isPlaced(side));
  noteUnplaced(
    run,
    unplaced.map(([{ definition }, values]) => [definition, values[definition.label]]),
  );
}

/** Takes note of what the records are called in the list that a set of them has. */
function noteNames(run: Run, sides: Sides): void {
  const named = sides.flatMap(([operation, values]) => {
    const { label, fields } = operation.definition;
    const [place, name] = [listKey(operation, values), values[label]];
    const isKnown = place !== undefined && typeof name === "string" && !hasUnknown(name);
    return isKnown ? [{ place, name: fields[label]?.canonical(name) ?? name }] : [];
  });
  for (const [place, records] of Map.groupBy(named, (one) => one.place))
    run.said.note(`called:${veiled(place, JSON.stringify(records.map(({ name }) => name)))}`, [place]);
}

/** The names that resources of the program want in the list of this record, as far as this run and the preview have seen. */
export function wantedNames(
  operation: Operation,
  values: Values,
  place = listKey(operation, values),
): readonly string[] {
  if (place === undefined) return [];
  const told = saidIn(operation.run.said.of([place]), "called");
  return [...new Set(told.flatMap((names): string[] => JSON.parse(unveiled(place, names))))];
}

function listKey(operation: Operation, values: Values, ...name: readonly string[]): string | undefined {
  const list = listingOf(operation.definition);
  return list === undefined ? undefined : placeKey(operation, requestPath(list, values), ...name);
}

/** What a part of the record is called where it is bound to something else. None where that is not known yet. */
export function boundKeys(operation: Operation, values: Values): readonly string[] {
  const { attached } = operation.definition;
  const [place, name] = [attached?.boundTo(values), attached?.named(values)];
  if (place === undefined || name === undefined || hasUnknown([place, name])) return [];
  return [placeKey(operation, place, name)];
}

/** Takes note of records of the program whose place is not known yet. */
export function noteUnplaced(run: Run, kinds: readonly (readonly [Definition, unknown])[]): void {
  const keys = new Set(kinds.map(([definition, name]) => kindKey(definition, name)));
  if (keys.size > 0) run.said.note("unplaced", [...keys]);
}

/** Whether it is known where a record, or the records of a set, are. */
export function hasKnownPlace({ id, dialect }: Definition, values: Values): boolean {
  return !hasUnknown([...placeholders(id), ...placeProperties(dialect)].map((name) => values[name]));
}

/** Whether a resource of the program may have the record, as it is of this kind and name and its place is not known yet. */
export function isPerhapsOfProgram({ run, definition }: Operation, values: Values): boolean {
  const kinds = [values[definition.label], UNKNOWN].map((name) => kindKey(definition, name));
  return run.said.has("unplaced", kinds);
}

function kindKey({ token, fields, label }: Definition, name: unknown): string {
  const known = hasUnknown(name) || typeof name !== "string" ? undefined : (fields[label]?.canonical(name) ?? name);
  return JSON.stringify([token, known ?? null]);
}

/**
 * A record by where it is asked for and, where that is known, by the server's identity: another address may lead to the
 * same server, and the identity may be unknown at one time and known at another. None for a record that has no id yet.
 */
export function recordKeys(operation: Operation, values: Values): readonly string[] {
  const { definition } = operation;
  if (!hasId(definition, values)) return [];
  // The connection knows the tenant, whether the record names it or not.
  const named = { ...sameNames(definition, values), [tenantProperty(definition.dialect) ?? ""]: undefined };
  const id = fill(definition.id, named);
  return serverKeys(operation, values).map((server) => JSON.stringify([...server, definition.token, id]));
}

/** The same by what the program calls the record, also where the server gives the id. None where that is not known yet. */
export function naturalKeys(operation: Operation, values: Values): readonly string[] {
  const { definition } = operation;
  const id = naturalId(definition);
  if (hasUnknown(placeholders(id).map((name) => values[name]))) return [];
  return recordKeys({ ...operation, definition: { ...definition, id } }, values);
}

/** Both: of a record whose id the server gives, a new resource knows only the name. */
export function keysOf(operation: Operation, values: Values): readonly string[] {
  return [...new Set([...naturalKeys(operation, values), ...recordKeys(operation, values)])];
}

/** Where the operation asks, and the server that the values name. */
export function serverKeys({ connection }: Operation, values: Values): readonly (readonly string[])[] {
  const { address, namespace = "" } = connection.settings;
  const within = trimSlashes(namespace);
  const server = values[SERVER];
  return [
    [address.origin + address.pathname, within],
    ...(typeof server === "string" ? [["server", server, within]] : []),
  ];
}

/** A place on the server that the operation asks. */
export function placeKey(operation: Operation, ...paths: readonly string[]): string {
  return JSON.stringify([...(serverKeys(operation, {})[0] ?? []), ...paths]);
}

/** The values in an id, each in the one form that stands for all in which the server finds the record, such as letter case. */
function sameNames({ id, fields }: Definition, values: Values): Values {
  const named = placeholders(id).map((name) => {
    const value = values[name];
    return [name, typeof value === "string" ? (fields[name]?.canonical(value) ?? value) : value] as const;
  });
  return Object.fromEntries(named);
}
