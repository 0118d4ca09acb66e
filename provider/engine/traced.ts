import type { Definition, Values, WireRecord } from "../core/definition";
import { ProviderError } from "../core/errors";
import { stateOf } from "../core/record";
import { INCOMPLETE } from "../core/state-names";
import { fill, placeholders, requestPath } from "../core/template";
import { isSame } from "./decide";
import type { Operation } from "./operation";

/**
 * The values with the name or path that the record has by now; as they are where the server does not show it elsewhere. A
 * record of a state that is not where it was is not gone yet: another hand may have renamed or moved it.
 */
export async function traced(operation: Operation, values: Values): Promise<Values> {
  const { connection, definition, signal } = operation;
  const { trace, read } = definition;
  if (!trace || placeholders(trace.path).some((name) => values[name] === undefined)) return values;
  const path = requestPath(trace.path, values);
  const reply = read.pick
    ? await connection.collection(path, fill(definition.id, values), { signal })
    : await connection.ask({ method: "GET", path, signal });
  const now = reply.kind === "found" ? trace.find(reply.record, values) : undefined;
  return now === undefined ? values : { ...values, [trace.property]: now };
}

/** Whether the state's record is not where it was: nothing is there, or another one, which the server has given another id. */
export function isAway(definition: Definition, values: Values, record: WireRecord | undefined): boolean {
  return record === undefined || otherId(definition, values, record) !== undefined;
}

/** What the server has given the record that is there, and has not given the one of the state. */
function otherId(definition: Definition, values: Values, record: WireRecord): string | undefined {
  const [id] = definition.stable;
  // What is found by the server's id is no other one; an import may give a name in its place.
  if (id === undefined || values[id] === undefined || placeholders(definition.id).includes(id)) return undefined;
  return stateOf(definition, record, values)[id] === values[id] ? undefined : id;
}

/**
 * What tells a record that somebody else has made in the place of the state's one: that is gone. A server gives a record its id
 * for as long as it is there, a peering too, whatever token is issued for it or established with. What a failure has left
 * half-way may be of the run that failed.
 */
export function supplantedBy(definition: Definition, values: Values, record: WireRecord): string | undefined {
  const other = INCOMPLETE in values ? undefined : otherId(definition, values, record);
  return other === undefined ? undefined : `somebody else has made another one since, with another ${other}`;
}

/**
 * Refuses to make a second record, to take another for the first one, or to call the first one deleted, where another hand has
 * renamed or moved it, or has made another one in its place.
 */
export async function assertNotAnother(operation: Operation, values: Values, record?: WireRecord): Promise<void> {
  const { trace, inhabited, stage } = operation.definition;
  if (!isAway(operation.definition, values, record)) return;
  const now = trace ? await traced(operation, values) : values;
  if (trace && !isSame(operation.definition, trace.property, now, values)) {
    const what = `another hand has changed its ${trace.property} to ${JSON.stringify(now[trace.property])} since`;
    throw new ProviderError("InputError", `${what}: the state does not show that yet. Refresh it, then run again.`);
  }
  // What lives in a mount has a refusal of its own.
  const what = record && !inhabited && supplantedBy(operation.definition, values, record);
  if (!what) return;
  // Once a refresh has shown that a peering is gone, or half of a pair, the other one has the name that the program wants.
  const todo = stage ? "if it is in the way then, delete it or choose another name" : "then run again";
  throw new ProviderError("InputError", `${what}. Refresh the state to see it, ${todo}.`);
}
