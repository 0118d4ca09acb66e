import type { ServerInfo } from "../core/availability";
import type { Values } from "../core/definition";
import { editedProperties } from "../core/diff";
import { isProviderError, ProviderError } from "../core/errors";
import { assertAddress, valuesFromId } from "../core/look-up";
import { stateOf } from "../core/record";
import { givenInId } from "../core/record-id";
import { removalOf } from "../core/removal";
import { INCOMPLETE, SERVER } from "../core/state-names";
import { fill } from "../core/template";
import { assertServer, isElsewhere, withServer } from "./assert-server";
import { prepared } from "./attached";
import { confirm, partial } from "./confirm";
import { type Decision, decideCreate, decideUpdate } from "./decide";
import { noteForgotten, otherKey, sayForgotten, sayLostKey } from "./forgotten";
import { isTakenOver, stays, strangePlace } from "./found-elsewhere";
import { unlessHomeIsGone } from "./gone-home";
import { assertOwn, assertUninhabited } from "./inhabitants";
import { lastLook, sayBeside, sayChanged, sayOverwritten } from "./last-look";
import { assertHome, look, observe, untilShown } from "./look";
import { noteAnotherMount } from "./mount-marks";
import { assertMount, isStrange, noteMountOf, sayMisfit } from "./mount-type";
import { moved, placed } from "./moved";
import { assertMovedAway, movedWith, noteAnew } from "./moves";
import { doing, messageOf, type Operation, type Recorded, refreshFirst, titleOf, type Verbs } from "./operation";
import { inTurnOfKey, sayOtherKey } from "./rotated-key";
import { deleting, leavesOf, noteHeld, noteWrite, reasonToKeep, untilDeleted } from "./run-notes";
import { settingOf, takeOverOf } from "./take-over";
import { assertNotAnother, isAway, supplantedBy, traced } from "./traced";
import { clear, write } from "./write";
import { withIgnoredNow } from "./written-over";

// Each operation is one straight line, a file a step: whose server is it, what is there, what is to be done, do it,
// confirm that it is done. What comes out is recorded. The looks before and after a write cost a request each: what somebody
// else has made, rotated or ended is seen before it is overwritten, and an answer that is not the server's is not believed.

/** The four verbs of this record. */
export function verbs(operation: Operation): Verbs {
  return {
    create: (inputs) => inTurnOfKey(operation, inputs, () => create(operation, inputs)),
    read: (id, state) => read(operation, id, state),
    update: (id, olds, news) => inTurnOfKey(operation, news, () => update(operation, id, olds, news)),
    remove: (id, state) => remove(operation, id, state),
  };
}

/** Writes a record that is new to the program; one that is already there is taken over. */
export function create(operation: Operation, inputs: Values): Promise<Recorded> {
  return doing("creating", operation, inputs, async () => {
    await assertMovedAway(operation, inputs);
    noteWrite(operation, inputs, { isNew: true });
    if (operation.isAnew) noteAnew(operation, inputs);
    await untilDeleted(operation, inputs);
    const server = await assertServer(operation, inputs);
    await assertMount(operation, inputs);
    const record = await undeleted(operation, inputs, server);
    const { definition, isFresh } = operation;
    const takeOver = record && takeOverOf(operation, withServer(stateOf(definition, record, inputs), server));
    const decision = await prepared(operation, decideCreate(definition, inputs, { record, server, isFresh, takeOver }));
    const answer = await write(operation, decision, server);
    await noteMountOf(operation, inputs);
    const made = await confirm(operation, decision, answer, server);
    return completed(operation, decision, made);
  });
}

/**
 * The record that a creation finds. Where the server gives the id, only the look tells which one it is: it is noted then, and one
 * that the run deletes meanwhile, under its former name, is not the one to take over.
 */
async function undeleted(operation: Operation, inputs: Values, server: ServerInfo | undefined) {
  const { definition } = operation;
  const { record } = operation.looked ?? { record: await look(operation, inputs) };
  if (record === undefined || givenInId(definition).length === 0) return record;
  const found = withServer(stateOf(definition, record, inputs), server);
  noteWrite(operation, found, { isNew: true, isThere: true });
  await untilDeleted(operation, found);
  return leavesOf(operation, found) === "nothing" ? look(operation, inputs) : record;
}

