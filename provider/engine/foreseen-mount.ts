import type { Values, WireRecord } from "../core/definition";
import type { Difference } from "../core/diff";
import { isProviderError, ProviderError } from "../core/errors";
import { isMoving } from "../core/move";
import { stateOf } from "../core/record";
import { INCOMPLETE } from "../core/state-names";
import { WILL_BE_REFUSED } from "../core/take-over-words";
import { hasUnknown, isRecord } from "../core/unknowns";
import { foreseeBinding } from "./attached";
import { decideUpdate } from "./decide";
import { foreseeKey } from "./foreseen-key";
import { assertOwn, foreseeInhabitants } from "./inhabitants";
import { observe, untilCurrent } from "./look";
import { missingMount, mountInTheWay, mountKey } from "./mount-type";
import { doing, type Operation, type Sides, sayOnce, titleOf } from "./operation";
import { recordKeys } from "./run-notes";
import { assertNotAnother, traced } from "./traced";
import { aMoment } from "./unless-aborted";
import { sayWrittenOver, withIgnoredNow, writtenOver } from "./written-over";

/**
 * That a creation follows on the deletion of an old record: it is foreseen `ahead`, and right `before` the deletion; or in a
 * `plan`, whose deletions come in a process that knows nothing of the creation.
 */
export type Replaces = "ahead" | "before" | "plan";

/**
 * What would stop a creation before it comes to its record: no mount that it would be in, and, where an old record is deleted
 * first, no plugin of a mount's type. @throws where no other resource can mend it any more; before, it is a warning.
 */
export async function foreseeMount(operation: Operation, inputs: Values, replaces?: Replaces): Promise<void> {
  const { run, definition } = operation;
  if (!(await answers(operation))) return;
  if (replaces === "before") {
    await assertPlugin(operation, inputs);
    await foreseeInhabitants(operation, inputs);
  }
  if (!replaces) await foreseePath(operation, inputs, { isMove: false });
  const look = (isFresh: boolean) =>
    missingMount(operation, inputs, { isFresh, isMadeLater: replaces !== "before" }).catch(() => undefined);
  if ((await look(false)) === undefined) return;
  if (replaces === "before" || (replaces === "ahead" && wasForeseen(operation, inputs))) {
    const isMade = run.said.last("stands", [mountKey(operation, inputs)]) !== undefined;
    // A node may not show yet what a resource of this run has made, or moved there.
    const missing = isMade
      ? await untilCurrent(
          operation,
          inputs,
          () => look(true),
          (shown) => shown === undefined,
        )
      : await look(true);
    if (missing !== undefined) throw new ProviderError("InputError", `${missing}.`);
    return;
  }
  // The process of the preview has warned of it, or another record of the same mount has.
  const key = `nothing at ${mountKey(operation, inputs)}`;
  const isSaid = run.warned.has(key) || run.journal.told(recordKeys(operation, inputs)).has("wants");
  if (isSaid && replaces !== "plan") return;
  run.warned.add(key);
  if (await soon(operation, async () => (await look(false)) === undefined)) return;
  const missing = await look(true);
  if (missing === undefined) return;
  if (replaces === "plan") throw new ProviderError("InputError", `${missing}. ${APART}`);
  const title = titleOf(definition, inputs);
  operation.log("warning", `${title}: ${WILL_BE_REFUSED}, unless another resource makes the mount: ${missing}`);
}

/** A change that a preview has found, with the records of a pair. */
interface PlannedChange {
  readonly olds: Values;
  readonly news: Values;
  readonly sides: Sides;
  readonly difference: Pick<Difference, "replaces">;
}

/**
 * What would stop the change of a record by where it is, or is to be. @throws where another hand has renamed it since, or has made
 * another one in its place, as of one of the `sides` of a pair
 */
export async function foreseePlace(
  operation: Operation,
  { olds, news, sides, difference }: PlannedChange,
): Promise<void> {
  const { definition } = operation;
  const isReplaced = difference.replaces.length > 0;
  // A pair of which a half is gone is compared by the very refresh that shows it: the update refuses.
  const parts = definition.parts && olds[INCOMPLETE] !== true ? sides : [];
  for (const [side, values] of parts)
    await foreseePlace(side, { olds: values, news: values, sides: [], difference: { replaces: [] } });
  await foreseeKey(operation, olds, news);
  const isMoved = isMoving(definition, olds, news);
  const now = isMoved ? await traced(operation, olds).catch(() => olds) : olds;
  // Another hand may have moved it there already.
  if (isMoved && !isMoving(definition, now, news)) return;
  if (isLookedAt(operation, news, isReplaced) && olds[INCOMPLETE] !== true && (await answers(operation))) {
    const look = async () => {
      const record = await observe(operation, olds);
      if (!isMoved) await assertNotAnother(operation, olds, record);
      if (record) assertOwn(operation, olds, stateOf(definition, record, {}));
      if (record && !isReplaced) await sayGoing(operation, record, olds, news);
    };
    await doing("updating", operation, olds, look).catch((error: unknown) => {
      // A look that cannot be made is no error: the update looks again.
      if (!isProviderError(error) || error.code === "InputError") throw error;
    });
  }
  if (isMoved) await foreseePath(operation, news, { isMove: true });
}

