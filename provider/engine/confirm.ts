import type { ServerInfo } from "../core/availability";
import { canonicalText, isEmpty } from "../core/canonical";
import type { Definition, Values, WireRecord } from "../core/definition";
import { editedProperties } from "../core/diff";
import { isProviderError, ProviderError } from "../core/errors";
import { bodyOf, stateOf } from "../core/record";
import { hasId } from "../core/record-id";
import type { Pending } from "../core/stage";
import { FINGERPRINTS, INCOMPLETE } from "../core/state-names";
import { fill } from "../core/template";
import { withServer } from "./assert-server";
import { attach } from "./attached";
import { type Decision, isOver, type Writing } from "./decide";
import { answersRecord, observe, untilShown } from "./look";
import { messageOf, type Operation, patience, type Recorded, titleOf } from "./operation";
import { noteRotated } from "./rotated-key";
import { noteLeaves, noteWrite } from "./run-notes";
import { type Look, REPLICA_MS, waitUntil } from "./wait-until";

const READY_MS = 60_000;
/** Some servers delete later than they answer. */
const GONE_LATER_MS = 60_000;

/**
 * The state after a write: what the server has now, once it is done with it. What fails from here on must not lose the
 * record: it is recorded as far as it is known.
 */
export async function confirm(
  operation: Operation,
  decision: Decision,
  answer: WireRecord,
  server: ServerInfo | undefined,
  olds?: Values,
): Promise<Recorded> {
  const { definition } = operation;
  const { [INCOMPLETE]: _, ...values } = decision.values;
  const sent = decision.does === "write" ? storedBy(definition, decision, server) : {};
  const written = withServer(stateOf(definition, { ...sent, ...answer }, values), server);
  noteWrite(operation, written);
  noteLeaves(operation, written, "record");
  noteRotated(operation, written, answer);
  try {
    const isAnswered = decision.does === "write" && answersRecord(definition, decision.request);
    const state = isAnswered ? written : await readBack(operation, written, server, { decision, olds });
    assertComplete(definition, state);
    return { id: fill(definition.id, state), state: withProgramsKey(definition, state, values) };
  } catch (error) {
    // It has the record as it was read back, which says more than what was sent.
    if (isProviderError(error) && error.code === "PartialError") throw error;
    throw partial(definition, written, `it was written, but that could not be confirmed: ${messageOf(error)}`);
  }
}

/** Of a key that was not sent, the program's is recorded: what the server has in its place is for a refresh to find. */
function withProgramsKey({ rotation }: Definition, state: Values, values: Values): Values {
  return rotation && !isEmpty(values[rotation.keyId]) && !isEmpty(state[rotation.keyId])
    ? { ...state, [rotation.keyId]: values[rotation.keyId] }
    : state;
}

/** What a write leaves as far as the answer does not say: of a write of changes, what was there before and is not sent. */
function storedBy(definition: Definition, decision: Writing, server: ServerInfo | undefined): WireRecord {
  const { request, before, members, values } = decision;
  return request.sends === "changes" && before ? { ...before, ...members } : bodyOf(definition, values, { server });
}

/**
 * Waits until the server has made of a written record what it should, as of a peering that becomes ACTIVE. Answers the
 * record as it is then; undefined when it is gone. It asks again and again: Consul wakes no blocking query for a state.
 */
export async function untilReady(
  operation: Operation,
  values: Values,
  written: WireRecord,
): Promise<WireRecord | undefined> {
  const { definition, log, signal } = operation;
  const otherwise = "The next run goes on waiting.";
  let known: WireRecord | undefined = written;
  let last: Pending | undefined;
  const look = async (): Promise<Look<WireRecord | undefined>> => {
    const seen = known
      ? { record: known }
      : await observe(operation, values).then((record) => ({ record }), unanswered);
    known = undefined;
    // While a cluster chooses its leader, its nodes answer 500.
    if ("error" in seen) {
      if (last === undefined) throw seen.error;
      return { pending: last };
    }
    const stage = seen.record && definition.stage?.(seen.record, values);
    if (stage?.is !== "pending") return { done: seen.record };
    last = stage;
    return { pending: stage };
  };
  const budgetMs = patience(operation, READY_MS);
  return waitUntil({ title: titleOf(definition, values), budgetMs, otherwise, log, signal }, look);
}

/** What a node says while its cluster has no leader. Other failures that pass are asked again by each request. @throws any other one */
function unanswered(error: unknown): { readonly error: unknown } {
  if (isProviderError(error) && error.code === "ApiError" && error.status === 500) return { error };
  throw error;
}

