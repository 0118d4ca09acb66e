import type { Definition, Values, WireRecord } from "../core/definition";
import { diff } from "../core/diff";
import { stateOf } from "../core/record";
import { removalOf } from "../core/removal";
import { INCOMPLETE } from "../core/state-names";
import { isSame } from "./decide";
import { look, observe } from "./look";
import { type Operation, refreshFirst, titleOf } from "./operation";
import { recordKeys } from "./run-notes";

/** What is about to be deleted. @throws where it is another kind of thing by now than was recorded. */
export async function lastLook(operation: Operation, values: Values): Promise<WireRecord | undefined> {
  const { definition, looked } = operation;
  const { record } = looked ?? { record: await look(operation, values) };
  // What a failure has left half-way is not another hand's. Of a peering, another hand can change nothing in place.
  if (record === undefined || INCOMPLETE in values || definition.stage) return record;
  const live = stateOf(definition, record, values);
  // What lives in a mount has a refusal of its own, which names the way on.
  const other = definition.inhabited
    ? undefined
    : kindOf(definition).find((name) => !isSame(definition, name, live, values));
  if (other !== undefined) {
    const what = `somebody else has made another one since, with another ${other} (${JSON.stringify(live[other])})`;
    throw refreshFirst(what);
  }
  return record;
}

/** Says where somebody else has changed what is deleted since it was recorded: it goes all the same, as the program says. */
export function sayChanged({ definition, log }: Operation, values: Values, record: WireRecord | undefined): void {
  if (record === undefined || INCOMPLETE in values || definition.stage) return;
  const { changed } = diff(definition, stateOf(definition, record, values), values);
  // Whose key it is has a rule of its own.
  const names = changed.filter((name) => name in definition.fields && name !== definition.rotation?.keyId);
  if (names.length > 0) {
    const what = `somebody else has changed ${names.join(" and ")} since it was recorded`;
    const done = removalOf(definition, values)?.method === "POST" ? "blanked" : "deleted";
    log("warning", `${titleOf(definition, values)}: ${what}. It is ${done} all the same.`);
  }
}

/**
 * Says, of a record that stays for a resource which this run leaves as it is, where it is not as that one has it: a run that
 * failed has written it for this one, and an update looks at nothing that did not change.
 */
export async function sayOverwritten(operation: Operation, values: Values): Promise<void> {
  const { definition, log, run } = operation;
  const states = recordKeys(operation, values).map((key) => run.records.get(key)?.state);
  const kept = states.find((state) => state !== undefined);
  const isAlike = (live: Values) => kept === undefined || diff(definition, live, kept).changed.length === 0;
  if (kept === undefined || (isAlike(values) && !(INCOMPLETE in values))) return;
  const record = await observe(operation, values).catch(() => undefined);
  if (record === undefined || isAlike(stateOf(definition, record, kept))) return;
  const what = "a run before this one has written it for a resource that is gone now";
  log("warning", `${titleOf(definition, values)}: ${what}, and it is not as the program says. ${REFRESH}`);
}

const REFRESH = "Run `pulumi up --refresh` once, which puts it right.";

/** Says what the server changes of records beside the one that is deleted, whoever manages them. */
export function sayBeside({ definition, log }: Operation, values: Values, record: WireRecord | undefined): void {
  const beside = record && removalOf(definition, values)?.beside?.(record);
  if (beside !== undefined) log("warning", `${titleOf(definition, values)}: ${beside}`);
}

/** The properties that say what kind of thing a record is. */
function kindOf({ adopt, replaceOn }: Definition): readonly string[] {
  return (adopt?.by ?? []).filter((name) => replaceOn.includes(name));
}
