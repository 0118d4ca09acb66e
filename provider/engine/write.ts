import type { ServerInfo } from "../core/availability";
import { canonicalText } from "../core/canonical";
import type { Definition, Values, WireRecord } from "../core/definition";
import { during, isProviderError, ProviderError } from "../core/errors";
import { hiddenProperties } from "../core/fingerprint";
import { bodyOf, stateOf } from "../core/record";
import { type Removal, removalOf } from "../core/removal";
import { textsIn } from "../core/seal";
import { FINGERPRINTS } from "../core/state-names";
import { requestPath } from "../core/template";
import { isRecord } from "../core/unknowns";
import { withServer } from "./assert-server";
import { partial, unfinished, untilGone } from "./confirm";
import type { Decision, Writing } from "./decide";
import { inTurn } from "./in-turn";
import { answersRecord, assertAsked, assertHome, observe } from "./look";
import { namingMounts } from "./mount-type";
import { messageOf, type Operation, titleOf } from "./operation";
import { noteLeaves, noteWrite } from "./run-notes";
import { isNobodys, notCompared } from "./take-over";
import { sayWrittenOver, writtenOver } from "./written-over";

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
  const isThere = decision.does === "nothing" || decision.takesOver || decision.clears !== undefined;
  noteWrite(operation, withServer(values, server), { isNew: olds === undefined, isThere });
  const replaced = writtenOver(definition, decision, olds);
  const unseen = unseenIn(definition, decision);
  const level = replaced === "" && unseen === "" ? "info" : "warning";
  const title = titleOf(definition, values);
  // What cannot be deleted is mostly as its mount was made.
  if (decision.takesOver && (typeof definition.delete === "object" || unseen !== "")) {
    const what = replaced === "" ? "" : `: ${replaced}`;
    log(level, `${title} exists already and is taken over${what}${unseen}`);
  } else if (olds !== undefined) sayWrittenOver(operation, values, replaced);
  if (decision.does === "nothing") return decision.record;
  if (decision.clears) await clear(operation, decision.clears.removal, decision.clears.values);
  try {
    return await send(operation, decision);
  } catch (error) {
    throw (
      (await leftBehind(operation, decision, server, { error, olds })) ?? (await namingMounts(operation, values, error))
    );
  }
}

/** What says which secrets of another hand this goes over. */
function unseenIn(definition: Definition, decision: Decision): string {
  if (decision.does === "nothing" || !decision.takesOver || !decision.before) return "";
  const { before, values } = decision;
  return isNobodys(definition, before, values) ? "" : notCompared(definition, before, values);
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
  const isDone = await remove().then(
    () => false,
    async (error: unknown) => {
      if (removal.method !== "DELETE" || !isOpen(error)) throw error;
      if (await isGone(operation, values, error)) return true;
      throw error;
    },
  );
  if (removal.method !== "DELETE") return noteLeaves(operation, values, "blank");
  if (!isDone && !operation.isGoneLater) await untilGone(operation, values, remove);
  noteLeaves(operation, values, "nothing");
}

async function send(operation: Operation, { request, members, values }: Writing): Promise<WireRecord> {
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

/** Whether a delete without a clear answer was done. Throws where that cannot be known. */
async function isGone(operation: Operation, values: Values, error: unknown): Promise<boolean> {
  try {
    if ((await observe(operation, values)) !== undefined) return false;
    await assertHome(operation, values);
    return true;
  } catch {
    throw during("it is not known whether it was deleted", error);
  }
}

/**
 * A write without a clear answer may have been done: what is there then is recorded, to be completed, put back or
 * deleted by the next run. So is what a refused change has done of itself. Undefined where nothing has to be recorded.
 */
async function leftBehind(
  operation: Operation,
  decision: Writing,
  server: ServerInfo | undefined,
  { error, olds }: { readonly error: unknown; readonly olds: Values | undefined },
): Promise<ProviderError | undefined> {
  const { definition } = operation;
  const { values, before, request } = decision;
  const isRefused = !request.leavesRecord && !isOpen(error);
  if (isRefused && (olds === undefined || before === undefined || !isAnswered(error))) return undefined;
  const look = await observe(operation, values).then(
    (record) => ({ record }),
    () => undefined,
  );
  if (isRefused && (!look?.record || !isChanged(definition, olds ?? {}, before ?? {}, look.record))) return undefined;
  // Where nothing was there before the write, what is there after it is ours; what is never deleted can be recorded, too.
  const isNew = before === undefined && !decision.takesOver;
  const isOwn = !look && (isNew || removalOf(definition, values) === undefined);
  const { [FINGERPRINTS]: _, ...shown } = values;
  const known = olds ?? (isOwn ? shown : undefined);
  const state = unfinished(definition, look?.record, { values, olds: known, server });
  if (state === undefined) return undefined;
  const found = look?.record ? "the record is stored, but not complete" : "it is not known whether it was written";
  return partial(definition, state, `${found}: ${messageOf(error)}`);
}

/** Compared as states: a server may show members that change by themselves. */
function isChanged(definition: Definition, olds: Values, before: WireRecord, after: WireRecord): boolean {
  const [was, is] = [before, after].map((record) => canonicalText(stateOf(definition, record, olds)));
  return was !== is;
}

/** True for a refusal of the server, or of what is before it. Others were never sent. */
function isAnswered(error: unknown): boolean {
  return isProviderError(error) && error.code === "ApiError";
}

/** True unless the server itself has refused the write, or it was never sent. */
export function isOpen(error: unknown): boolean {
  if (!isProviderError(error)) return true;
  // A proxy that waited too long answers 408, whatever the server does.
  if (error.code === "ApiError") return (error.status ?? 0) >= 500 || error.status === 408;
  return error.code === "NetworkError" || error.code === "ResponseError";
}

/** The texts that no message may repeat: a program can mark as secret what the record says is none, and no host has to tell. */
function secretTexts(definition: Definition, values: Values): string[] {
  const flagged = Object.entries(definition.secrets).flatMap(([name, rule]) =>
    Object.hasOwn(Object(rule), "flag") ? [name] : [],
  );
  return [...new Set([...hiddenProperties(definition, values), ...flagged])].flatMap((name) => textsIn(values[name]));
}
