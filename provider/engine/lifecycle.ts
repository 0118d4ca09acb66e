import { setTimeout as sleep } from "node:timers/promises";
import type { ServerInfo } from "../core/availability";
import { isEmpty } from "../core/canonical";
import type { Definition, Values, Write } from "../core/definition";
import { diff, INCOMPLETE } from "../core/diff";
import { during, isProviderError, ProviderError } from "../core/errors";
import { bodyOf, membersOf, stateOf } from "../core/record";
import { fill, parse, requestPath } from "../core/template";
import { isRecord } from "../core/unknowns";
import { lacking } from "../core/availability";
import { same } from "../core/field";
import type { Connection, Log } from "./connection";

/** A record and the id under which it is known. */
export interface Recorded {
  readonly id: string;
  readonly state: Values;
}

/** What one operation works on. */
export interface Operation {
  readonly definition: Definition;
  readonly connection: Connection;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

/** The property that remembers which server the state was written to. */
export const SERVER = "server";

const GONE_BUDGET_MS = 60_000;
const GONE_PAUSE_MS = 250;

/** Writes a record that is new to the program; one that is already there is taken over. */
export async function create(operation: Operation, inputs: Values): Promise<Recorded> {
  return doing("creating", operation, inputs, async () => {
    const server = await operation.connection.server();
    const written = await writeNew(operation, inputs, server);
    return recorded(operation, written, inputs, server);
  });
}

/** Brings the record to what the program says, from whatever it was. */
export async function update(operation: Operation, id: string, olds: Values, news: Values): Promise<Recorded> {
  const { definition } = operation;
  const kept = { ...computed(definition, olds), ...news };
  return doing("updating", operation, kept, async () => {
    const server = await operation.connection.server();
    assertSameServer(operation, olds, server);
    const { changed } = diff(definition, olds, news);
    const write = definition.update;
    // Issuing a new one is an effect of its own: it needs a change, not just another run.
    if (write.mints && changed.length === 0) return { ...(await readBack(operation, kept, server)), id };
    const members = await membersToWrite(operation, write, olds, kept, changed, server);
    const written = await send(operation, write, kept, members).catch((error: unknown) => {
      throw definition.create.path !== write.path && isGoneError(error) ? goneError(error) : error;
    });
    return recorded(operation, written, kept, server, id);
  });
}

/** What the server has now; undefined when the record really is gone. `id` alone is enough. */
export async function read(operation: Operation, id: string, state: Values): Promise<Recorded | undefined> {
  const { definition } = operation;
  const values = { ...parse(definition.id, id), ...state };
  return doing("reading", operation, values, async () => {
    const record = await observe(operation, values);
    const server = await operation.connection.server();
    if (record === undefined) {
      if (!operation.connection.settings.rebuilt) assertSameServer(operation, state, server);
      return undefined;
    }
    return { id, state: withServer(stateOf(definition, record, values), server) };
  });
}

/** Removes the record, or forgets it where the API cannot delete. A record that is gone already is a success. */
export async function remove(operation: Operation, id: string, state: Values): Promise<void> {
  const { definition, connection } = operation;
  const values = { ...parse(definition.id, id), ...state };
  return doing("deleting", operation, values, async () => {
    const removal = typeof definition.delete === "function" ? definition.delete(values) : definition.delete;
    if (removal === "forget") {
      operation.log("warning", `${titleOf(definition, values)} stays on the server: the API cannot delete it, so it is only forgotten`);
      return;
    }
    if (!connection.settings.rebuilt) assertSameServer(operation, state, await connection.server());
    await assertUninhabited(operation, values);
    await sendRemoval(operation, removal, values);
    if (removal.awaitGone) await awaitGone(operation, removal, values);
  });
}

async function writeNew(operation: Operation, inputs: Values, server: ServerInfo | undefined): Promise<unknown> {
  const { definition } = operation;
  const members = bodyOf(definition, inputs, server);
  try {
    return await send(operation, definition.create, inputs, members);
  } catch (error) {
    if (definition.outgoing && messageOf(error).match(definition.outgoing)) {
      await clear(operation, inputs);
      return send(operation, definition.create, inputs, members);
    }
    if (definition.adopt && messageOf(error).match(definition.adopt.conflict)) return takeOver(operation, inputs, server, error);
    if (definition.create.leavesRecord) await recordRemains(operation, inputs, server, error);
    throw error;
  }
}

/** A record of the same name is in the way: it becomes ours if it can be brought to what the program says. */
async function takeOver(operation: Operation, inputs: Values, server: ServerInfo | undefined, conflict: unknown) {
  const { definition, log } = operation;
  const found = await observe(operation, inputs);
  if (found === undefined) throw conflict;
  const olds = stateOf(definition, found, {});
  const values = { ...computed(definition, olds), ...inputs };
  const agrees = (definition.adopt?.by ?? []).every((key) => {
    const field = definition.fields[key];
    return field === undefined || field.place === "path" || same(field, olds[key], inputs[key]);
  });
  if (!agrees) throw conflict;
  log("info", `${titleOf(definition, inputs)} exists already and is taken over`);
  if (diff(definition, { ...inputs, ...olds }, inputs).replaces.length > 0) {
    await clear(operation, values);
    return send(operation, definition.create, inputs, bodyOf(definition, inputs, server));
  }
  const written = await send(operation, definition.update, values, bodyOf(definition, values, server));
  return isRecord(written) ? written : found;
}

/** The write failed after the server had stored something: that is ours to complete or delete, so it is not lost. */
async function recordRemains(operation: Operation, inputs: Values, server: ServerInfo | undefined, error: unknown) {
  const left = await observe(operation, inputs).catch(() => undefined);
  if (left === undefined) return;
  const state = { ...withServer(stateOf(operation.definition, left, inputs), server), [INCOMPLETE]: true };
  throw partial(operation.definition, state, `the record was stored, but is not complete: ${messageOf(error)}`);
}

/** The state after a successful write. What fails from here on must not lose the record. */
async function recorded(
  operation: Operation,
  written: unknown,
  values: Values,
  server: ServerInfo | undefined,
  id?: string,
): Promise<Recorded> {
  const { definition } = operation;
  const { [INCOMPLETE]: _, ...complete } = values;
  const known = stateOf(definition, { ...bodyOf(definition, complete, server), ...(isRecord(written) ? written : {}) }, complete);
  const answered = definition.create.answersRecord && isRecord(written);
  try {
    if (answered) return { id: id ?? fill(definition.id, known), state: withServer(known, server) };
    const back = await readBack(operation, known, server);
    return id === undefined ? back : { ...back, id };
  } catch (error) {
    throw partial(definition, withServer(known, server), `it was written, but not read back: ${messageOf(error)}`, id);
  }
}

async function readBack(operation: Operation, values: Values, server: ServerInfo | undefined): Promise<Recorded> {
  const { definition } = operation;
  const record = await observe(operation, values);
  if (record === undefined) throw new ProviderError("ResponseError", "the server does not have it.");
  const state = stateOf(definition, record, values);
  return { id: fill(definition.id, state), state: withServer(state, server) };
}

/** The record as the server has it, or undefined when it is not there. */
async function observe({ definition, connection, signal }: Operation, values: Values): Promise<Values | undefined> {
  const path = requestPath(definition.read.path, values);
  const { pick } = definition.read;
  const reply = pick ? await connection.collection(path, signal) : await connection.call({ method: "GET", path, signal });
  if (reply.kind === "absent") return undefined;
  const record = pick ? pick(reply.record, values) : reply.record;
  if (record === undefined && reply.filtered) {
    throw new ProviderError("ApiError", `the list leaves out what the token may not see (GET ${path}). The token needs read on all of it.`, { status: 200 });
  }
  return isRecord(record) ? record : undefined;
}

async function send({ connection, signal }: Operation, write: Write, values: Values, members: unknown): Promise<unknown> {
  const reply = await connection.call({
    method: write.method,
    path: requestPath(write.path, values),
    members: write.sends === "nothing" ? undefined : (write.layout?.(members as Values, values) ?? members),
    values,
    mints: write.mints,
    signal,
  });
  if (reply.kind === "absent") throw new ProviderError("ApiError", "404 the record is not there.", { status: 404 });
  return reply.record;
}

async function membersToWrite(
  operation: Operation,
  write: Write,
  olds: Values,
  values: Values,
  changed: readonly string[],
  server: ServerInfo | undefined,
): Promise<Values> {
  const { definition } = operation;
  if (write.sends === "changes") return membersOf(definition, values, changed);
  const members = bodyOf(definition, values, server);
  if (!write.keeps) return members;
  const live = await observe(operation, values);
  const kept = live ? write.keeps.properties(stateOf(definition, live, {}), olds, values) : [];
  if (kept.length > 0 && server && lacking(write.keeps.since, server)) {
    throw new ProviderError("InputError", `the server has rotated its credentials, and every write to this version replaces them: give new credentials in ${kept.join(" and ")}.`);
  }
  const wires = kept.map((name) => definition.fields[name]?.wire);
  return Object.fromEntries(Object.entries(members).filter(([wire]) => !wires.includes(wire)));
}

async function sendRemoval(operation: Operation, removal: { method: "DELETE" | "POST"; path: string }, values: Values): Promise<void> {
  const { definition, connection, signal } = operation;
  const path = requestPath(removal.path, values);
  // Blanking is a write with every field reset.
  const members = removal.method === "POST" ? bodyOf(definition, {}, await connection.server()) : undefined;
  await connection.call({ method: removal.method, path, members, signal });
}

/** Deletes what is there and waits: a name cannot be used again before. */
async function clear(operation: Operation, values: Values): Promise<void> {
  const { definition } = operation;
  const removal = typeof definition.delete === "function" ? definition.delete(values) : definition.delete;
  if (removal === "forget") return;
  await sendRemoval(operation, removal, values);
  if (removal.awaitGone) await awaitGone(operation, removal, values);
}

/** Repeats the deletion: a record can be stuck as terminated while it is marked for deletion (reference cluster B.9.7). */
async function awaitGone(operation: Operation, removal: { method: "DELETE" | "POST"; path: string }, values: Values): Promise<void> {
  const { connection, signal } = operation;
  const path = requestPath(removal.path, values);
  const deadline = Date.now() + GONE_BUDGET_MS;
  while (Date.now() < deadline) {
    const reply = await connection.call({ method: "GET", path, signal });
    if (reply.kind === "absent") return;
    if (isRecord(reply.record) && reply.record["State"] === "TERMINATED") await sendRemoval(operation, removal, values);
    await sleep(GONE_PAUSE_MS, undefined, signal ? { signal } : {});
  }
  throw new ProviderError("ApiError", `it is still being deleted after ${GONE_BUDGET_MS / 1000} s. Run again later.`, { status: 200 });
}

async function assertUninhabited(operation: Operation, values: Values): Promise<void> {
  const { definition, connection, signal } = operation;
  if (!definition.inhabited || values[definition.inhabited.unless] === true) return;
  for (const template of definition.inhabited.by) {
    const path = `${requestPath(template, values)}?list=true`;
    const reply = await connection.call({ method: "GET", path, signal }).catch((error: unknown) => {
      // Another kind of mount has no such collection.
      if (isProviderError(error) && (error.status === 404 || error.status === 405)) return undefined;
      throw error;
    });
    const keys = reply?.kind === "found" && isRecord(reply.record) ? reply.record["keys"] : undefined;
    if (Array.isArray(keys) && keys.length > 0) {
      throw new ProviderError("InputError", `${keys.length} roles still live there (${keys.slice(0, 3).join(", ")}${keys.length > 3 ? ", …" : ""}) and would be lost. Delete them first, or set ${definition.inhabited.unless}: true.`);
    }
  }
}

/** On another server than the one the state was written to, nothing is ever changed or declared gone. */
function assertSameServer({ connection }: Operation, state: Values, server: ServerInfo | undefined): void {
  const recordedOn = state[SERVER];
  if (server === undefined || isEmpty(recordedOn) || recordedOn === server.identity) return;
  throw new ProviderError(
    "ConfigError",
    `the state was written to another server (${String(recordedOn)}) than the one at ${connection.settings.address.origin} (${server.identity}). Check the address and namespace; if the server was rebuilt, set \`rebuilt: true\` in trustplane:${connection.settings.name} for one run.`,
  );
}

function withServer(state: Values, server: ServerInfo | undefined): Values {
  return server ? { ...state, [SERVER]: server.identity } : state;
}

function computed(definition: Definition, state: Values): Values {
  const names = [...Object.keys(definition.outputs), SERVER];
  return Object.fromEntries(names.filter((name) => state[name] !== undefined).map((name) => [name, state[name]]));
}

function partial(definition: Definition, state: Values, reason: string, id?: string): ProviderError {
  const known = id ?? fill(definition.id, state);
  return new ProviderError("PartialError", reason, { id: known, properties: state, reasons: [reason] });
}

function isGoneError(error: unknown): boolean {
  return isProviderError(error) && (error.status === 404 || /no mount entry found/.test(error.message));
}

function goneError(error: unknown): ProviderError {
  return new ProviderError("ApiError", `the record is not there any more. Run \`pulumi up --refresh\`, which makes a new one. (${messageOf(error)})`, { status: 404 });
}

async function doing<T>(verb: string, { definition }: Operation, values: Values, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw during(`${verb} ${titleOf(definition, values)}`, error);
  }
}

/** `jwt.Role "ci"`. */
export function titleOf(definition: Definition, values: Values): string {
  return `${definition.token.replace(":", ".")} ${JSON.stringify(String(values[definition.label] ?? ""))}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
