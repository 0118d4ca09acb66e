import type { Definition, Values, WireRecord } from "../core/definition";
import { askWhoseKey, isExpected, isReplaced, withLiveKey } from "../core/rotation";
import { fill } from "../core/template";
import { inTurn } from "./in-turn";
import type { Operation } from "./operation";
import { placeKey } from "./run-notes";
import { unveiled, veiled } from "./veil";

/**
 * Does the work when no other operation is about the same root key: a program need not say that its rotation depends on its
 * configuration, and a configuration that has looked before a rotation would write the dead key after it.
 */
export function inTurnOfKey<T>(operation: Operation, values: Values, work: () => Promise<T>): Promise<T> {
  const { definition } = operation;
  const isOfKey = definition.rotation !== undefined || isRotation(definition);
  return isOfKey ? inTurn(work, placeOf(operation, values)) : work();
}

/** Takes note that the stack has a rotation of this root key: then another key than the program's is nobody else's. */
export function noteRotation(operation: Operation, values: Values): void {
  if (isRotation(operation.definition)) operation.run.said.note("rotates", [placeOf(operation, values)]);
}

/**
 * What the program says, with the server's key in place of its own where the run knows why it is another one. A check sees the inputs
 * of the last run only: what the server has done since is in the state.
 */
export function withKnownKey(operation: Operation | undefined, news: Values, olds: Values): Values {
  const { rotation } = operation?.definition ?? {};
  if (!operation || !rotation) return news;
  const isKnown = isExpected(rotation, news) || operation.run.said.has("rotates", [placeOf(operation, news)]);
  return isKnown ? withLiveKey(rotation, news, olds) : news;
}

/** Takes note that this run has read the record: by then it has read the whole state, or plans with it. */
export function noteRefreshed(operation: Operation, values: Values): void {
  if (operation.definition.rotation) operation.run.said.note("refreshed", [placeOf(operation, values)]);
}

/**
 * Refuses to write the program's key over one that may come from a rotation of the stack: a run that has seen neither the state
 * nor the program before does not know of it, and the server would have a dead key.
 */
export function assertNotRotated(operation: Operation, olds: Values, news: Values): void {
  const { definition, run } = operation;
  const { rotation } = definition;
  if (!rotation || !isReplaced(rotation, { olds, news }) || news[rotation.expected] === false) return;
  const sight = run.sight();
  const isSeen = sight === "whole" || (sight !== "part" && run.said.has("refreshed", [placeOf(operation, news)]));
  if (!isSeen) askWhoseKey(rotation, olds[rotation.keyId]);
}

/** Takes note of the key that a rotation has answered. */
export function noteRotated(operation: Operation, values: Values, answer: WireRecord): void {
  if (!isRotation(operation.definition)) return;
  const place = placeOf(operation, values);
  operation.run.said.note(`rotated:${veiled(place, JSON.stringify(keyIn(operation.definition, answer)))}`, [place]);
}

/** Whether this run has rotated the key, and the record shows another one: a node that is behind shows the dead one. */
export function isBeforeRotation(operation: Operation, values: Values, record: WireRecord): boolean {
  const { definition, run } = operation;
  const { rotation } = definition;
  const place = placeOf(operation, values);
  const told = rotation && run.said.last("rotated", [place]);
  if (told === undefined) return false;
  const key: unknown = JSON.parse(unveiled(place, told));
  return key !== record[definition.fields[rotation?.keyId ?? ""]?.wire ?? ""];
}

/** What sends nothing makes the server act, and answers what came of it. */
function isRotation({ update }: Definition): boolean {
  return update.sends === "nothing";
}

function keyIn({ outputs }: Definition, answer: WireRecord): unknown {
  return Object.values(outputs).map(({ wire }) => answer[wire])[0];
}

function placeOf(operation: Operation, values: Values): string {
  return placeKey(operation, fill(operation.definition.read.path, values));
}
