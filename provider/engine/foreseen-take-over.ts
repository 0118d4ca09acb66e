import type { Values, WireRecord } from "../core/definition";
import { isProviderError } from "../core/errors";
import { recordsIn } from "../core/members";
import { stateOf } from "../core/record";
import { PARALLEL } from "../core/set-rows";
import { IS_TAKEN_OVER, WILL_BE_REFUSED } from "../core/take-over-words";
import { requestPath } from "../core/template";
import { hasUnknown, UNKNOWN } from "../core/unknowns";
import { listingOf } from "../dialects/listing";
import { assertNotElsewhere, withServer } from "./assert-server";
import { foreseeAttached } from "./attached";
import { decideCreate } from "./decide";
import { foreseeMount, MOST_LOOKS, type Replaces, soon, wasForeseen } from "./foreseen-mount";
import { unmanagedOf } from "./foreseen-unmanaged";
import { inFlight } from "./in-flight";
import { observe } from "./look";
import { placesOf } from "./mount-marks";
import { movingFrom } from "./moves";
import {
  doing,
  type Limits,
  messageOf,
  type Operation,
  type SetOperation,
  sayOnce,
  sayOnceOf,
  titleOf,
} from "./operation";
import { hasKnownPlace, isHeld, isWritten, placeKey, recordKeys } from "./run-notes";
import { type Failed, failed } from "./set-failures";
import { changesBetween, notCompared, takeOverOf } from "./take-over";
import { listRecords } from "./unmanaged";

/** What a host says when it asks what a creation will find. */
export interface Foreseeing extends Limits {
  /** What the state has of a set: its records are no news. */
  readonly olds?: Values | undefined;
  /**
   * The host asks about one resource after the other, so that the one that has the record so far may come later: nothing is
   * refused, and what would be is said.
   */
  readonly isEarly?: boolean | undefined;
  /**
   * It is made in the place of a record that is deleted first: what would refuse it refuses the deletion. Right `before` that
   * nothing is left open, such as a mount that another resource is to make.
   */
  readonly replaces?: Replaces;
  /** Says what the creation of an exclusive set removes, too: the same list shows it. */
  readonly saysRemovals?: boolean;
}

/**
 * What a creation will find on the server, said in a preview; of a set, of each record that is new to it. @throws what the
 * creation will be refused with. A look that cannot be made is no error: the creation looks again.
 */
export async function foresee(operation: Operation, inputs: Values, told: Foreseeing = {}): Promise<void> {
  const { definition, log } = operation;
  const { members } = definition;
  const isOpen = hasUnknown(inputs["takeOver"]) || (members && inputs[members.property] === UNKNOWN);
  if (!hasKnownPlace(definition, inputs)) return;
  await foreseeAttached(operation, inputs, told.olds);
  // An update of a single record makes none.
  const isUpdate = told.olds !== undefined;
  if (isOpen || (isUpdate && !members)) return;
  const isEarly = told.isEarly && !(told.replaces && wasForeseen(operation, inputs));
  const verb = told.replaces ? "replacing" : isUpdate ? "updating" : "creating";
  await doing(verb, operation, inputs, async () => {
    await assertNotElsewhere(operation);
    try {
      if (!isUpdate) await foreseeMount(operation, inputs, told.replaces);
      if (members) await foreseeSet({ set: operation, members }, inputs, { ...told, isEarly });
      else await foreseeOne(operation, inputs, { ...told, isEarly });
    } catch (error) {
      if (!isEarly) throw error;
      const refused = `${WILL_BE_REFUSED}, unless a resource of this stack has the record so far`;
      log("warning", `${titleOf(definition, inputs)}: ${refused}: ${messageOf(error)}`);
    }
  });
}

/** Those of its records that a list shows are looked at; each, where there is no list. */
async function foreseeSet(operation: SetOperation, inputs: Values, told: Foreseeing): Promise<void> {
  const { set, members } = operation;
  const { olds = {}, saysRemovals = false } = told;
  const before = recordsIn(set.definition, members, olds);
  const records = [...recordsIn(set.definition, members, inputs)].filter(([name]) => !before.has(name));
  if (records.length === 0 && !saysRemovals) return;
  const listing = listRecords(set, members, inputs);
  const listed = await listing.catch(() => undefined);
  const failures: Failed[] = [];
  // What is picked out of a list needs the same one: the first says that it cannot be looked at.
  const unlisted = members.of.read.pick ? records.slice(0, 1) : records;
  const seen = listed ? records.filter(([name]) => listed.names.includes(name)) : unlisted;
  const one = { ...set, definition: members.of };
  await inFlight(seen, PARALLEL, ([, record]) =>
    doing("creating", one, record, () => foreseeOne(one, record, { ...told, isListed: true })).catch(
      (error: unknown) => {
        failures.push({ message: messageOf(error), error });
      },
    ),
  );
  if (failures.length > 0) throw failed(failures, records.length, { isPreview: true });
  if (saysRemovals) await unmanagedOf(operation, { olds: {}, news: inputs, listing });
}

