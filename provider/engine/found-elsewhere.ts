import type { ServerInfo } from "../core/availability";
import type { Values, WireRecord } from "../core/definition";
import { stateOf } from "../core/record";
import { IS_TAKEN_OVER } from "../core/take-over-words";
import { isElsewhere } from "./assert-server";
import { assertCanBeTakenOver } from "./decide";
import { anotherMount } from "./mount-type";
import { messageOf, type Operation, titleOf } from "./operation";
import { recordKeys } from "./run-notes";
import { assertMayBeTakenOver, changesBetween, settingOf } from "./take-over";

// Where the stack has written nothing, each record is one that somebody else has made: on a server that was rebuilt, as the user
// says, and in a mount that another hand has made anew.

/** Says where the record is, if that is such a place. */
export async function strangePlace(
  operation: Operation,
  state: Values,
  server: ServerInfo | undefined,
  { isRead = false } = {},
): Promise<string | undefined> {
  const { address } = operation.connection.settings;
  if (isElsewhere(state, server)) return `on the server at ${address.origin}, to which the state was not written`;
  const another = await anotherMount(operation, state, { isRead });
  return another ? "in the mount that was made anew there since" : undefined;
}

/** What a refresh does with such a record, and says. False where it may not be taken over: then the state has it no more. */
export function isTakenOver(operation: Operation, recorded: Values, record: WireRecord, place: string): boolean {
  const { definition, log, showsOnlyWarnings } = operation;
  const title = titleOf(definition, recorded);
  const live = stateOf(definition, record, recorded);
  noteFound(operation, recorded);
  try {
    assertCanBeTakenOver(definition, live, recorded);
    assertMayBeTakenOver(definition, { record, live, inputs: recorded, takeOver: settingOf(operation, recorded) });
  } catch (error) {
    log("warning", `${title} leaves the state, and stays ${place}: ${messageOf(error)}`);
    return false;
  }
  const changes = changesBetween(definition, live, recorded);
  const how = changes.length === 0 ? "as it was recorded" : `otherwise than recorded: ${changes.join(", ")}`;
  const level = changes.length === 0 && !showsOnlyWarnings ? "info" : "warning";
  log(level, `${title} is there already ${place}, ${how}. ${IS_TAKEN_OVER}`);
  return true;
}

/** Whether a delete leaves the record, and says so: also one that a refresh of this run has taken over. */
export function stays(operation: Operation, state: Values, place: string | undefined): boolean {
  const { definition, log, run } = operation;
  const isFound = run.said.has("found", recordKeys(operation, state));
  if (place === undefined && !isFound) return false;
  noteFound(operation, state);
  log(
    "warning",
    `${titleOf(definition, state)} leaves only the state: what is ${place ?? "there"} is not the stack's, and stays`,
  );
  return true;
}

export function noteFound(operation: Operation, recorded: Values): void {
  operation.run.said.note("found", recordKeys(operation, recorded));
}
