import { isEmpty } from "../core/canonical";
import type { Definition, Values, WireRecord } from "../core/definition";
import { hasFingerprint } from "../core/fingerprint";
import { stateOf } from "../core/record";
import { FINGERPRINTS } from "../core/state-names";
import { fill } from "../core/template";
import { mountOf } from "./mount-type";
import { type Operation, titleOf } from "./operation";
import { noteLeft, placeKey } from "./run-notes";

/** Takes note of a record that stays until its mount goes, and of the key in it that nobody else has. */
export function noteForgotten(operation: Operation, values: Values): void {
  noteLeft(operation, values);
  const key = ownKeyOf(operation.definition, values);
  const place = placeOf(operation, values);
  if (key === undefined || place === undefined) return;
  const { ownKeys } = operation.run;
  ownKeys.set(place, ownKeys.get(place) || key);
}

/** Takes note of it, and says that it stays. That is no warning where its mount goes in the same run, which Pulumi does not tell beforehand. */
export function sayForgotten(operation: Operation, values: Values): void {
  const { run, log, showsOnlyWarnings } = operation;
  noteForgotten(operation, values);
  const place = placeOf(operation, values);
  const stays = showsOnlyWarnings || place === undefined || run.wantedMounts.has(place);
  const what = "stays on the server: the API cannot delete it, so it is only forgotten";
  log(stays ? "warning" : "info", `${titleOf(operation.definition, values)} ${what}`);
}

/** Says, of a mount that is about to go, which key is lost with it. */
export function sayLostKey(operation: Operation, values: Values): void {
  const { definition, run, log } = operation;
  const { moves } = definition;
  const key = moves && run.ownKeys.get(placeKey(operation, fill(moves.within, values)));
  if (key === undefined) return;
  log("warning", `${titleOf(definition, values)}: ${lossOf(key)}: it is lost with the mount. ${TODO}.`);
}

/** Whoever plans to forget such a record reads this before the mount goes; undefined where no key is known to be lost. */
export function foreseenLoss(definition: Definition, values: Values): string | undefined {
  const key = ownKeyOf(definition, values);
  return (
    key && `${titleOf(definition, values)}: ${lossOf(key)}: it is lost where the mount is destroyed, too. ${TODO}.`
  );
}

/**
 * Why a record is not blanked: it has another key than the program, which neither a rotation of this stack has made, as far as the
 * run knows, nor one that the program expects. No server shows a key again.
 */
export function otherKey(operation: Operation, values: Values, record: WireRecord): string | undefined {
  const { definition, run } = operation;
  const { rotation } = definition;
  if (
    !rotation ||
    [rotation.expected, ...rotation.schedules].some((name) => !isEmpty(values[name]) && values[name] !== false)
  )
    return undefined;
  const [key, place] = [stateOf(definition, record, values)[rotation.keyId], placeOf(operation, values)];
  const own = place === undefined ? undefined : run.ownKeys.get(place);
  const isPrograms =
    key === values[rotation.keyId] && (!values[FINGERPRINTS] || hasFingerprint(values, rotation.keyId, key));
  if (isEmpty(key) || isPrograms || key === own) return undefined;
  return `has another ${rotation.keyId} by now (${String(key)}), which another hand may have written, and is not blanked`;
}

const TODO = "Delete the key in the cloud, where it stays valid";

function lossOf(key: string): string {
  const made = key === "" ? "the server may have made its root key" : `the server has made its root key ${key}`;
  return `${made} itself, and nobody else has the secret${key === "" ? " then" : ""}`;
}

/** The id of a key that the server has made, empty where only that is known. */
function ownKeyOf({ rotation, update, outputs }: Definition, values: Values): string | undefined {
  if (update.sends === "nothing") return Object.keys(outputs).map((name) => String(values[name] ?? ""))[0];
  if (!rotation) return undefined;
  const { keyId, expected } = rotation;
  if (values[expected] === true) return "";
  const key = values[keyId];
  // Of an imported record nobody knows who has made the key.
  if (typeof key !== "string" || key === "" || values[FINGERPRINTS] === undefined) return undefined;
  return hasFingerprint(values, keyId, key) ? undefined : key;
}

function placeOf(operation: Operation, values: Values): string | undefined {
  const mount = mountOf(operation, values);
  return mount && placeKey(operation, mount.path);
}
