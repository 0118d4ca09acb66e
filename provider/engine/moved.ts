import { picked } from "../core/canonical";
import type { Values } from "../core/definition";
import { ProviderError } from "../core/errors";
import { assertAddress } from "../core/look-up";
import { isMoving, type Move } from "../core/move";
import { stateOf } from "../core/record";
import { INCOMPLETE } from "../core/state-names";
import { fill, requestPath } from "../core/template";
import { isRecord } from "../core/unknowns";
import type { Reply } from "./api-request";
import { assertServer } from "./assert-server";
import { partial } from "./confirm";
import { assertCanBeTakenOver } from "./decide";
import { assertOwn } from "./inhabitants";
import { look, observe } from "./look";
import { MOVED_MS, noteMoved, noteUnmoved, untilMovedAway } from "./moves";
import { messageOf, type Operation, patience, titleOf } from "./operation";
import { noteLeaves, noteWrite } from "./run-notes";
import { assertNotAnother, isAway, traced } from "./traced";
import { type Look, waitUntil } from "./wait-until";
import { isOpen } from "./write";

/**
 * Has the server move the record to where the program wants it. Answers what is recorded of it, at its new place; the same
 * where nothing has to be moved.
 */
export async function moved(operation: Operation, id: string, recorded: Values, values: Values): Promise<Values> {
  const { definition } = operation;
  const { moves } = definition;
  if (!moves) return recorded;
  const olds = await placed(operation, recorded);
  if (!isMoving(definition, olds, values)) return olds;
  const old = { ...values, ...picked(olds, [moves.property]) };
  assertAddress(definition, id, old, "write");
  await untilMovedAway(operation, values);
  const places = { from: old, to: values };
  try {
    await toItsPlace(operation, moves, { ...places, olds });
  } catch (error) {
    noteUnmoved(operation, moves.within, old);
    throw error;
  }
  noteMoved(operation, moves.within, places);
  return { ...olds, ...picked(values, [moves.property]) };
}

async function toItsPlace(operation: Operation, moves: Move, { from, to, olds }: Places & { olds: Values }) {
  // Both places are this resource's until the record is at the new one.
  for (const place of [to, from]) noteWrite(operation, place);
  await assertServer(operation, olds);
  if (!(await isToMove(operation, { from, to, olds }))) {
    await assertNotAnother(operation, { ...olds, ...picked(to, [moves.property]) });
    return assertOwnOrFree(operation, olds, to);
  }
  await move(operation, moves, { from, to, olds });
  noteLeaves(operation, from, "nothing");
  noteLeaves(operation, to, "record");
}

/** Whether the record is still at its old place. @throws where another hand has made another one there, and ours is not at the new one */
async function isToMove(operation: Operation, { from, to, olds }: Places & { olds: Values }): Promise<boolean> {
  const { definition } = operation;
  const there = await look(operation, from);
  if (there === undefined) return false;
  if (!isAway(definition, olds, there) || olds[INCOMPLETE] === true) return true;
  if (!isMoving(definition, await traced(operation, olds), to)) return false;
  assertOwn(operation, olds, stateOf(definition, there, {}));
  return true;
}

/**
 * The values with the place where the record is now. After a move of which nobody knows how it ended, it may be at either
 * place, and is found by what no move changes.
 */
export async function placed(operation: Operation, values: Values): Promise<Values> {
  return operation.definition.moves && values[INCOMPLETE] === true ? traced(operation, values) : values;
}

/** A run before this one may have moved the record without knowing it. Another one there is taken over, or refused, as by a create. */
async function assertOwnOrFree(operation: Operation, olds: Values, values: Values): Promise<void> {
  const { definition } = operation;
  const there = await look(operation, values);
  if (there === undefined) return;
  const live = stateOf(definition, there, values);
  if (!definition.stable.every((name) => live[name] === olds[name])) assertCanBeTakenOver(definition, live, values);
}

interface Places {
  readonly from: Values;
  readonly to: Values;
}

/** Once the server may have taken the request, the new place is recorded: the next run looks where the record is. */
async function move(operation: Operation, moves: Move, { from, to, olds }: Places & { olds: Values }): Promise<void> {
  const { connection, definition, signal } = operation;
  const { request, progress } = moves;
  const members = request.members(fill(moves.within, from), fill(moves.within, to));
  let path: string | undefined;
  try {
    const ask = { method: "POST", path: request.path, members, expects: "record", isAwaited: true, signal } as const;
    const reply = await connection.ask(ask);
    path = requestPath(progress.path, recordOf(reply));
    if (await succeeds(operation, moves, { path, to })) return;
  } catch (error) {
    if (path === undefined && !isOpen(error)) throw error;
    const at = await placeOf(operation, { from, to });
    if (at === "to") return;
    if (at === "from" && path === undefined) throw error;
    const state = { ...olds, ...picked(to, [moves.property]), [INCOMPLETE]: true };
    throw partial(definition, state, `it is not known whether it was moved: ${messageOf(error)}`);
  } finally {
    // Lists that others have fetched meanwhile show the old place.
    connection.forget();
  }
  const what = "the server could not move it, and its log says why";
  throw new ProviderError("ApiError", `${what} (GET ${path}). It may refuse requests until it is moved or restarted.`);
}

/** Waits until the server says whether it has moved the record. */
async function succeeds(
  operation: Operation,
  { progress }: Move,
  { path, to }: { readonly path: string; readonly to: Values },
): Promise<boolean> {
  const { connection, signal, log, definition } = operation;
  const look = async (): Promise<Look<boolean>> => {
    const state = progress.state(recordOf(await connection.ask({ method: "GET", path, signal })));
    if (state === "pending") return { pending: { state: "being moved", wanted: "moved" } };
    return { done: state === "done" };
  };
  const otherwise = "The server goes on; the next run looks where it is.";
  const budgetMs = patience(operation, MOVED_MS);
  return waitUntil({ title: titleOf(definition, to), budgetMs, otherwise, log, signal }, look);
}

function recordOf(reply: Reply): Values {
  return reply.kind === "found" && isRecord(reply.record) ? reply.record : {};
}

/** Where the record is after a move without a clear answer; undefined where that cannot be seen. */
async function placeOf(operation: Operation, { from, to }: Places): Promise<"from" | "to" | undefined> {
  try {
    if ((await observe(operation, from)) !== undefined) return "from";
    return (await observe(operation, to)) !== undefined ? "to" : undefined;
  } catch {
    return undefined;
  }
}