async function foreseeOne(
  operation: Operation,
  inputs: Values,
  { isEarly, replaces, isListed = false }: Foreseeing & { readonly isListed?: boolean },
): Promise<void> {
  const { definition, run, showsOnlyWarnings } = operation;
  // The process of the preview has looked: Terraform plans once more in the apply, and Pulumi's classes check once more.
  if (!replaces && run.journal.told(recordKeys(operation, inputs)).has("wants")) return;
  // What was made before the old record is deleted is this run's own.
  if (replaces && (isWritten(operation, inputs) || isHeld(operation, inputs))) return;
  if (isToGo(operation, inputs) || (!isListed && (await isNotListed(operation, inputs)))) return;
  run.looks.ahead += 1;
  if (run.looks.ahead > MOST_LOOKS && !replaces)
    return sayOnce(
      operation,
      "info",
      `this preview looks at ${MOST_LOOKS} records that are new, and not at the others`,
    );
  const seen = await lookAhead(operation, inputs, replaces);
  if (!seen) return;
  const { record, server } = seen;
  const live = stateOf(definition, record, inputs);
  const known = Object.entries(inputs).map(([name, value]) => [name, hasUnknown(value) ? live[name] : value]);
  const values: Values = Object.fromEntries(known);
  const shown = stateOf(definition, record, values);
  const state = withServer(shown, server);
  // Where the server gives the id, only the record itself tells that this run has made it.
  if (replaces && isWritten(operation, state)) return;
  const situation = { record, server, takeOver: takeOverOf(operation, state) };
  try {
    const decision = decideCreate(definition, values, situation);
    const takesOver = decision.does === "nothing" ? decision.takesOver === true : decision.takesOver;
    if (!takesOver || situation.takeOver === undefined) return;
    const changes = changesBetween(definition, shown, values);
    const what = changes.length === 0 ? "is there already, as declared" : `is there already: ${changes.join(", ")}`;
    const lost = notCompared(definition, record, values);
    const isHarmless = changes.length === 0 && (lost === "" || definition.update.sends !== "nothing");
    const level = isHarmless && !showsOnlyWarnings ? "info" : "warning";
    const text = `${titleOf(definition, values)} ${what}. ${IS_TAKEN_OVER}${lost}`;
    // A replacement is asked about as a difference, and as a creation.
    sayOnceOf(operation, level, text);
  } catch (error) {
    // Another resource of the state may have it, which this preview has not come to yet.
    if (isEarly || !(await isHeldSoon(operation, state))) throw error;
  }
}

/** From this record of a mount on, one list says which of them are there at all. */
const MANY = 3;

/** Whether a list of all such records shows that this one is not there. A few are looked at without one, which needs less of the token. */
async function isNotListed(operation: Operation, inputs: Values): Promise<boolean> {
  const { definition, run } = operation;
  const template = listingOf(definition);
  if (definition.read.pick || template === undefined) return false;
  const key = placeKey(operation, requestPath(template, inputs));
  const list = run.lists.get(key) ?? { asked: 0 };
  run.lists.set(key, list);
  list.asked += 1;
  if (list.asked < MANY) return false;
  const one = { of: definition, name: definition.label, property: "", outputs: {} };
  list.shown ??= listRecords(operation, one, inputs).catch(() => undefined);
  const shown = (await list.shown)?.show(inputs);
  return shown !== undefined && shown.record === undefined;
}

/** Whether the run moves or makes anew what the record would be in: what is there now is not what the creation finds. */
function isToGo(operation: Operation, inputs: Values): boolean {
  const places = placesOf(operation, inputs);
  const keys = places.map((place) => placeKey(operation, place));
  return operation.run.said.has("remakes", keys) || places.some((place) => movingFrom(operation, place) !== undefined);
}

async function lookAhead(operation: Operation, inputs: Values, replaces: Foreseeing["replaces"]) {
  const { connection, signal, definition } = operation;
  try {
    const server = await connection.server(signal);
    // One that does not answer, or must not be asked, is not asked once more.
    if (server === undefined) return undefined;
    const record: WireRecord | undefined = await observe(operation, inputs);
    return record && { record, server };
  } catch (error) {
    if (replaces === "before") throw error;
    if (isProviderError(error) && error.status === 403) {
      const what = "the token may not read whether it is there already: the update looks";
      sayOnceOf(operation, "info", `${titleOf(definition, {})}: ${what}`);
    }
    return undefined;
  }
}

function isHeldSoon(operation: Operation, state: Values): Promise<boolean> {
  return soon(operation, () => takeOverOf(operation, state) === undefined);
}
