import type { Attached } from "../core/attached";
import { canonicalText, isEmpty, picked } from "../core/canonical";
import type { Values } from "../core/definition";
import type { Difference } from "../core/diff";
import { isProviderError } from "../core/errors";
import { same } from "../core/field";
import { isMoving } from "../core/move";
import { decoded } from "../core/record";
import { MOUNT_MARK } from "../core/state-names";
import { fill, parse, placeholders } from "../core/template";
import { hasUnknown } from "../core/unknowns";
import { digest } from "./digest";
import { observe } from "./look";
import { type Operation, type Recorded, titleOf, type Verbs } from "./operation";
import { isOfProgram, recordKeys, serverKeys } from "./run-notes";

/** Takes note that the server has moved all that was below a path: the place is free, and nothing is left there to delete. */
export function noteMoved(operation: Operation, within: string, { from, to }: { from: Values; to: Values }): void {
  const { run, definition } = operation;
  for (const key of recordKeys(operation, from)) run.records.delete(key);
  run.moves.set(placeKey(operation, fill(within, from)), { title: titleOf(definition, to), to: fill(within, to) });
}

/** A record below a path that this run has moved. */
export interface MovedRecord {
  /** Where it is now. */
  readonly values: Values;
  /** What it was moved with. */
  readonly title: string;
  /** A resource of the program wants it there. */
  readonly isWanted: boolean;
}

/** Where a record of a state is now, if this run has moved it with what it is in. */
export function movedWith(operation: Operation, recorded: Values): MovedRecord | undefined {
  const { run, definition } = operation;
  const template = definition.read.path;
  const path = fill(template, recorded);
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    const moved = run.moves.get(placeKey(operation, path.slice(0, end)));
    if (moved === undefined) continue;
    const values = { ...recorded, ...parse(template, moved.to + path.slice(end)) };
    return { values, title: moved.title, isWanted: isOfProgram(operation, values) };
  }
  return undefined;
}

/** Takes note of what this run does with a place in which other records are, such as a mount. */
export function notePlace(operation: Operation, olds: Values, news: Values, { replaces }: Difference): void {
  const { run, definition } = operation;
  const { moves } = definition;
  if (!moves) return;
  const from = fill(moves.within, olds);
  const isMoved = isMoving(definition, olds, news) && !hasUnknown(news[moves.property]);
  if (replaces.length > 0) run.said.note("remakes", [placeKey(operation, from)]);
  else if (isMoved)
    run.said.note("moves", [placeKey(operation, from), placeKey(operation, from, fill(moves.within, news))]);
  if (replaces.length === 0) noteMark(operation, isMoved ? { ...olds, ...picked(news, [moves.property]) } : olds);
}

/** Takes note that such a place is made anew, whatever its difference was: a user can ask for that. */
export function noteAnew(operation: Operation, inputs: Values): void {
  const { moves } = operation.definition;
  if (!moves || hasUnknown(inputs[moves.property])) return;
  operation.run.said.note("remakes", [placeKey(operation, fill(moves.within, inputs))]);
}

/**
 * The difference of a record as far as its place decides it. What is in a mount, or bound to it as the alias of a group is,
 * goes with one that moves. It is lost with one that is made anew, and for who wants it where the mount was.
 */
export async function withPlace(
  operation: Operation,
  olds: Values,
  news: Values,
  difference: Difference,
): Promise<Difference> {
  const { definition } = operation;
  const { attached } = definition;
  const { changed, replaces } = difference;
  const property =
    attached?.property ?? definition.identity.find((name) => placeholders(definition.read.path).includes(name));
  if (property === undefined) return difference;
  if (isLost(operation, olds, news))
    return { ...difference, changed: withName(changed, property), replaces: withName(replaces, property) };
  if (!attached || !replaces.includes(property)) return difference;
  return (await isMovedAlong(operation, attached, olds, news))
    ? { ...difference, replaces: replaces.filter((name) => name !== property) }
    : difference;
}

function isLost(operation: Operation, olds: Values, news: Values): boolean {
  const { said } = operation.run;
  const keys = (places: readonly string[]) => places.map((place) => placeKey(operation, place));
  const before = placesOf(operation, olds);
  if (said.has("remakes", keys(before))) return true;
  const after = new Set(placesOf(operation, news));
  const kept = before.filter((place) => after.has(place));
  return said.has("moves", keys(kept)) || isMadeAnew(operation, olds[MOUNT_MARK], kept);
}

