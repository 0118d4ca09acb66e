import { isEmpty } from "../core/canonical";
import type { Definition, Values, WireRecord } from "../core/definition";
import { hasFingerprint } from "../core/fingerprint";
import { isDoubtful } from "../core/rotation";
import { FINGERPRINT_KEY } from "../core/state-names";
import { fill } from "../core/template";
import { inTurn } from "./in-turn";
import { type Operation, sayOnce } from "./operation";
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

/**
 * Says of a record that was read that its key is not the program's, where the program does not say whether the server rotates it:
 * a rotation and another hand look alike.
 */
export function sayOtherKey(operation: Operation, state: Values, found: Values): void {
  const { rotation } = operation.definition;
  const live = rotation && found[rotation.keyId];
  if (!rotation || isEmpty(live) || !isDoubtful(rotation, state)) return;
  const { keyId, secret, expected } = rotation;
  // What compares with the program's is a secret. A report on a state that encrypts it has what the state shows of the key.
  const isKnown = typeof state[FINGERPRINT_KEY] === "string";
  if (isKnown ? hasFingerprint(state, keyId, live) : state[keyId] === live) return;
  const what = `the server has the ${keyId} ${String(live)}, which is not the program's: it was rotated, or another hand has written it`;
  const todo = `Set \`${expected}: true\` where the server rotates its key, or \`${expected}: false\` to have the program's written again, by which the ${secret} of the other is lost`;
  sayOnce(operation, "warning", `${what}. ${todo}.`, state);
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
