import type { Attached } from "../core/attached";
import { isEmpty } from "../core/canonical";
import type { Values, WireRecord } from "../core/definition";
import { ProviderError } from "../core/errors";
import { same } from "../core/field";
import { decoded, stateOf } from "../core/record";
import { fill, requestPath } from "../core/template";
import type { ApiRequest } from "./api-request";
import type { Decision } from "./decide";
import { untilShown } from "./look";
import type { Operation } from "./operation";

/** The decision with what the write of the attached part needs to know. Where that is missing, nothing is written. */
export async function prepared(operation: Operation, decision: Decision): Promise<Decision> {
  const { attached } = operation.definition;
  if (!attached || decision.does === "nothing") return decision;
  const { values, before = {} } = decision;
  if (isEmpty(values[attached.property]) || isAttached(operation, attached, before, values)) return decision;
  return { ...decision, found: await neededFor(operation, attached, values) };
}

/**
 * Brings the attached part to what the program says, from what the record has after its own write. Answers the record as
 * it is then.
 */
export async function attach(operation: Operation, decision: Decision, record: WireRecord): Promise<WireRecord> {
  const { attached } = operation.definition;
  const { values } = decision;
  if (!attached || decision.does === "nothing" || isAttached(operation, attached, record, values)) return record;
  const request = await requestFor(operation, attached, { values, record, found: decision.found });
  await operation.connection.ask(request);
  const isShown = (shown: WireRecord | undefined) =>
    shown !== undefined && isAttached(operation, attached, shown, values);
  const after = await untilShown(operation, values, isShown);
  if (after !== undefined && isAttached(operation, attached, after, values)) return after;
  throw new ProviderError("ResponseError", "the server did not refuse it, and it is not as it was written.");
}

function isAttached({ definition }: Operation, { property }: Attached, record: WireRecord, values: Values): boolean {
  const field = definition.fields[property];
  return field === undefined || same(field, decoded(property, field, record), values[property]);
}

interface Attachment {
  readonly values: Values;
  readonly record: WireRecord;
  readonly found: WireRecord | undefined;
}

async function requestFor(
  operation: Operation,
  attached: Attached,
  { values, record, found }: Attachment,
): Promise<ApiRequest> {
  const { property, write, remove } = attached;
  const { signal, definition } = operation;
  const wanted = { ...stateOf(definition, record, values), [property]: values[property] };
  if (isEmpty(values[property])) return { method: "DELETE", path: requestPath(remove.path, wanted), signal };
  const members = write.members(wanted, found ?? (await neededFor(operation, attached, values)));
  return { method: "POST", path: requestPath(write.path, wanted), members, expects: "anything", signal };
}

async function neededFor(
  { definition, connection, signal }: Operation,
  { needs }: Attached,
  values: Values,
): Promise<WireRecord> {
  const path = requestPath(needs.path, values);
  const reply = await connection.collection(path, fill(definition.id, values), { signal });
  const found = reply.kind === "found" ? needs.find(reply.record, values) : undefined;
  if (found) return found;
  throw new ProviderError("InputError", needs.missing(values));
}
