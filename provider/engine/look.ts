import type { Definition, Values, WireRecord, Write } from "../core/definition";
import { ProviderError } from "../core/errors";
import { same } from "../core/field";
import { decoded } from "../core/record";
import { removalOf } from "../core/removal";
import { fill, placeholders, requestPath } from "../core/template";
import { isRecord } from "../core/unknowns";
import { dialects } from "../dialects";
import type { Dialect } from "../dialects/dialect";
import { naturalId } from "./natural-id";
import { type Operation, sayOnce, titleOf } from "./operation";
import { isBeforeRotation } from "./rotated-key";
import { leavesOf, placeKey } from "./run-notes";
import { noteMounts } from "./shown-mounts";
import { type Look, REPLICA_MS, waitUntil } from "./wait-until";

/** The record as the server has it; undefined when it really is not there. Everything else is an error. */
export async function observe(operation: Operation, values: Values): Promise<WireRecord | undefined> {
  const { definition, connection, signal } = operation;
  const { pick } = definition.read;
  const path = requestPath(definition.read.path, values);
  // Records that are new have no id of the server's yet, and are told apart by their names.
  const whose = `${fill(definition.id, values)} ${fill(naturalId(definition), values)}`;
  const reply = pick
    ? await connection.collection(path, whose, { signal })
    : await connection.ask({ method: "GET", path, signal });
  if (reply.kind === "absent") return undefined;
  noteMounts(operation, path, reply.record);
  const record = pick ? pick(reply.record, values) : reply.record;
  if (record === undefined && reply.filtered) throw leftOut(`GET ${path}`);
  if (record === undefined) return undefined;
  assertRecord(record, `GET ${path}`);
  // A record from a list was found by its address.
  if (!pick) assertAsked(definition, record, values, `GET ${path}`);
  return record;
}

/** The record before something is done to it. A node that does not show yet what this run itself has left there is asked again. */
export function look(operation: Operation, values: Values): Promise<WireRecord | undefined> {
  const leaves = leavesOf(operation, values);
  if (leaves === undefined) return observe(operation, values);
  // A node may still show what it was before.
  if (leaves === "blank") return Promise.resolve(undefined);
  return untilShown(operation, values, (record) =>
    leaves === "nothing" ? record === undefined : record !== undefined && !isBeforeRotation(operation, values, record),
  );
}

/** The record once a node shows it with what was written; after a while as it is shown, whatever that means. */
export function untilShown(
  operation: Operation,
  values: Values,
  isShown: (record: WireRecord | undefined) => boolean,
): Promise<WireRecord | undefined> {
  return untilCurrent(operation, values, () => observe(operation, values), isShown);
}

/** What a node shows once it has seen what this run has done; after a while what it shows then, whatever that means. */
export function untilCurrent<T>(
  operation: Operation,
  values: Values,
  ask: () => Promise<T>,
  isCurrent: (shown: T) => boolean,
): Promise<T> {
  const { definition, log, signal } = operation;
  const title = titleOf(definition, values);
  const until = Date.now() + REPLICA_MS;
  const look = async (): Promise<Look<T>> => {
    const shown = await ask();
    if (isCurrent(shown) || Date.now() >= until) return { done: shown };
    const what = `the server does not show it as it was left; it is asked again for up to ${REPLICA_MS / 1000} s`;
    sayOnce(operation, "info", what, values);
    return { pending: { state: "not shown as it was left", wanted: "shown so" } };
  };
  return waitUntil({ title, budgetMs: 2 * REPLICA_MS, otherwise: "The next run looks again.", log, signal }, look);
}

/**
 * Throws, before a record is declared gone, where the server does not have the record that holds the collection. A proxy
 * may answer every list with an empty one.
 */
export async function assertHome(operation: Operation, values: Values): Promise<void> {
  const { connection, definition, signal } = operation;
  const home = homeOf(operation, values);
  if (home === undefined) return;
  const reply = await connection.ask({ method: "GET", path: home.path, signal });
  const isThere = reply.kind === "found" && isRecord(reply.record) && reply.record["id"] === home.id;
  if (!isThere) throw new ProviderError("ResponseError", `the server has no ${home.path}. Check the address.`);
  const own = removalOf(definition, values)?.path;
  if (own !== undefined) noteGoneAt(operation, requestPath(own, values));
}

/** The record that holds the collection in which this one is looked for. */
export function homeOf({ definition }: Operation, values: Values) {
  const dialect: Dialect = dialects[definition.dialect];
  return dialect.home?.(requestPath(definition.read.path, values));
}

/** Whether the answer to this write is the record that is stored then. What sends nothing is an action with a result. */
export function answersRecord({ dialect }: Definition, { sends }: Write): boolean {
  const { answersWrites = false }: Dialect = dialects[dialect];
  return answersWrites || sends === "nothing";
}

/** A list that the token may see only in part says nothing of what is not in it. */
export function leftOut(asked: string): ProviderError {
  const hint = "The token needs read on all of it.";
  const text = `the list leaves out what the token may not see (${asked}). ${hint}`;
  return new ProviderError("ApiError", text, { status: 200 });
}

export function assertRecord(answer: unknown, asked: string): asserts answer is WireRecord {
  if (!isRecord(answer)) throw new ProviderError("ResponseError", `the server's answer is no record (${asked}).`);
}

/** A record that names itself must be the one that was asked for. */
export function assertAsked(definition: Definition, record: WireRecord, values: Values, asked: string): void {
  for (const name of placeholders(definition.id)) {
    const field = definition.fields[name] ?? definition.outputs[name];
    if (!field?.wire || !(field.wire in record) || values[name] === undefined) continue;
    if (same(field, decoded(name, field, record), values[name])) continue;
    // What it is instead is the server's text, and may be anything.
    const other = `its ${name} is not ${JSON.stringify(values[name])}`;
    throw new ProviderError("ResponseError", `the server answered with another record: ${other} (${asked}).`);
  }
}

/** Takes note that nothing is at this path any more, nor in it. */
function noteGoneAt(operation: Operation, path: string): void {
  const key = placeKey(operation, path);
  operation.run.leaves.set(key, "nothing");
  operation.run.journal.note("gone", [key]);
}
