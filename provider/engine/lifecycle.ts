import { lacking, type ServerInfo } from "../core/availability";
import { picked } from "../core/canonical";
import type { Definition, Values, Write } from "../core/definition";
import { diff, INCOMPLETE } from "../core/diff";
import { isProviderError, ProviderError } from "../core/errors";
import { bodyOf, membersOf, outputsOf, stateOf } from "../core/record";
import { fill, parse } from "../core/template";
import { isRecord } from "../core/unknowns";
import { writeNew } from "./adoption";
import { doing, isGone, messageOf, type Operation, observe, titleOf, write } from "./operation";
import { untilReady } from "./readiness";
import { assertUninhabited, clear, removalOf } from "./removal";
import { assertKnownServer, assertSameServer, SERVER, withServer } from "./same-server";

/** A record and the id under which it is known. */
export interface Recorded {
  readonly id: string;
  readonly state: Values;
}

/** Writes a record that is new to the program; one that is already there is taken over. */
export function create(operation: Operation, inputs: Values): Promise<Recorded> {
  return doing("creating", operation, inputs, async () => {
    const server = await operation.connection.server(operation.signal);
    const written = await writeNew(operation, inputs, server).catch((error: unknown) => {
      return leftBehind(operation, operation.definition.create, inputs, server, error);
    });
    const first = await recorded(operation, operation.definition.create, written, inputs, server);
    const removal = removalOf(operation, inputs);
    if (!removal?.awaitGone || !isOnItsWayOut(operation.definition, first)) return first;
    // The write was answered well, but by a record that is being deleted: wait for its end, then write again.
    await clear(operation, removal, inputs);
    const again = await writeNew(operation, inputs, server);
    return recorded(operation, operation.definition.create, again, inputs, server);
  });
}

/** Brings the record to what the program says, from whatever it was. */
export function update(operation: Operation, id: string, olds: Values, news: Values): Promise<Recorded> {
  const { definition } = operation;
  const values = { ...computed(definition, olds), ...news };
  return doing("updating", operation, values, async () => {
    const server = await operation.connection.server(operation.signal);
    assertSameServer(operation, olds, server);
    const { changed } = diff(definition, olds, news);
    // Issuing something new is an effect of its own: it needs a change, not just another run.
    if (definition.update.mints && changed.length === 0) return { ...(await readBack(operation, values, server)), id };
    const members = await membersToWrite(operation, olds, values, changed, server);
    const written = await write(operation, definition.update, values, members).catch((error: unknown) => {
      if (definition.update.path !== definition.create.path && isGone(error))
        return writeAgain(operation, values, server, error);
      return leftBehind(operation, definition.update, values, server, error, id);
    });
    return recorded(operation, definition.update, written, values, server, id);
  });
}

/** What the server has now; undefined when the record really is gone. The id alone is enough. */
export function read(operation: Operation, id: string, state: Values): Promise<Recorded | undefined> {
  const { definition } = operation;
  const values = { ...parse(definition.id, id), ...state };
  return doing("reading", operation, values, async () => {
    const record = await observe(operation, values);
    const server = await operation.connection.server(operation.signal);
    if (record !== undefined) return { id, state: withServer(stateOf(definition, record, values), server) };
    assertSameServer(operation, state, server);
    assertKnownServer(operation, state, server);
    return undefined;
  });
}

/** Removes the record, or forgets it where the API cannot delete. A record that is gone already is a success. */
export function remove(operation: Operation, id: string, state: Values): Promise<void> {
  const { definition, connection, log, signal } = operation;
  const values = { ...parse(definition.id, id), ...state };
  return doing("deleting", operation, values, async () => {
    const removal = removalOf(operation, values);
    if (!removal) {
      log(
        "warning",
        `${titleOf(definition, values)} stays on the server: the API cannot delete it, so it is only forgotten`,
      );
      return;
    }
    assertSameServer(operation, state, await connection.server(signal));
    await assertUninhabited(operation, values);
    await clear(operation, removal, values);
  });
}

