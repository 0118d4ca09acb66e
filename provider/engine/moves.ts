import type { Values } from "../core/definition";
import { fill, parse } from "../core/template";
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

function placeKey(operation: Operation, path: string): string {
  return JSON.stringify([...(serverKeys(operation, {})[0] ?? []), path]);
}