/** Waits until a deleted record is gone. One that is stuck as ended while it is being deleted is deleted again. */
export async function untilGone(operation: Operation, values: Values, remove: () => Promise<unknown>): Promise<void> {
  const { definition, log, signal } = operation;
  const deletesLater = definition.stage !== undefined;
  const look = async (): Promise<Look<void>> => {
    const record = await observe(operation, values);
    if (record === undefined) return { done: undefined };
    const stage = definition.stage?.(record, values);
    if (stage?.is === "ended" || (stage?.is === "leaving" && stage.isStuck)) await remove();
    const state = deletesLater ? "being deleted" : "there";
    return { pending: { state, wanted: "gone" } };
  };
  const budgetMs = deletesLater ? patience(operation, GONE_LATER_MS) : REPLICA_MS;
  await waitUntil({ title: titleOf(definition, values), budgetMs, otherwise: "Run again later.", log, signal }, look);
}

/**
 * The state after a write that was perhaps not done: what the server has, if that is known. Of what it does not show, an
 * update keeps what was there before, as its own may not have arrived.
 */
export function unfinished(
  definition: Definition,
  record: WireRecord | undefined,
  { values, olds, server }: { values: Values; olds: Values | undefined; server: ServerInfo | undefined },
): Values | undefined {
  const { [FINGERPRINTS]: _, ...shown } = values;
  const known = record === undefined ? olds : stateOf(definition, record, olds ?? shown);
  return known && { ...withServer(known, server), [INCOMPLETE]: true };
}

/**
 * What is recorded although something failed: the next run repairs it. Where the server gives the id and has not said it, a
 * single record cannot be recorded; one of a set can.
 */
export function partial(definition: Definition, state: Values, reason: string): ProviderError {
  return new ProviderError("PartialError", reason, {
    ...(hasId(definition, state) ? { id: fill(definition.id, state) } : {}),
    properties: state,
    reasons: [reason],
  });
}

async function readBack(
  operation: Operation,
  values: Values,
  server: ServerInfo | undefined,
  { decision, olds }: { readonly decision: Decision; readonly olds: Values | undefined },
): Promise<Values> {
  const { definition } = operation;
  const sent = (name: string) => decision.does === "write" && (definition.fields[name]?.wire ?? "") in decision.members;
  const differing = (state: Values) => editedProperties(definition, state, decision.values).find(sent);
  const before = decision.does === "write" ? decision.before : undefined;
  const isBefore = (record: WireRecord) => before !== undefined && canonicalText(before) === canonicalText(record);
  // Of a record that was not there before, a node that is behind may show one that was deleted earlier.
  const written = await untilShown(operation, values, (record) => {
    if (record === undefined) return false;
    if (before !== undefined && !isBefore(record)) return true;
    const shown = stateOf(definition, record, values);
    return differing(shown) === undefined && (definition.broken?.(shown) ?? []).length === 0;
  });
  if (written === undefined) throw new ProviderError("ResponseError", "the server does not have it.");
  const stateWith = (record: WireRecord) => withServer(stateOf(definition, record, values), server);
  const record = await attach(operation, decision, written).catch((error: unknown) => {
    const what = `it was written, but its ${definition.attached?.property} was not: ${messageOf(error)}`;
    throw partial(definition, stateWith(written), what);
  });
  const known = stateWith(record);
  const ready = await untilReady(operation, values, record).catch((error: unknown) => {
    throw partial(definition, known, `it was written, but ${messageOf(error)}`);
  });
  if (ready === undefined) throw new ProviderError("ResponseError", "it is gone again.");
  const state = stateWith(ready);
  if (isOver(definition, ready, values))
    throw partial(definition, state, "it was written, but it has been ended since. The next run makes it again.");
  if (isBefore(ready)) {
    // A proxy before the server may have answered in its place.
    const missing = differing(state);
    const as = "the server answered the write well, but its record is as it was before";
    const left = missing !== undefined && unfinished(definition, ready, { values, olds, server });
    if (left) throw partial(definition, left, `${as}: ${missing} is another one.`);
  }
  return state;
}

/** Throws when an output is missing that the server always answers. */
function assertComplete(definition: Definition, state: Values): void {
  const missing = Object.entries(definition.outputs).find(([name, row]) => row.required && state[name] === undefined);
  if (missing) throw new ProviderError("ResponseError", `the server's answer has no ${missing[0]}.`);
}