/** The state after a successful write. What fails from here on must not lose the record. */
async function recorded(
  operation: Operation,
  request: Write,
  written: unknown,
  values: Values,
  server: ServerInfo | undefined,
  id?: string,
): Promise<Recorded> {
  const { definition } = operation;
  const { [INCOMPLETE]: _, ...complete } = values;
  const answer = isRecord(written) ? written : {};
  const known = withServer(
    stateOf(definition, { ...bodyOf(definition, complete, server), ...answer }, complete),
    server,
  );
  try {
    const back = request.answersRecord
      ? { id: fill(definition.id, known), state: known }
      : await readBack(operation, known, server);
    return { ...back, id: id ?? back.id };
  } catch (error) {
    // What was read back, and is not ready yet, says more than what was sent.
    if (isProviderError(error) && error.code === "PartialError") throw error;
    throw partial(definition, known, `it was written, but could not be read back: ${messageOf(error)}`, id);
  }
}

async function readBack(operation: Operation, values: Values, server: ServerInfo | undefined): Promise<Recorded> {
  const { definition } = operation;
  const record = await observe(operation, values);
  // A peering that is being deleted is not to be seen any more, but in the way: `create` clears it up.
  if (record === undefined && removalOf(operation, values)?.awaitGone)
    return { id: fill(definition.id, values), state: { ...values, [INCOMPLETE]: true } };
  if (record === undefined) throw new ProviderError("ResponseError", "the server does not have it.");
  const known = withServer(stateOf(definition, record, values), server);
  const ready = await untilReady(operation, values, record).catch((error: unknown) => {
    throw partial(definition, known, `it was written, but ${messageOf(error)}`, fill(definition.id, known));
  });
  if (ready === undefined) throw new ProviderError("ResponseError", "it is gone again.");
  const state = withServer(stateOf(definition, ready, values), server);
  return { id: fill(definition.id, state), state };
}

function isOnItsWayOut(definition: Definition, { state }: Recorded): boolean {
  return state[INCOMPLETE] === true || (definition.broken?.(state) ?? []).length > 0;
}

/** The record was deleted behind our back. An id that the server gives cannot be had again. */
async function writeAgain(operation: Operation, values: Values, server: ServerInfo | undefined, error: unknown) {
  const { definition } = operation;
  if (Object.keys(definition.outputs).some((name) => definition.id.includes(`{${name}}`))) {
    throw new ProviderError(
      "ApiError",
      `it is not there any more. Run \`pulumi up --refresh\`, which makes a new one. (${messageOf(error)})`,
      { status: 404 },
    );
  }
  return writeNew(operation, values, server);
}

/** A write that failed half-way may have stored something: that is recorded, to be completed or deleted, not lost. */
async function leftBehind(
  operation: Operation,
  request: Write,
  values: Values,
  server: ServerInfo | undefined,
  error: unknown,
  id?: string,
): Promise<never> {
  if (!request.leavesRecord) throw error;
  const { definition } = operation;
  const left = await observe(operation, values).catch(() => undefined);
  if (left === undefined) throw error;
  const state = { ...withServer(stateOf(definition, left, values), server), [INCOMPLETE]: true };
  throw partial(definition, state, `the record is stored, but not complete: ${messageOf(error)}`, id);
}

async function membersToWrite(
  operation: Operation,
  olds: Values,
  values: Values,
  changed: readonly string[],
  server: ServerInfo | undefined,
): Promise<Values> {
  const { definition } = operation;
  const { sends, keeps, against } = definition.update;
  if (sends === "changes") return membersOf(definition, values, changed);
  const body = bodyOf(definition, values, server);
  const members = against?.(body, olds) ?? body;
  if (!keeps) return members;
  const live = await observe(operation, values);
  const kept = live ? keeps.properties(stateOf(definition, live, {}), olds, values) : [];
  // A server that does not say what it is may be one that replaces the whole record.
  if (kept.length > 0 && (server === undefined || lacking(keeps.since, server))) {
    const reason = "the server has rotated its credentials, and a write to this version would remove them";
    throw new ProviderError("InputError", `${reason}: give new credentials in ${kept.join(" and ")}.`);
  }
  const wires = kept.map((name) => definition.fields[name]?.wire);
  return Object.fromEntries(Object.entries(members).filter(([wire]) => !wires.includes(wire)));
}

function computed(definition: Definition, state: Values): Values {
  return { ...outputsOf(definition, state), ...picked(state, [SERVER]) };
}

function partial(definition: Definition, state: Values, reason: string, id?: string): ProviderError {
  return new ProviderError("PartialError", reason, {
    id: id ?? fill(definition.id, state),
    properties: state,
    reasons: [reason],
  });
}
