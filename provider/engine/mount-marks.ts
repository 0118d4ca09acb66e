import { canonicalText, isEmpty } from "../core/canonical";
import type { Values } from "../core/definition";
import { isProviderError } from "../core/errors";
import { MOUNT_MARK } from "../core/state-names";
import { fill } from "../core/template";
import { digest } from "./digest";
import type { Operation, Recorded, Verbs } from "./operation";
import { placeKey } from "./run-notes";

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
export function noteMark(operation: Operation, values: Values): void {
  const { run, definition } = operation;
  const { moves, stable } = definition;
  const known = stable.map((name) => values[name]);
  if (!moves || known.some(isEmpty)) return;
  const [key, mark] = [placeKey(operation, fill(moves.within, values)), markOf(known)];
  if (run.said.last("stands", [key]) !== mark) run.said.note(`stands:${mark}`, [key]);
}

/** Tells the run of a mount that another hand has made in the place of the state's one. */
export function noteAnotherMount(operation: Operation, values: Values): void {
  const { moves } = operation.definition;
  if (moves) operation.run.said.note("anew", [placeKey(operation, fill(moves.within, values))]);
}

/** The mark of a mount with these values of what no change of it changes. */
export function markOf(stable: readonly unknown[]): string {
  return digest(JSON.stringify(stable));
}

/**
 * Whether the mount that is there, by its mark, is not the one that the state's record was written into. A state that has no mark
 * is as old as that of the mount.
 */
export function isOfAnotherMount(operation: Operation, state: Values, there: string | undefined): boolean {
  const places = placesOf(operation, state);
  const isAnew = () =>
    operation.run.said.has(
      "anew",
      places.map((place) => placeKey(operation, place)),
    );
  const mark = state[MOUNT_MARK] ?? (isAnew() ? "" : markAt(operation, places));
  return there !== undefined && mark !== undefined && mark !== there;
}

/** The mark of the mount at one of these paths, where a resource of the program has told it in this run. */
export function markAt(operation: Operation, places: readonly string[]): string | undefined {
  const keys = places.map((place) => placeKey(operation, place));
  return operation.run.said.last("stands", keys);
}

/** The paths above a record, and what a part of it is bound to. */
export function placesOf({ definition }: Operation, values: Values): readonly string[] {
  const segments = fill(definition.read.path, values).split("/").slice(0, -1);
  const above = segments.map((_, index) => segments.slice(0, index + 1).join("/"));
  return [...above, ...[definition.attached?.boundTo(values) ?? []].flat()];
}