/** Whether another mount is there than the one that the record was written in: a run before this one did not come to the record. */
function isMadeAnew(operation: Operation, mark: unknown, places: readonly string[]): boolean {
  return typeof mark === "string" && ![mark, undefined].includes(markAt(operation, places));
}

/**
 * The verbs of a record, whose state then has the mark of its mount where this run knows that; of a mount, it tells the run.
 * A state of an earlier version has none until then.
 */
export function marking(operation: Operation, { create, read, update, remove }: Verbs): Verbs {
  return {
    create: (inputs) => marked(operation, {}, create(inputs)),
    read: (id, state) => marked(operation, state, read(id, state)),
    update: (id, olds, news) => marked(operation, olds, update(id, olds, news)),
    remove,
  };
}

async function marked<R extends Recorded | undefined>(
  operation: Operation,
  olds: Values,
  working: Promise<R>,
): Promise<R> {
  try {
    const recorded = await working;
    return recorded && { ...recorded, state: withMark(operation, olds, recorded.state) };
  } catch (error) {
    if (!isProviderError(error) || error.properties === undefined) throw error;
    throw Object.assign(error, { properties: withMark(operation, olds, error.properties) });
  }
}

function withMark(operation: Operation, olds: Values, { [MOUNT_MARK]: _, ...state }: Values): Values {
  noteMark(operation, state);
  const places = placesOf(operation, state);
  const kept = canonicalText(places) === canonicalText(placesOf(operation, olds)) ? olds[MOUNT_MARK] : undefined;
  const mark = markAt(operation, places) ?? kept;
  return mark === undefined ? state : { ...state, [MOUNT_MARK]: mark };
}

/** Tells the run which mount is at a path: what no change of it changes, hashed. */
function noteMark(operation: Operation, values: Values): void {
  const { run, definition } = operation;
  const { moves, stable } = definition;
  const known = stable.map((name) => values[name]);
  if (!moves || known.some(isEmpty)) return;
  const [key, mark] = [placeKey(operation, fill(moves.within, values)), digest(JSON.stringify(known))];
  if (run.marks.get(key) === mark) return;
  run.marks.set(key, mark);
  run.journal.note(`stands:${mark}`, [key]);
}

/** The mark of the mount at one of these paths, where a resource of the program has told it in this run. */
function markAt(operation: Operation, places: readonly string[]): string | undefined {
  const { marks, journal } = operation.run;
  const keys = places.map((place) => placeKey(operation, place));
  const own = keys.map((key) => marks.get(key)).find((mark) => mark !== undefined);
  // What was told last holds.
  return own ?? [...journal.told(keys)].findLast((deed) => deed.startsWith(STANDS))?.slice(STANDS.length);
}

const STANDS = "stands:";

/** The paths above a record, and what a part of it is bound to. */
function placesOf({ definition }: Operation, values: Values): readonly string[] {
  const segments = fill(definition.read.path, values).split("/").slice(0, -1);
  const above = segments.map((_, index) => segments.slice(0, index + 1).join("/"));
  return [...above, ...[definition.attached?.boundTo(values) ?? []].flat()];
}

/** Whether a part goes with what it is bound to: the server already has it as the program says, or this run moves it there. */
async function isMovedAlong(operation: Operation, attached: Attached, olds: Values, news: Values): Promise<boolean> {
  const [from, to] = [attached.boundTo(olds), attached.boundTo(news)];
  const { said } = operation.run;
  if (from === undefined || to === undefined || said.has("remakes", [placeKey(operation, to)])) return false;
  return said.has("moves", [placeKey(operation, from, to)]) || (await isThere(operation, attached, olds, news));
}

async function isThere(operation: Operation, { property }: Attached, olds: Values, news: Values): Promise<boolean> {
  const field = operation.definition.fields[property];
  const record = await observe(operation, olds).catch(() => undefined);
  return field !== undefined && record !== undefined && same(field, decoded(property, field, record), news[property]);
}

function withName(names: readonly string[], name: string): readonly string[] {
  return names.includes(name) ? names : [...names, name];
}

function placeKey(operation: Operation, ...paths: readonly string[]): string {
  return JSON.stringify([...(serverKeys(operation, {})[0] ?? []), ...paths]);
}
