import type { Attached } from "../core/attached";
import { isEmpty } from "../core/canonical";
import type { Values, WireRecord } from "../core/definition";
import { isProviderError, ProviderError } from "../core/errors";
import { same } from "../core/field";
import { decoded, stateOf } from "../core/record";
import { MOUNT_MARK } from "../core/state-names";
import { WILL_BE_REFUSED } from "../core/take-over-words";
import { fill, requestPath } from "../core/template";
import { hasUnknown } from "../core/unknowns";
import { dialects } from "../dialects";
import type { Dialect } from "../dialects/dialect";
import type { ApiRequest } from "./api-request";
import type { Decision } from "./decide";
import { observe, untilCurrent, untilShown } from "./look";
import { markAt, markOf } from "./mount-marks";
import { type Operation, refreshFirst, titleOf } from "./operation";

/** The decision with what the write of the attached part needs to know. Where that is missing, nothing is written. */
export async function prepared(operation: Operation, decision: Decision, olds: Values = {}): Promise<Decision> {
  const { attached } = operation.definition;
  if (!attached || decision.does === "nothing") return decision;
  const { values, before = {} } = decision;
  if (!isToBind(operation, attached, before, values)) return decision;
  const found = await neededFor(operation, attached, values);
  assertSameMount(operation, attached, { olds, values, found });
  return { ...decision, found };
}

/** The same refusal in a preview. What is not there yet, this run may make. */
export async function foreseeBinding(operation: Operation, olds: Values, record: WireRecord, values: Values) {
  const { attached } = operation.definition;
  if (!attached || !isToBind(operation, attached, record, values)) return;
  const found = await neededFor(operation, attached, values).catch(() => undefined);
  if (found) assertSameMount(operation, attached, { olds, values, found });
}

function isToBind(operation: Operation, attached: Attached, record: WireRecord, values: Values): boolean {
  return !isEmpty(values[attached.property]) && !isAttached(operation, attached, record, values);
}

/** Refuses to bind the part to a mount that another hand has made in the place of the recorded one. This run may have made it. */
function assertSameMount(
  operation: Operation,
  { boundTo, property }: Attached,
  { olds, values, found }: Readonly<Record<"olds" | "values" | "found", Values>>,
): void {
  const [before, place] = [boundTo(olds), boundTo(values)];
  if (olds[MOUNT_MARK] === undefined || place === undefined || before !== place) return;
  const marks = [olds[MOUNT_MARK], markAt(operation, [place])];
  if (marks.includes(markOf([found["accessor"]]))) return;
  const what = `its ${property} would go to another mount at ${place} than was recorded, which somebody else has made since`;
  throw refreshFirst(what);
}

/**
 * Says in a preview that another record has the part already: the update would write all but the part, and fail then. The run
 * may let go of it there, so that nothing is refused. Where the token may not look, the update tells.
 */
export async function foreseeAttached(operation: Operation, values: Values, olds: Values = {}): Promise<void> {
  const { definition, connection, signal, log } = operation;
  const { attached, fields } = definition;
  const field = attached && fields[attached.property];
  const part = attached && values[attached.property];
  if (!attached || !field || isEmpty(part) || hasUnknown(part) || same(field, olds[attached.property], part)) return;
  const { names }: Dialect = dialects[definition.dialect];
  try {
    if ((await connection.server(signal)) === undefined) return;
    const found = await neededFor(operation, attached, values);
    const path = attached.taken.path + (names?.query ?? "");
    const list = await connection.collection(path, fill(definition.id, values), { signal });
    const record = await observe(operation, values);
    const own = record ? { ...stateOf(definition, record, values), [attached.property]: part } : values;
    const other = list.kind === "found" ? attached.taken.by(list.record, own, found) : undefined;
    if (other === undefined) return;
    const { noun } = attached.taken;
    const what = `another ${noun} (${other}) has its ${attached.property}`;
    const todo = `remove it there first, or give another one`;
    log(
      "warning",
      `${titleOf(definition, values)}: ${WILL_BE_REFUSED}, unless this run takes it away there: ${what}: ${todo}`,
    );
  } catch (error) {
    if (!isProviderError(error)) throw error;
  }
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

async function neededFor(operation: Operation, { needs, boundTo }: Attached, values: Values): Promise<WireRecord> {
  const { definition, connection, signal } = operation;
  const path = requestPath(needs.path, values);
  const ask = async () => {
    const reply = await connection.collection(path, fill(definition.id, values), { signal });
    return reply.kind === "found" ? needs.find(reply.record, values) : undefined;
  };
  // What this run has made, or has seen, is there: a node that does not show it is behind.
  const isThere = () => markAt(operation, [boundTo(values) ?? []].flat()) !== undefined;
  const isShown = (found: WireRecord | undefined) => found !== undefined;
  const found = (await ask()) ?? (isThere() ? await untilCurrent(operation, values, ask, isShown) : undefined);
  if (found) return found;
  throw new ProviderError("InputError", needs.missing(values));
}
