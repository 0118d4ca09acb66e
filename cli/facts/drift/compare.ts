import type { Definition, Members, Values } from "../../../provider/core/definition";
import { type Records, recordsIn } from "../../../provider/core/members";
import type { Engine } from "../../../provider/engine/engine";
import { inFlight } from "../../../provider/engine/in-flight";
import { messageOf } from "../../../provider/engine/operation";
import { placeIn } from "../../stack/place";
import type { StateStep } from "../../stack/state";
import { type IgnoreList, ignoredBecause } from "../exceptions/ignore-file";
import { compareRecord } from "./compare-record";
import { compareSet } from "./compare-set";
import type { PropertyDrift, ResourceReport } from "./report";
import { writeOnlyValues } from "./write-only-values";

export interface CompareOptions {
  readonly ignores: IgnoreList;
  /** Requests at once for the records of a set. */
  readonly parallel: number;
}

/** What comes of each resource. A set reads its records in parallel, so one is read after the other. */
export async function ofEach<T>(
  steps: readonly StateStep[],
  parallel: number,
  work: (step: StateStep) => Promise<T>,
): Promise<readonly T[]> {
  const isSet = ({ definition }: StateStep) => definition?.members !== undefined;
  const singles = steps.filter((step) => !isSet(step));
  return [...(await inFlight(singles, parallel, work)), ...(await inFlight(steps.filter(isSet), 1, work))];
}

/** Compares a resource with its record, as a refresh and then a preview do. A failure gives the status `unknown`. */
export async function compare(
  engine: () => Engine,
  step: StateStep,
  { ignores, parallel }: CompareOptions,
): Promise<ResourceReport> {
  const { definition, id } = step;
  const values = step.values();
  const { recorded, encrypted } = values;
  const about = aboutOf(step, recorded);
  const unknown = (error: string): ResourceReport => ({ ...about, status: "unknown", error });
  if (!definition) return unknown(`this release of trustplane does not know ${about.type}.`);
  const { members } = definition;
  // Without the names of its records, a set would be looked up: with all that are there.
  if (members && encrypted.has(members.property))
    return { ...about, status: "unchanged", writeOnly: writeOnlyValues(values, definition, {}) };
  try {
    const found = await engine().read(definition, id, members ? { ...recorded, parallel } : recorded);
    if (!found) {
      const ignored = ignores.whole(about);
      return ignored ? { ...about, status: "ignored", ignored } : { ...about, status: "missing" };
    }
    const { properties, writeOnly } = members
      ? compareSet(values, {
          ignoreChanges: step.ignoreChanges,
          definition,
          members,
          live: found.state,
          others: await unmanagedOf(engine(), { definition, members, id, state: { ...found.state, parallel } }),
          ignores,
          about,
        })
      : compareRecord(values, definition, found.state, (differing) =>
          ignoredBecause({ ...differing, about, place: differing.name }, ignores, step.ignoreChanges),
        );
    return { ...about, status: statusOf(properties), properties, writeOnly };
  } catch (error) {
    return unknown(messageOf(error));
  }
}

interface ReadSet {
  readonly definition: Definition;
  readonly members: Members;
  readonly id: string;
  readonly state: Values;
}

/** The records that an exclusive set has found beside its own: a set of these names has them. */
async function unmanagedOf(engine: Engine, { definition, members, id, state }: ReadSet): Promise<Records> {
  const { unmanaged } = state;
  if (!Array.isArray(unmanaged)) return new Map();
  const records = Object.fromEntries(unmanaged.map((name) => [String(name), {}]));
  const set = { ...state, defaults: undefined, exclusive: false, [members.property]: records };
  return recordsIn(definition, members, (await engine.read(definition, id, set))?.state ?? {});
}

function aboutOf({ urn, class: type, name, id, declaredAt, definition }: StateStep, recorded: Values) {
  return {
    urn,
    type,
    name,
    id,
    ...(definition ? placeIn(definition, recorded) : {}),
    ...(declaredAt === undefined ? {} : { declaredAt }),
    properties: [],
    writeOnly: [],
  };
}

function statusOf(properties: readonly PropertyDrift[]): ResourceReport["status"] {
  if (properties.length === 0) return "unchanged";
  return properties.every(({ ignored }) => ignored) ? "ignored" : "changed";
}