/**
 * Whether a preview of a change looks for what another hand has done: always where that is likely, and up to a number of records
 * where nothing has read them just before. A set compares its records with a list.
 */
function isLookedAt(operation: Operation, news: Values, isReplaced: boolean): boolean {
  const { definition, run, isUnread } = operation;
  const { trace, stage, members, update } = definition;
  if (trace || stage) return true;
  // What is replaced is deleted, and nothing of it is written over.
  if (isReplaced) return false;
  if (Object.values(definition.fields).some((field) => field.isShared)) return true;
  if (!isUnread || members || update.sends === "nothing") return false;
  // The update compares once more, and looks by itself.
  if (wasForeseen(operation, news)) return false;
  run.looks.changed += 1;
  if (run.looks.changed <= MOST_LOOKS) return true;
  sayOnce(operation, "info", `this preview looks at ${MOST_LOOKS} records that change, and not at the others`);
  return false;
}

/** How many records a run looks at ahead of their creation, or change. */
export const MOST_LOOKS = 200;

/** Says what others have changed or added, which the change writes over. */
async function sayGoing(operation: Operation, record: WireRecord, olds: Values, news: Values): Promise<void> {
  const { definition, connection, signal } = operation;
  const server = await connection.server(signal);
  const live = stateOf(definition, record, olds);
  // What is not known yet may be as it is there.
  const known = Object.entries(news).map(([name, value]) => [name, hasUnknown(value) ? live[name] : value]);
  const sides = withIgnoredNow(operation, record, olds, Object.fromEntries(known));
  const decision = decideUpdate(definition, sides, { record, server });
  await foreseeBinding(operation, olds, record, sides.news);
  sayWrittenOver(operation, decision.values, writtenOver(definition, decision, sides.olds));
}

/** Says in a preview that a mount cannot be made, or moved to, where another one is. The run may take that away before. */
async function foreseePath(operation: Operation, values: Values, how: { readonly isMove: boolean }): Promise<void> {
  if (!(await answers(operation))) return;
  const { log, definition } = operation;
  const other = await mountInTheWay(operation, values, how).catch(() => undefined);
  if (other === undefined) return;
  const refused = `${WILL_BE_REFUSED}, unless this run takes away the mount ${JSON.stringify(other)} before`;
  log("warning", `${titleOf(definition, values)}: ${refused}: no two mounts have one path, and none is in another`);
}

/** A server that does not answer, or must not be asked, is not asked once more. */
async function answers({ connection, signal }: Operation): Promise<boolean> {
  return (await connection.server(signal).catch(() => undefined)) !== undefined;
}

const APART = "What is replaced is deleted first: make the mount in an apply before this one.";

/** Whether the preview of this run has looked: then it knows what the other resources have. */
export function wasForeseen(operation: Operation, inputs: Values): boolean {
  return operation.run.said.hadBefore("wants", recordKeys(operation, inputs));
}

/** Of a type that no server has by itself. Where the token may not see the catalog, the creation tells. */
async function assertPlugin({ connection, signal, definition }: Operation, inputs: Values): Promise<void> {
  const { moves, inhabited } = definition;
  const { type } = inputs;
  if (!moves || inhabited?.by(inputs) !== undefined || typeof type !== "string" || hasUnknown(type)) return;
  const reply = await connection.ask({ method: "GET", path: moves.catalog.path, signal }).catch(() => undefined);
  const known = moves.catalog.names(reply?.kind === "found" && isRecord(reply.record) ? reply.record : {});
  if (known.length === 0 || known.includes(type)) return;
  const what = `this server has no plugin ${JSON.stringify(type)} that could be mounted`;
  throw new ProviderError("InputError", `${what}: check the type.`);
}

/** How long nothing has come of any resource when none is expected any more, and how long is waited in all. */
const [QUIET_MS, MOST_MS] = [1000, 20_000];

/** Whether it comes to be so while the preview comes to other resources. */
export async function soon({ run }: Operation, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  const began = Date.now();
  const until = () => Math.min(Math.max(began, run.looks.saidAt) + QUIET_MS, began + MOST_MS);
  while (Date.now() < until()) {
    if (await isSo()) return true;
    await aMoment();
  }
  return false;
}
