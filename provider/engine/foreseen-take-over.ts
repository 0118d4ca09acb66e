import type { Values, WireRecord } from "../core/definition";
import { isProviderError } from "../core/errors";
import { recordsIn } from "../core/members";
import { stateOf } from "../core/record";
import { PARALLEL } from "../core/set-rows";
import { hasUnknown, UNKNOWN } from "../core/unknowns";
import { withServer } from "./assert-server";
import { decideCreate } from "./decide";
import { straysOf } from "./foreseen-strays";
import { inFlight } from "./in-flight";
import { observe } from "./look";
import { placesOf } from "./mount-marks";
import { movingFrom } from "./moves";
import { doing, messageOf, type Operation, type SetOperation, sayOnce, titleOf } from "./operation";
import { hasKnownPlace, placeKey } from "./run-notes";
import { type Failed, failed } from "./set-failures";
import { listRecords } from "./strays";
import { changesBetween, notCompared, takeOverOf } from "./take-over";

/**
 * What a creation will find on the server, said in a preview; of a set, of each of its records, and what it removes. A look
 * that cannot be made is no error: the creation looks again. @throws what the creation will be refused with
 */
export async function foresee(operation: Operation, inputs: Values): Promise<void> {
  const { definition } = operation;
  const { members } = definition;
  if (!hasKnownPlace(definition, inputs)) return;
  await doing("creating", operation, inputs, () =>
    members ? foreseeSet({ set: operation, members }, inputs) : foreseeOne(operation, inputs),
  );
}

/** Those of its records that a list shows are looked at. The same list shows what an exclusive set removes. */
async function foreseeSet(operation: SetOperation, inputs: Values): Promise<void> {
  const { set, members } = operation;
  if (inputs[members.property] === UNKNOWN) return;
  const records = recordsIn(set.definition, members, inputs);
  const listing = listRecords(set, members, inputs);
  const listed = await listing.catch(() => undefined);
  const failures: Failed[] = [];
  const seen = [...records].filter(([name]) => listed?.names.includes(name));
  await inFlight(seen, PARALLEL, ([, record]) =>
    foresee({ ...set, definition: members.of }, record).catch((error: unknown) => {
      failures.push({ message: messageOf(error), error });
    }),
  );
  if (failures.length > 0) throw failed(failures, records.size);
  await straysOf(operation, { olds: {}, news: inputs, listing });
}

/** How many records a run looks at ahead of their creation. */
const MOST = 200;

async function foreseeOne(operation: Operation, inputs: Values): Promise<void> {
  const { definition, run, log, isAnew } = operation;
  if (isToGo(operation, inputs)) return;
  run.looks.ahead += 1;
  if (run.looks.ahead > MOST)
    return sayOnce(operation, "info", `this preview looks at ${MOST} records that are new, and not at the others`);
  const seen = await lookAhead(operation, inputs);
  if (!seen) return;
  const { record, server } = seen;
  const live = stateOf(definition, record, inputs);
  const known = Object.entries(inputs).map(([name, value]) => [name, hasUnknown(value) ? live[name] : value]);
  const values: Values = Object.fromEntries(known);
  const shown = stateOf(definition, record, values);
  const state = withServer(shown, server);
  const situation = { record, server, takeOver: takeOverOf(operation, state) };
  try {
    const decision = decideCreate(definition, values, situation);
    const takesOver = decision.does === "nothing" ? decision.takesOver === true : decision.takesOver;
    if (!takesOver || situation.takeOver === undefined) return;
    const changes = changesBetween(definition, shown, values);
    const what = changes.length === 0 ? "is there already, as declared" : `is there already: ${changes.join(", ")}`;
    const level = changes.length === 0 ? "info" : "warning";
    log(level, `${titleOf(definition, values)} ${what}. It is taken over${notCompared(definition, values)}`);
  } catch (error) {
    // Another resource of the state may have it, which this preview has not come to yet.
    if (await isHeldSoon(operation, state)) return;
    if (isAnew !== true) throw error;
    log("warning", `${titleOf(definition, values)}: this update will be refused: ${messageOf(error)}`);
  }
}

/** Whether the run moves or makes anew what the record would be in: what is there now is not what the creation finds. */
function isToGo(operation: Operation, inputs: Values): boolean {
  const places = placesOf(operation, inputs);
  const keys = places.map((place) => placeKey(operation, place));
  return operation.run.said.has("remakes", keys) || places.some((place) => movingFrom(operation, place) !== undefined);
}

async function lookAhead(operation: Operation, inputs: Values) {
  const { connection, signal } = operation;
  try {
    const server = await connection.server(signal);
    // One that does not answer, or must not be asked, is not asked once more.
    if (server === undefined) return undefined;
    const record: WireRecord | undefined = await observe(operation, inputs);
    return record && { record, server };
  } catch (error) {
    if (isProviderError(error) && error.status === 403)
      sayOnce(operation, "info", "the token may not read whether it is there already: the update looks");
    return undefined;
  }
}

const SOON_MS = 1000;
const BETWEEN_MS = 50;

async function isHeldSoon(operation: Operation, state: Values): Promise<boolean> {
  for (const until = Date.now() + SOON_MS; Date.now() < until; ) {
    if (takeOverOf(operation, state) === undefined) return true;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
  return false;
}
