import { isEmpty } from "../core/canonical";
import type { Parts, Values } from "../core/definition";
import { diff } from "../core/diff";
import { isProviderError, ProviderError } from "../core/errors";
import { assertAddress, valuesFromId } from "../core/look-up";
import { INCOMPLETE, SERVER } from "../core/state-names";
import { fill } from "../core/template";
import { takeOverRow } from "../core/tenant";
import { assertServer, isElsewhere } from "./assert-server";
import * as takeOver from "./foreseen-take-over";
import * as single from "./lifecycle";
import { look } from "./look";
import { doing, messageOf, type Operation, type Recorded, type Sides, titleOf, type Verbs } from "./operation";
import { BETWEEN_SERVERS, serversOf, statePlacesOf } from "./state-places";
import { assertNotAnother, supplantedBy } from "./traced";

/** A pair of records on two servers: the same five verbs, over the lifecycle of each part. */
export interface PairOperation {
  readonly pair: Operation;
  readonly parts: Parts;
  readonly issuer: Operation;
  readonly taker: Operation;
}

/** The four verbs of this pair. */
export function verbs(operation: PairOperation): Verbs {
  return {
    create: (inputs) => create(operation, inputs),
    read: (id, state) => read(operation, id, state),
    update: (_id, olds, news) => update(operation, olds, news),
    remove: (_id, state) => remove(operation, state),
  };
}

/** Both records in one step. What the first one issues goes to the second one and nowhere else. */
export function create(operation: PairOperation, inputs: Values): Promise<Recorded> {
  return doing("creating", operation.pair, inputs, () => establish(operation, inputs));
}

export function update(operation: PairOperation, olds: Values, news: Values): Promise<Recorded> {
  return doing("updating", operation.pair, news, async () => {
    const { issuer, taker } = await assertServers(operation, olds);
    const sides = await lookedAt(operation, olds);
    await assertNotAnothers(sides);
    // Nothing changed: the last run recorded the pair before it was ready, so this one waits on.
    const { definition } = operation.pair;
    const names = statePlacesOf(definition, olds).flatMap((place) => Object.keys(place.names));
    const changed = diff(definition, olds, news).changed.filter((name) => !names.includes(name));
    if (changed.length === 0) return goOn(operation, olds, news);
    // A half that is made again while the other one still holds the old stream can end broken although every call
    // succeeds; a pair made again from nothing does not.
    if (olds[operation.parts.ended] === true || olds[INCOMPLETE] === true) await removeBoth(sides);
    return establish({ ...operation, issuer, taker }, news);
  });
}

export function read(operation: PairOperation, id: string, state: Values): Promise<Recorded | undefined> {
  // A look-up brings the id alone.
  const values = valuesFromId(operation.pair.definition, id, state);
  return doing("reading", operation.pair, values, async () => {
    assertAddress(operation.pair.definition, id, values, "read");
    const [issued, taken] = await Promise.all([
      single.read(operation.issuer, "", partOf(operation, operation.parts.issuerFields, values)),
      single.read(operation.taker, "", partOf(operation, operation.parts.takerFields, values)),
    ]);
    if (!issued && !taken) return undefined;
    return { id, state: merged(operation.parts, values, issued, taken) };
  });
}

export function remove(operation: PairOperation, state: Values): Promise<void> {
  return doing("deleting", operation.pair, state, async () => {
    const sides = await lookedAt(operation, state);
    // Once a refresh has shown that a half is gone, the rest of the pair can go.
    if (state[INCOMPLETE] !== true) await assertNotAnothers(sides);
    await removeBoth(sides);
  });
}

/** What a creation will find of both records, said in a preview. @throws what it will be refused with */
export async function foresee(operation: PairOperation, inputs: Values, told: takeOver.Foreseeing = {}): Promise<void> {
  await doing(told.replaces ? "replacing" : "creating", operation.pair, inputs, async () => {
    for (const [side, values] of sidesOf(operation, inputs)) await takeOver.foresee(side, values, told);
  });
}

/** The two operations of a pair, each with the values of its part. */
export function sidesOf(operation: PairOperation, values: Values): Sides {
  const { issuer, taker, parts } = operation;
  return [
    [issuer, partOf(operation, parts.issuerFields, values)],
    [taker, partOf(operation, parts.takerFields, values)],
  ];
}

async function establish(operation: PairOperation, inputs: Values): Promise<Recorded> {
  const { parts, pair } = operation;
  const id = fill(pair.definition.id, inputs);
  let issued: Recorded | undefined;
  try {
    issued = await single.create(operation.issuer, partOf(operation, parts.issuerFields, inputs));
    const handed = { [parts.handsOver]: issued.state[parts.handsOver] };
    const taken = await single.create(operation.taker, { ...partOf(operation, parts.takerFields, inputs), ...handed });
    return { id, state: merged(parts, inputs, issued, taken) };
  } catch (error) {
    throw halfWay(operation, id, inputs, issued, error);
  }
}

