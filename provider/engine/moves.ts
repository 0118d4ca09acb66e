import type { Values } from "../core/definition";
import type { Difference } from "../core/diff";
import { same } from "../core/field";
import { isMoving } from "../core/move";
import { decoded } from "../core/record";
import { fill, parse } from "../core/template";
import { hasUnknown } from "../core/unknowns";
import { observe } from "./look";
import { type Operation, titleOf } from "./operation";
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

/**
 * The difference of a record as far as a place decides it. A mount tells the run that it moves, or is made anew; what is
 * bound to it, such as the alias of a group, goes with it, or is lost.
 */
export async function withPlace(
  operation: Operation,
  olds: Values,
  news: Values,
  difference: Difference,
): Promise<Difference> {
  notePlace(operation, olds, news, difference);
  const { run, definition } = operation;
  const [from, to] = [olds, news].map((values) => definition.attached?.boundTo(values));
  if (!definition.attached || from === undefined) return difference;
  const { property } = definition.attached;
  const { changed, replaces } = difference;
  if (run.said.has("remakes", [placeKey(operation, from)]))
    return { ...difference, changed: withName(changed, property), replaces: withName(replaces, property) };
  if (!replaces.includes(property) || to === undefined) return difference;
  const isMoved = run.said.has("moves", [placeKey(operation, from, to)]) || (await isThere(operation, olds, news));
  return isMoved ? { ...difference, replaces: replaces.filter((name) => name !== property) } : difference;
}

function notePlace(operation: Operation, olds: Values, news: Values, { replaces }: Difference): void {
  const { run, definition } = operation;
  const { moves } = definition;
  if (!moves) return;
  const from = fill(moves.within, olds);
  const isMoved = isMoving(definition, olds, news) && !hasUnknown(news[moves.property]);
  if (replaces.length > 0) run.said.note("remakes", [placeKey(operation, from)]);
  else if (isMoved) run.said.note("moves", [placeKey(operation, from, fill(moves.within, news))]);
}

/** Whether the server already has the part as the program says, although nobody in this run has moved it. */
async function isThere(operation: Operation, olds: Values, news: Values): Promise<boolean> {
  const { attached, fields } = operation.definition;
  const field = attached && fields[attached.property];
  if (!field) return false;
  try {
    const record = await observe(operation, olds);
    return record !== undefined && same(field, decoded(attached.property, field, record), news[attached.property]);
  } catch {
    return false;
  }
}

function withName(names: readonly string[], name: string): readonly string[] {
  return names.includes(name) ? names : [...names, name];
}

function placeKey(operation: Operation, ...paths: readonly string[]): string {
  return JSON.stringify([...(serverKeys(operation, {})[0] ?? []), ...paths]);
}
