import type { Attached } from "../core/attached";
import { picked } from "../core/canonical";
import type { Definition, Values } from "../core/definition";
import type { Difference } from "../core/diff";
import { ProviderError } from "../core/errors";
import { same } from "../core/field";
import { isMoving } from "../core/move";
import { decoded } from "../core/record";
import { INCOMPLETE, MOUNT_MARK } from "../core/state-names";
import { fill, parse, placeholders } from "../core/template";
import { hasUnknown } from "../core/unknowns";
import { soon } from "./foreseen-mount";
import { observe } from "./look";
import { markAt, noteMark, placesOf } from "./mount-marks";
import { type Operation, patience, titleOf } from "./operation";
import type { Run } from "./run";
import { isOfProgram, isWritten, placeKey, recordKeys } from "./run-notes";
import { aMoment } from "./unless-aborted";
import { unveiled, veiled } from "./veil";

/** Takes note that the server has moved all that was below a path: the place is free, and nothing is left there to delete. */
export function noteMoved(operation: Operation, within: string, { from, to }: { from: Values; to: Values }): void {
  const { run, definition } = operation;
  for (const key of recordKeys(operation, from)) run.records.delete(key);
  const place = placeKey(operation, fill(within, from));
  const moved: Moved = { title: titleOf(definition, to), to: fill(within, to) };
  run.said.note(`moved:${veiled(place, JSON.stringify(moved))}`, [place]);
}

interface Moved {
  readonly to: string;
  /** What it was moved with. */
  readonly title: string;
}

/** A record that this run has moved: one below a path, or what has the path, which a state may have under two names. */
export interface MovedRecord {
  /** Where it is now. */
  readonly values: Values;
  readonly title: Moved["title"];
  /** A resource of the program wants it there. */
  readonly isWanted: boolean;
}

/** Where a record of a state is now, if this run has moved it, or what it is in. */
export function movedWith(operation: Operation, recorded: Values): MovedRecord | undefined {
  const { run, definition } = operation;
  const { moves } = definition;
  const own = moves && movedFrom(run, placeKey(operation, fill(moves.within, recorded)));
  if (moves && own) return movedTo(operation, { ...recorded, ...parse(moves.within, own.to) }, own);
  const template = definition.read.path;
  const path = fill(template, recorded);
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    const moved = movedFrom(run, placeKey(operation, path.slice(0, end)));
    if (moved === undefined) continue;
    return movedTo(operation, { ...recorded, ...parse(template, moved.to + path.slice(end)) }, moved);
  }
  return undefined;
}

function movedTo(operation: Operation, values: Values, { title }: Moved): MovedRecord {
  return { values, title, isWanted: isOfProgram(operation, values) };
}

/** Where this run has moved what was at a place. */
function movedFrom({ said }: Run, place: string): Moved | undefined {
  const told = said.last("moved", [place]);
  return told === undefined ? undefined : JSON.parse(unveiled(place, told));
}

/** Where this run is to move what is at a path. */
export function movingFrom(operation: Operation, path: string): string | undefined {
  const place = placeKey(operation, path);
  const told = operation.run.said.last("moves", [place]);
  return told === undefined ? undefined : unveiled(place, told);
}

/** Takes note that what was to be moved stays for now, as that has failed: nobody waits for it. */
export function noteUnmoved(operation: Operation, within: string, from: Values): void {
  operation.run.said.note("unmoved", [placeKey(operation, fill(within, from))]);
}

/** How long a server may take for a move, unless the program says more. */
export const MOVED_MS = 60_000;