/** Brings the record to what the program says, from whatever it was. */
export function update(operation: Operation, id: string, olds: Values, news: Values): Promise<Recorded> {
  const values = { ...valuesFromId(operation.definition, id, olds), ...news };
  return doing("updating", operation, values, async () => {
    assertAddress(operation.definition, id, values, "write");
    const here = await moved(operation, id, olds, values);
    const { decision, state } = await changed(operation, { olds: here, news, values }).catch((error: unknown) => {
      if (here === olds || (isProviderError(error) && error.code === "PartialError")) throw error;
      throw partial(operation.definition, here, `it was moved, but not changed: ${messageOf(error)}`);
    });
    return completed(operation, decision, { id, state });
  });
}

interface Change {
  readonly olds: Values;
  readonly news: Values;
  /** What is recorded, and what the program says over it. */
  readonly values: Values;
}

async function changed(operation: Operation, { olds, news, values }: Change) {
  noteWrite(operation, values);
  await untilDeleted(operation, values);
  const server = await assertServer(operation, olds);
  await assertMount(operation, values);
  const isNew = (await strangePlace(operation, olds, server)) !== undefined;
  const looked = operation.looked ?? { record: await look(operation, values) };
  await assertNotAnother(operation, olds, looked.record);
  // A node may be behind. A record of which the server gives the id cannot be made again, nor a key that it has rotated.
  const { rotation } = operation.definition;
  const isLost = looked.record === undefined && (rotation !== undefined || givenInId(operation.definition).length > 0);
  const record = isLost ? await untilShown(operation, values, (shown) => shown !== undefined) : looked.record;
  if (!isNew && record && olds[INCOMPLETE] !== true)
    assertOwn(operation, olds, stateOf(operation.definition, record, {}));
  const { definition } = operation;
  const sides = record ? withIgnoredNow(operation, record, olds, news) : { olds, news };
  const takeOver = settingOf(operation, news);
  if (isNew && definition.update.sends === "nothing" && takeOver !== "always") throw refreshFirst(THEIRS);
  const decided = isNew ? record && decideCreate(definition, sides.news, { record, server, takeOver }) : undefined;
  const decision = await prepared(operation, decided ?? decideUpdate(definition, sides, { record, server }), olds);
  const answer = await write(operation, decision, server, olds);
  if (isNew) await noteMountOf(operation, olds);
  const { state } = await confirm(operation, decision, answer, server, olds);
  return { decision, state };
}

/** What an action would change all the same, in such a place. */
const THEIRS = "what is there by now somebody else has made, in the place of what the stack has";

/**
 * A record that was just made, with what the request that makes it does not take: a mount is enabled without what only
 * tuning can set. The request that changes a record sets it.
 */
async function completed(operation: Operation, decision: Decision, made: Recorded): Promise<Recorded> {
  const { definition } = operation;
  const isMade = decision.does === "write" && decision.request === definition.create;
  if (!isMade || definition.adopt?.by === undefined) return made;
  const missing = editedProperties(definition, made.state, decision.values);
  if (missing.length === 0) return made;
  try {
    const change = { olds: made.state, news: decision.values, values: { ...made.state, ...decision.values } };
    return { id: made.id, state: (await changed(operation, change)).state };
  } catch (error) {
    if (isProviderError(error) && error.code === "PartialError") throw error;
    throw partial(definition, made.state, `it was made without ${missing.join(" and ")}: ${messageOf(error)}`);
  }
}

