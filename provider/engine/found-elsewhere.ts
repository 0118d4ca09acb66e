import type { ServerInfo } from "../core/availability";
import type { Values, WireRecord } from "../core/definition";
import { stateOf } from "../core/record";
import { IS_TAKEN_OVER } from "../core/take-over-words";
import { isElsewhere, withServer } from "./assert-server";
import { assertCanBeTakenOver } from "./decide";
import { messageOf, type Operation, titleOf } from "./operation";
import { recordKeys } from "./run-notes";
import { assertMayBeTakenOver, changesBetween, settingOf } from "./take-over";

// A server to which the state was not written: the user has said that it was rebuilt. Each record there is somebody else's, as for
// a creation.

/** What a refresh does with such a record, and says. False where it may not be taken over: then the state has it no more. */
export function isTakenOver(operation: Operation, recorded: Values, record: WireRecord): boolean {
  const { definition, log, showsOnlyWarnings } = operation;
  const title = titleOf(definition, recorded);
  const live = stateOf(definition, record, recorded);
  try {
    assertCanBeTakenOver(definition, live, recorded);
    assertMayBeTakenOver(definition, { record, live, inputs: recorded, takeOver: settingOf(operation, recorded) });
  } catch (error) {
    log("warning", `${title} leaves the state, and stays on ${serverOf(operation)}: ${messageOf(error)}`);
    return false;
  }
  const changes = changesBetween(definition, live, recorded);
  const how = changes.length === 0 ? "as it was recorded" : `otherwise than recorded: ${changes.join(", ")}`;
  const level = changes.length === 0 && !showsOnlyWarnings ? "info" : "warning";
  log(level, `${title} is there already on ${serverOf(operation)}, ${how}. ${IS_TAKEN_OVER}`);
  noteFound(operation, recorded);
  return true;
}

export function noteFound(operation: Operation, recorded: Values): void {
  operation.run.said.note("found", recordKeys(operation, recorded));
}

/** Whether a delete leaves such a record, and says so: also one that a refresh of this run has taken over. */
export function staysThere(operation: Operation, state: Values, server: ServerInfo | undefined): boolean {
  const { definition, log, run } = operation;
  const isOthers =
    isElsewhere(state, server) || run.said.has("found", recordKeys(operation, withServer(state, server)));
  if (isOthers)
    log("warning", `${titleOf(definition, state)} leaves only the state: it stays on ${serverOf(operation)}`);
  return isOthers;
}

function serverOf({ connection }: Operation): string {
  return `the server at ${connection.settings.address.origin}, to which the state was not written`;
}
