import type { ServerInfo } from "../core/availability";
import type { Definition, Values, WireRecord } from "../core/definition";
import { isProviderError, ProviderError } from "../core/errors";
import { hiddenProperties } from "../core/fingerprint";
import { bodyOf } from "../core/record";
import type { Removal } from "../core/removal";
import { textsIn } from "../core/seal";
import { requestPath } from "../core/template";
import { isRecord } from "../core/unknowns";
import { withServer } from "./assert-server";
import { partial, unfinished, untilGone } from "./confirm";
import type { Decision } from "./decide";
import { inTurn } from "./in-turn";
import { answersRecord, assertAsked, observe } from "./look";
import { messageOf, type Operation, titleOf } from "./operation";
import { noteWrite } from "./run";

/** Carries out a decision. Answers the record where the API does. */
export async function write(
  operation: Operation,
  decision: Decision,
  server: ServerInfo | undefined,
  olds?: Values,
): Promise<WireRecord> {
  const { definition, log } = operation;
  const { values } = decision;
  // The record can be noted now, where only the look has found its id.
  noteWrite(operation, withServer(values, server), { isNew: olds === undefined });
  if (decision.takesOver && typeof definition.delete === "object")
    log("info", `${titleOf(definition, values)} exists already and is taken over`);
  if (decision.does === "nothing") return decision.record;
  if (decision.clears) await clear(operation, decision.clears.removal, decision.clears.values);
  try {
    return await send(operation, decision);
  } catch (error) {
    if (!decision.request.leavesRecord && !isOpen(error)) throw error;
    throw (await leftBehind(operation, values, server, { error, olds })) ?? error;
  }
}

/** Deletes what is there and waits until the name can be used again. What is gone already is a success. */
export async function clear(operation: Operation, removal: Removal, values: Values): Promise<void> {
  const { definition, connection, signal } = operation;
  const path = requestPath(removal.path, values);
  // Blanking is a write with every field reset.
  const members =
    removal.method === "POST"
      ? bodyOf(definition, {}, { server: await connection.server(signal), live: values })
      : undefined;
  const remove = () => connection.ask({ method: removal.method, path, members, signal });
  await remove();
  if (removal.method === "DELETE" && !operation.isGoneLater) await untilGone(operation, values, remove);
}

async function send(
  operation: Operation,
  { request, members, values }: Extract<Decision, { does: "write" }>,
): Promise<WireRecord> {
  const { definition, connection, signal } = operation;
  const path = requestPath(request.path, values);
  const ask = () =>
    connection.ask({
      method: request.method,
      path,
      members: request.sends === "nothing" ? undefined : members,
      mints: request.mints,
      expects: answersRecord(definition, request) ? "record" : "anything",
      secrets: secretTexts(definition, values),
      signal,
    });
  const reply = await (request.inTurn ? inTurn(ask) : ask());
  if (reply.kind === "absent") throw new ProviderError("ApiError", "404 the record is not there.", { status: 404 });
  const answer = isRecord(reply.record) ? reply.record : {};
  assertAsked(definition, answer, values, `${request.method} ${path}`);
  return answer;
}

/**
 * A write without a clear answer may have been done: what is there then is recorded, to be completed, put back or
 * deleted by the next run. Undefined where nothing is known to be there.
 */
async function leftBehind(
  operation: Operation,
  values: Values,
  server: ServerInfo | undefined,
  { error, olds }: { readonly error: unknown; readonly olds: Values | undefined },
): Promise<ProviderError | undefined> {
  const { definition } = operation;
  const left = await observe(operation, values).catch(() => undefined);
  const state = unfinished(definition, left, { values, olds, server });
  if (state === undefined) return undefined;
  const found =
    left === undefined ? "it is not known whether it was written" : "the record is stored, but not complete";
  return partial(definition, state, `${found}: ${messageOf(error)}`);
}

/** True unless the server itself has refused the write, or it was never sent. */
export function isOpen(error: unknown): boolean {
  if (!isProviderError(error)) return true;
  if (error.code === "ApiError") return (error.status ?? 0) >= 500;
  return error.code === "NetworkError" || error.code === "ResponseError";
}

/** The texts that no message may repeat. */
function secretTexts(definition: Definition, values: Values): string[] {
  return hiddenProperties(definition, values).flatMap((name) => textsIn(values[name]));
}