/** Waits for what this run is to move away from a place. Answers where it is to go if it is still there after a while. */
export async function untilMovedAway(operation: Operation, values: Values): Promise<string | undefined> {
  const { definition, run, signal } = operation;
  const { moves } = definition;
  const path = moves && fill(moves.within, values);
  const to = path && movingFrom(operation, path);
  if (!to) return undefined;
  const place = placeKey(operation, path);
  const isAway = () => movedFrom(run, place) !== undefined;
  if (isAway() || (await soon(operation, isAway))) return undefined;
  // The server is at it: a mount with many leases takes its time.
  const isGoing = () => isWritten(operation, values) && !run.said.has("unmoved", [place]) && !isAway();
  const until = Date.now() + patience(operation, MOVED_MS);
  while (isGoing() && Date.now() < until) await aMoment(signal);
  return isAway() ? undefined : to;
}

/** What is there until then is another resource's of this program, and not to be taken over. */
export async function assertMovedAway(operation: Operation, values: Values): Promise<void> {
  const to = await untilMovedAway(operation, values);
  if (to === undefined) return;
  const what = `another resource of this program has its path, and is still to be moved to ${to}`;
  throw new ProviderError("InputError", `${what}. Let this resource depend on that one, or run again.`);
}

/** Takes note of what this run does with a place in which other records are, such as a mount. */
export function notePlace(operation: Operation, olds: Values, news: Values, { replaces }: Difference): void {
  const { run, definition } = operation;
  const { moves } = definition;
  if (!moves) return;
  const from = fill(moves.within, olds);
  const isMoved = isMoving(definition, olds, news) && !hasUnknown(news[moves.property]);
  if (replaces.length > 0) run.said.note("remakes", [placeKey(operation, from)]);
  else if (isMoved) {
    const to = fill(moves.within, news);
    const isFree = olds[INCOMPLETE] === true || movedFrom(run, placeKey(operation, to)) !== undefined;
    const place = placeKey(operation, from);
    run.said.note(`moves:${veiled(place, to)}`, [place]);
    if (!isFree && leadsTo(operation, to, from)) throw changesPlaces(definition, { from, to, news });
  }
  if (replaces.length === 0) noteMark(operation, isMoved ? { ...olds, ...picked(news, [moves.property]) } : olds);
}

/** Whether what is at a path moves on, and one of those that follow to the other path. */
function leadsTo(operation: Operation, path: string, other: string): boolean {
  const passed = new Set<string>();
  let at: string | undefined = path;
  while (at !== undefined && at !== other && !passed.has(at)) {
    passed.add(at);
    at = movingFrom(operation, at);
  }
  return at === other;
}

function changesPlaces(definition: Definition, { from, to, news }: { from: string; to: string; news: Values }) {
  const what = `moving ${titleOf(definition, news)} from ${from} to ${to}: resources of this program change places in a ring`;
  const todo = "Move one of them to another path first, in a run of its own";
  return new ProviderError("InputError", `${what}, and the server moves nothing to a path that is taken. ${todo}.`);
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
  return said.last("moves", keys(kept)) !== undefined || isMadeAnew(operation, olds[MOUNT_MARK], kept);
}

/** Whether another mount is there than the one that the record was written in: a run before this one did not come to the record. */
function isMadeAnew(operation: Operation, mark: unknown, places: readonly string[]): boolean {
  return typeof mark === "string" && ![mark, undefined].includes(markAt(operation, places));
}

/** Whether a part goes with what it is bound to: the server already has it as the program says, or this run moves it there. */
async function isMovedAlong(operation: Operation, attached: Attached, olds: Values, news: Values): Promise<boolean> {
  const [from, to] = [attached.boundTo(olds), attached.boundTo(news)];
  const { said } = operation.run;
  if (from === undefined || to === undefined || said.has("remakes", [placeKey(operation, to)])) return false;
  return movingFrom(operation, from) === to || (await isThere(operation, attached, olds, news));
}

async function isThere(operation: Operation, { property }: Attached, olds: Values, news: Values): Promise<boolean> {
  const field = operation.definition.fields[property];
  const record = await observe(operation, olds).catch(() => undefined);
  return field !== undefined && record !== undefined && same(field, decoded(property, field, record), news[property]);
}

function withName(names: readonly string[], name: string): readonly string[] {
  return names.includes(name) ? names : [...names, name];
}