/** Waits on for the taker, which is written last; nothing is issued anew. */
async function goOn(operation: PairOperation, olds: Values, news: Values): Promise<Recorded> {
  const { parts, pair } = operation;
  const id = fill(pair.definition.id, news);
  const values = { ...olds, ...news };
  const ownOf = (names: Names) => partOf(operation, names, values);
  const issued = await single.read(operation.issuer, "", ownOf(parts.issuerFields));
  try {
    const taken = await single.update(operation.taker, "", ownOf(parts.takerFields), ownOf(parts.takerFields));
    return { id, state: merged(parts, values, issued, taken) };
  } catch (error) {
    throw halfWay(operation, id, values, issued, error);
  }
}

/** What is known of both sides when one of them failed. The pair is complete once the taker is written, ready or not. */
function halfWay(
  { parts }: PairOperation,
  id: string,
  values: Values,
  issued: Recorded | undefined,
  error: unknown,
): unknown {
  const left = isProviderError(error) && error.properties ? { id, state: error.properties } : undefined;
  if (!issued && !left) return error;
  const half = issued ? merged(parts, values, issued, left) : merged(parts, values, left, undefined);
  const properties = left?.state[INCOMPLETE] === true ? { ...half, [INCOMPLETE]: true } : half;
  const reason = messageOf(error);
  return new ProviderError("PartialError", reason, { id, properties, reasons: [reason] });
}

/** Checks both servers before anything is written to one of them. Answers the two operations, and whether the state has their records. */
async function assertServers(operation: PairOperation, olds: Values): Promise<Record<"issuer" | "taker", Operation>> {
  const own = async (side: Operation, names: Names) => {
    const values = partOf(operation, names, olds);
    return { ...side, isOwn: !isElsewhere(values, await assertServer(side, values)) };
  };
  const { issuer, taker, parts } = operation;
  return { issuer: await own(issuer, parts.issuerFields), taker: await own(taker, parts.takerFields) };
}

/** The two sides with what is there of each. What is on another server than before has a rule of its own. */
function lookedAt(operation: PairOperation, state: Values): Promise<Sides> {
  const sides = sidesOf(operation, state).map(async ([side, values]): Promise<Sides[number]> => {
    const server = await side.connection.server(side.signal);
    if (!isEmpty(values[SERVER]) && server?.identity !== values[SERVER]) return [side, values];
    const record = await doing("reading", side, values, () => look(side, values));
    return [{ ...side, looked: { record } }, values];
  });
  return Promise.all(sides);
}

/** Refuses, before a half is touched, where another hand has made one of them anew. */
async function assertNotAnothers(sides: Sides): Promise<void> {
  for (const [side, values] of sides)
    await doing("reading", side, values, () => assertNotAnother(side, values, side.looked?.record));
}

async function removeBoth(sides: Sides): Promise<void> {
  for (const [side, values] of sides.toReversed()) {
    const record = side.looked?.record;
    if (record === undefined || !supplantedBy(side.definition, values, record)) await single.remove(side, "", values);
    else side.log("warning", `${titleOf(side.definition, values)} is somebody else's by now, and is not deleted`);
  }
}

type Names = Readonly<Record<string, string>>;

/** A part's values: its own properties, and the server that it was written to. */
function partOf({ parts }: PairOperation, names: Names, values: Values): Values {
  const same = Object.keys(takeOverRow).map((name) => [name, name] as const);
  const entries = [...same, ...Object.entries(names)].map(([name, own]) => [own, values[name]] as const);
  const server = serversOf(values)[names === parts.issuerFields ? 0 : 1];
  return Object.fromEntries([...entries, [SERVER, server] as const].filter(([, value]) => !isEmpty(value)));
}

/** The pair's state. A side that is missing, or ended, makes the pair incomplete. */
function merged(parts: Parts, values: Values, issued: Recorded | undefined, taken: Recorded | undefined): Values {
  const { [parts.ended]: _, [INCOMPLETE]: __, ...rest } = values;
  const sides = [issued, taken].filter((side) => side !== undefined);
  const servers = [issued, taken].map((side) => side?.state[SERVER]).filter(Boolean);
  return {
    ...rest,
    ...pairOf(parts.issuerFields, issued?.state),
    ...pairOf(parts.takerFields, taken?.state),
    ...(sides.some((side) => side.state[parts.ended] === true) ? { [parts.ended]: true } : {}),
    ...(sides.length < 2 ? { [INCOMPLETE]: true } : {}),
    ...(servers.length === 2 ? { [SERVER]: servers.join(BETWEEN_SERVERS) } : {}),
  };
}

function pairOf(names: Names, part: Values | undefined): Values {
  const entries = Object.entries(names).map(([name, own]) => [name, part?.[own]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