/** What the server has now; undefined when the record really is gone. The id alone is enough. */
export function read(operation: Operation, id: string, state: Values): Promise<Recorded | undefined> {
  const { definition, log } = operation;
  const recorded = valuesFromId(definition, id, state);
  return doing("reading", operation, recorded, async () => {
    assertAddress(definition, id, recorded, "read");
    const server = await assertServer(operation, state);
    const observed = async () => observeTraced(operation, await placed(operation, recorded));
    const { values, record } = (await unlessHomeIsGone(operation, recorded, observed)) ?? {};
    if (values === undefined) return undefined;
    // Each server gives ids of its own. With that of a peering goes its token, which the state would have in vain.
    const hasOtherIds = isElsewhere(state, server) && !definition.stage;
    const other = record && !hasOtherIds && supplantedBy(definition, values, record);
    if (other) log("warning", `${titleOf(definition, values)} is gone: ${other}, and that one is left alone`);
    if (other) return void noteAnotherMount(operation, values);
    if (record === undefined) await assertHome(operation, values);
    if (record === undefined || definition.stage?.(record, values)?.is === "leaving") return undefined;
    const unlike = definition.adopt?.refuses?.(record);
    if (unlike && state[SERVER] !== undefined) {
      log("warning", `${titleOf(definition, values)} is gone: ${unlike}. What is there is of another kind, and stays`);
      return undefined;
    }
    if (unlike) throw new ProviderError("InputError", `there is another kind of record of this name: ${unlike}.`);
    if (await isStrange(operation, values, record)) return undefined;
    const found = withServer(stateOf(definition, record, values), server);
    sayOtherKey(operation, recorded, found);
    // What a state has says of which server it is.
    const isRecorded = state[SERVER] !== undefined;
    const place = isRecorded ? await strangePlace(operation, state, server, { isRead: true }) : undefined;
    if (place !== undefined && !isTakenOver(operation, values, record, place)) return undefined;
    // The state then has the mark of the mount that is there, in a plan as in its apply.
    if (place !== undefined) await noteMountOf(operation, state);
    if (isRecorded && place === undefined) noteHeld(operation, found);
    // An update cannot tell the engine another id; a refresh can.
    return { id: definition.moves || values !== recorded ? fill(definition.id, found) : id, state: found };
  });
}

/**
 * The record, also where another hand has renamed or moved it since: then it is not gone, and its name is what differs. Another
 * record may have its name by now.
 */
async function observeTraced(operation: Operation, values: Values) {
  const record = await observe(operation, values);
  if (!isAway(operation.definition, values, record)) return { values, record };
  const now = await traced(operation, values);
  return now === values ? { values, record } : { values: now, record: await observe(operation, now) };
}

/** Removes the record, or forgets it where the API cannot delete. A record that is gone already is a success. */
export function remove(operation: Operation, id: string, state: Values): Promise<void> {
  const { definition, log } = operation;
  const recorded = valuesFromId(definition, id, state);
  // What has moved since the state was written is deleted where it is now, unless the program has it there.
  const moved = movedWith(operation, recorded);
  const meant = moved?.values ?? recorded;
  const title = titleOf(definition, meant);
  return doing("deleting", operation, meant, async () => {
    const removal = removalOf(definition, meant);
    const along = moved?.title === title ? "by this run" : `with ${moved?.title}`;
    const kept = moved?.isWanted ? `was moved ${along}` : reasonToKeep(operation, meant);
    const keep = (reason: string) => log("info", `${title} ${reason}, and is not deleted`);
    // What is made there next is the same record.
    if (moved?.isWanted) noteHeld(operation, meant);
    if (kept !== undefined) {
      await sayOverwritten(operation, meant);
      return keep(kept);
    }
    // What another hand has made there was never the stack's, so that the run does not have it left either.
    // A server that cannot be asked keeps nobody from forgetting it.
    const strange = () => strangePlace(operation, meant, undefined, { isRead: true }).catch(() => undefined);
    if (!removal && stays(operation, meant, await strange())) return;
    if (!removal) return sayForgotten(operation, meant);
    assertAddress(definition, id, meant, "write");
    const server = await assertServer(operation, state);
    // What another hand has made there is not deleted, and the state can go.
    if (await sayMisfit(operation, meant, ", and nothing is deleted")) return;
    if (stays(operation, meant, await strangePlace(operation, meant, server))) return;
    const values = await placed(operation, meant);
    const record = await lastLook(operation, values);
    const theirs = removal.method === "POST" && record && otherKey(operation, values, record);
    if (removal.method === "POST") noteForgotten(operation, meant);
    if (theirs) return log("warning", `${title} ${theirs}`);
    if (removal.method === "DELETE") await assertNotAnother(operation, values, record);
    // The apply of a saved plan hears only here that the state has it: who is to make another one there asks nobody. Of what
    // another hand has made there, and is not deleted, that is not so.
    noteHeld(operation, meant);
    await assertUninhabited(operation, values, record);
    sayChanged(operation, values, record);
    sayBeside(operation, values, record);
    sayLostKey(operation, values);
    // Meanwhile somebody may have written it.
    const written = await deleting(operation, values, () => clear(operation, removal, values));
    if (written !== undefined) return keep(written);
    // Who says later in this run that it is unchanged there has lost it.
    noteAnew(operation, values);
  });
}
