import { isEmpty } from "../../../provider/core/canonical";
import type { Definition, Values } from "../../../provider/core/definition";
import { valuesFromId } from "../../../provider/core/look-up";
import { stepsOf } from "../../../provider/core/property-path";
import { isRecord, UNKNOWN } from "../../../provider/core/unknowns";
import { type Engine, inputsOf } from "../../../provider/engine/engine";
import { readFound } from "../../../provider/engine/find-records";
import { inFlight } from "../../../provider/engine/in-flight";
import { listCall } from "../../../provider/engine/list-call";
import { isInMount } from "../../../provider/engine/mount-type";
import { messageOf } from "../../../provider/engine/operation";
import { definitions } from "../../../provider/resources";
import { evaluated } from "../../stack/evaluated-records";
import type { StateStep } from "../../stack/state";
import type { TrustChange } from "../trust/report";
import { DECIDING, trustChanges } from "../trust/trust-changes";
import type { TrustRecord } from "../trust/trust-record";
import type { ResourceReport, UnlistedCollection } from "./report";
import { type FoundBeside, type UnmanagedOptions, unlistedBecause } from "./unmanaged";

/** What lets somebody in: a role, and the configuration that says whose tokens it takes. */
const ENTRANCES: readonly string[] = [definitions.jwtRole, definitions.jwtConfig].map(({ token }) => token);
const SINGLE = new Set<string>(DECIDING.map(({ token }) => token));
const DECISIVE = new Set<string>([
  ...SINGLE,
  ...Object.values(definitions)
    .filter(({ members }: Definition) => members && SINGLE.has(members.of.token))
    .map(({ token }) => token),
]);

/** True for the classes that decide who can become what. */
export function decidesTrust(type: string): boolean {
  return DECISIVE.has(type.replace(".", ":"));
}

/**
 * Roles that the stack does not manage and that give something, and configurations of auth methods, as the servers have them; and
 * those that could not be read. Of records that decide nothing here the first of each mount is read: it tells whether another
 * type is mounted there now.
 */
export async function foreignEntrances(
  found: readonly FoundBeside[],
  { engineOf, parallel, isAsked }: UnmanagedOptions,
) {
  const isOfKind = ({ definition }: FoundBeside) => ENTRANCES.includes(definition.token);
  const isEntrance = (one: FoundBeside) => isOfKind(one) && !one.record.ignored;
  const others = Map.groupBy(
    found
      .filter((one) => !isOfKind(one))
      .filter(({ definition, record }) => isInMount(definition, valuesFromId(definition, record.id, {}))),
    ({ list }) => list,
  );
  const firsts = [...others.values()].flatMap((those) => those.slice(0, 1));
  const read = await inFlight([...found.filter(isEntrance), ...firsts], parallel, async (one): Promise<Foreign> => {
    const { definition, provider, record } = one;
    const { type: _, id, ...place } = record;
    try {
      const values = valuesFromId(definition, id, { ...place });
      const engine = engineOf(provider);
      const live = await readFound(engine, definition, { id, values });
      // A list shows its name: another type is mounted there now, or somebody has deleted it since.
      if (!live) return (await isAnswered(engine, definition, values)) ? { strange: one } : { gone: one };
      if (!isEntrance(one)) return {};
      const { records } = evaluated(definition, inputsOf(definition, live.state));
      return { records: records.map((each) => ({ ...each, urn: id })).filter(givesSomething) };
    } catch (error) {
      // That it is there is known from its list.
      if (!isEntrance(one)) return {};
      const unread = { path: id, ...place, reason: messageOf(error), single: true as const };
      return { unread: unlistedBecause(error, unread, isAsked) };
    }
  });
  const seen = read.flatMap((each) => each.strange ?? []);
  const strange = seen.flatMap((one) => (isEntrance(one) ? [one] : (others.get(one.list) ?? [])));
  return {
    records: read.flatMap((each) => each.records ?? []),
    unread: read.flatMap(({ unread }) => unread ?? []),
    strange: strange.map(({ record }) => record.id),
    none: new Set([...strange, ...read.flatMap(({ gone }) => gone ?? [])]),
  };
}

/** What a look at a record of a list has found. */
interface Foreign {
  readonly records?: readonly TrustRecord[];
  readonly unread?: UnlistedCollection;
  readonly strange?: FoundBeside;
  readonly gone?: FoundBeside;
}

async function isAnswered(engine: Engine, definition: Definition, values: Values): Promise<boolean> {
  const { results } = await engine.call(listCall(definition, definition.read.path), values);
  return !isEmpty(results["found"]);
}

function givesSomething({ definition, values }: TrustRecord): boolean {
  if (definition.token === definitions.jwtConfig.token) return true;
  return !isEmpty(values["tokenPolicies"]) || !isEmpty(values["groupsClaim"]);
}

/** Who gains or loses which policy by what has drifted. What is ignored changes nothing. */
export function trustOfDrift(
  reports: readonly ResourceReport[],
  steps: readonly StateStep[],
  others: readonly TrustRecord[],
): readonly TrustChange[] {
  const reportOf = new Map(reports.map((report) => [report.urn, report]));
  const all = steps.flatMap((step): Sides[] => {
    const { definition, urn } = step;
    if (definition === undefined) return [];
    const records = evaluated(definition, step.after).records.map((each) => ({ ...each, urn }));
    const report = reportOf.get(urn);
    if (report === undefined || !["changed", "missing"].includes(report.status)) return [{ beside: records }];
    if (report.status === "missing") return [{ before: records }];
    const compared = records.map((record) => withDrift(record, report));
    return [
      {
        before: compared.map(({ before }) => before),
        after: [...compared.flatMap(({ after }) => after ?? []), ...unnamedRecords(step, report)],
      },
    ];
  });
  const joined = (side: keyof Sides) => all.flatMap((each) => each[side] ?? []);
  return trustChanges({ before: joined("before"), after: joined("after"), beside: joined("beside"), others });
}

interface Sides {
  readonly before?: readonly TrustRecord[];
  readonly after?: readonly TrustRecord[];
  readonly beside?: readonly TrustRecord[];
}

/** A record as the program wants it, and as the server has it; after is absent for one that is gone. */
function withDrift(record: TrustRecord, { properties }: ResourceReport) {
  const before: Record<string, unknown> = { ...record.values };
  const after: Record<string, unknown> = { ...record.values };
  const differing: string[] = [];
  for (const { property, kind, secret, actual, record: whole, ignored } of properties) {
    if (ignored || kind !== "input") continue;
    const steps = stepsOf(property);
    if (record.of !== undefined && steps[1] !== record.of.name) continue;
    if (whole === "missing") return { before: { ...record, values: before } };
    const name = steps[record.of === undefined ? 0 : 2] ?? "";
    // It is the same record by another name, and gives what it gave.
    if (name === record.definition.trace?.property) continue;
    // Of a secret nothing is known but that it differs.
    if (secret) {
      differing.push(name);
      before[name] = UNKNOWN;
      after[name] = UNKNOWN;
    } else after[name] = actual;
  }
  return { before: { ...record, differing, values: before }, after: { ...record, values: after } };
}

/** Records of an exclusive set that the program does not name. */
function unnamedRecords({ definition, urn }: StateStep, { properties }: ResourceReport): readonly TrustRecord[] {
  const members = definition?.members;
  if (members === undefined) return [];
  return properties
    .filter(({ record, ignored }) => record === "unnamed" && !ignored)
    .flatMap(({ actual }) => (isRecord(actual) ? [{ definition: members.of, values: actual as Values, urn }] : []));
}
