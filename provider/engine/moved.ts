import { picked } from "../core/canonical";
import type { Values } from "../core/definition";
import { ProviderError } from "../core/errors";
import { assertAddress } from "../core/look-up";
import { isMoving, type Move } from "../core/move";
import { stateOf } from "../core/record";
import { fill, requestPath } from "../core/template";
import { isRecord } from "../core/unknowns";
import { assertServer } from "./assert-server";
import { assertCanBeTakenOver } from "./decide";
import { observe } from "./look";
import { noteMoved } from "./moves";
import { type Operation, patience, titleOf } from "./operation";
import { noteWrite } from "./run";
import { type Look, waitUntil } from "./wait-until";
import { isOpen } from "./write";

const MOVED_MS = 60_000;

/**
 * Has the server move the record to where the program wants it. Answers what is recorded of it, at its new place; the same
 * where nothing has to be moved.
 */
export async function moved(operation: Operation, id: string, olds: Values, values: Values): Promise<Values> {
  const { definition } = operation;
  const { moves } = definition;
  if (!moves || !isMoving(definition, olds, values)) return olds;
  const old = { ...values, ...picked(olds, [moves.property]) };
  assertAddress(definition, id, old, "write");
  // Both places are this resource's until the record is at the new one.
  for (const place of [values, old]) noteWrite(operation, place);
  await assertServer(operation, olds);
  if ((await observe(operation, old)) === undefined) await assertOwnOrFree(operation, olds, values);
  else await move(operation, moves, { from: old, to: values });
  noteMoved(operation, moves.within, { from: old, to: values });
  return { ...olds, ...picked(values, [moves.property]) };
}

/** A run before this one may have moved the record without knowing it. Another one there is taken over, or refused, as by a create. */
async function assertOwnOrFree(operation: Operation, olds: Values, values: Values): Promise<void> {
  const { definition } = operation;
  const there = await observe(operation, values);
  if (there === undefined) return;
  const live = stateOf(definition, there, values);
  if (!definition.stable.every((name) => live[name] === olds[name])) assertCanBeTakenOver(definition, live, values);
}

interface Places {
  readonly from: Values;
  readonly to: Values;
}

async function move(operation: Operation, moves: Move, { from, to }: Places): Promise<void> {
  const { connection, signal, log, definition } = operation;
  const { request, progress } = moves;
  const members = request.members(fill(moves.within, from), fill(moves.within, to));
  const answer = await connection
    .ask({ method: "POST", path: request.path, members, expects: "record", isAwaited: true, signal })
    .catch(async (error: unknown) => {
      if (isOpen(error) && (await isAt(operation, { from, to }))) return undefined;
      throw error;
    });
  if (answer === undefined) return;
  const path = requestPath(progress.path, answer.kind === "found" && isRecord(answer.record) ? answer.record : {});
  const look = async (): Promise<Look<void>> => {
    const reply = await connection.ask({ method: "GET", path, signal });
    const record = reply.kind === "found" && isRecord(reply.record) ? reply.record : {};
    const state = progress.state(record);
    if (state === "done") return { done: undefined };
    if (state === "pending") return { pending: { state: "being moved", wanted: "moved" } };
    const what = "the server could not move it, and its log says why";
    throw new ProviderError(
      "ApiError",
      `${what} (GET ${path}). It may refuse requests until it is moved or restarted.`,
    );
  };
  const otherwise = "The server goes on; the next run looks where it is.";
  const budgetMs = patience(operation, MOVED_MS);
  await waitUntil({ title: titleOf(definition, to), budgetMs, otherwise, log, signal }, look);
  // Lists that others have fetched meanwhile show the old place.
  connection.forget();
}

/** Whether a move without a clear answer was done. */
async function isAt(operation: Operation, { from, to }: Places): Promise<boolean> {
  try {
    return (await observe(operation, from)) === undefined && (await observe(operation, to)) !== undefined;
  } catch {
    return false;
  }
}
