import type { Engine } from "../../../provider/engine/engine";
import { inFlight } from "../../../provider/engine/in-flight";
import { definitions } from "../../../provider/resources";
import { changeInWords, type Words, wordsFor } from "../../stack/attribute-words";
import { isMount } from "../../stack/kinds";
import { loginsNotLookedAt } from "../../stack/login-collections";
import { othersText } from "../../stack/not-compared";
import type { StackState, StateStep } from "../../stack/state";
import { firstOf } from "../../text/lists";
import type { IgnoreList } from "../exceptions/ignore-file";
import { commandsFor, type Remedy } from "./commands";
import { compare, ofEach } from "./compare";
import { decidesTrust, foreignEntrances, trustOfDrift } from "./drift-trust";
import { followMoved } from "./moved-mounts";
import type { DriftCounts, DriftReport, PropertyDrift, ResourceReport } from "./report";
import { failedLists, notListed } from "./summary";
import { unmanagedRecords } from "./unmanaged";

export interface DetectOptions {
  /** The engine of a provider of the state, by its URN. It only reads. */
  readonly engineOf: (provider: string) => Engine;
  /** Requests at once to one server. */
  readonly parallel: number;
  readonly ignores: IgnoreList;
  /** Whether to look for records that the stack does not manage; undefined: where the token may. */
  readonly unmanaged: boolean | undefined;
  readonly now: Date;
  readonly remedy: Remedy | undefined;
  readonly progress: (done: number, all: number) => void;
}

/** Compares every resource of a stack with its record. Nothing is written, and failures are part of the report. */
export async function detectDrift(stack: StackState, options: DetectOptions): Promise<DriftReport> {
  const { engineOf, ignores, parallel, progress } = options;
  const all = [...stack.same].sort((a, b) => order(a.class, b.class) || order(a.urn, b.urn));
  let done = 0;
  const compareOne = async (step: StateStep) => {
    const result = await compare(() => engineOf(step.provider), step, { ignores, parallel });
    progress(++done, all.length);
    return result;
  };
  // What is in a mount is where that is now.
  const mounts = all.filter(isOfMount);
  const first = await inFlight(mounts, parallel, compareOne);
  const follow = followMoved(mounts, first);
  const compareNext = async (step: StateStep) => ({ ...(await compareOne(follow(step))), id: step.id });
  const next = await ofEach(
    all.filter((step) => !isOfMount(step)),
    parallel,
    compareNext,
  );
  const compared = [...first, ...next].sort((a, b) => order(a.type, b.type) || order(a.urn, b.urn));
  const statuses = new Map(compared.map(({ urn, status }) => [urn, status]));
  const beside = {
    engineOf,
    parallel,
    ignores,
    isAsked: options.unmanaged === true,
    statusOf: (urn: string) => statuses.get(urn),
  };
  const found = options.unmanaged === false ? undefined : await unmanagedRecords(all.map(follow), beside);
  const foreign = await foreignEntrances(found?.unmanaged ?? [], beside);
  const unmanaged = (found?.unmanaged ?? []).filter((one) => !foreign.none.has(one)).map(({ record }) => record);
  const unlisted = [...(found?.unlisted ?? []), ...foreign.unread];
  const hasDrifted = compared.some(({ type, status }) => decidesTrust(type) && ["changed", "missing"].includes(status));
  const isTrust = hasDrifted || foreign.records.length > 0;
  const deciding = isTrust ? all.filter((step) => decidesTrust(step.class)) : [];
  const hasMethod = all.some(({ definition }) => definition?.token === definitions.sysAuthMount.token);
  const notLookedAt = [
    othersText(stack.others, "compared") ?? [],
    stack.unsettled,
    ...notListed(unlisted),
    options.unmanaged === false ? [] : loginsNotLookedAt(all.flatMap(afterOf)),
    foreign.strange.length === 0
      ? []
      : `not looked at: ${firstOf(foreign.strange)} (another type is mounted there now)`,
    // By such a group somebody else gives policies to those who log in there. One list, but of the whole server.
    options.unmanaged === undefined && hasMethod ? GROUPS_NOT_LISTED : [],
    found?.leavesConfigurations ? CONFIGURATIONS_NOT_READ : [],
  ].flat();
  const counts = countsOf(compared, unmanaged.filter(({ ignored }) => !ignored).length);
  const isPartial = counts.unknown > 0 || failedLists({ unlisted }).length > 0;
  const hasDrift = counts.changed + counts.missing + counts.unmanaged > 0;
  return reportInWords({
    format: "trustplane-drift-report/1",
    ...(stack.stack === undefined ? {} : { stack: stack.stack }),
    checkedAt: options.now.toISOString(),
    result: isPartial ? "unknown" : hasDrift ? "drift" : "none",
    counts,
    ...(isTrust ? { trust: trustOfDrift(compared, deciding, foreign.records) } : {}),
    resources: compared.filter(({ status, writeOnly }) => status !== "unchanged" || writeOnly.length > 0),
    ...(found ? { unmanaged: unmanaged.sort((a, b) => order(a.type, b.type) || order(a.id, b.id)) } : {}),
    ...(found ? { unlisted } : {}),
    ...(notLookedAt.length === 0 ? {} : { notLookedAt }),
    ignoreFile: ignores.idle(),
    ...(options.remedy ? { commands: commandsFor(compared, options.remedy) } : {}),
  });
}

const afterOf = ({ definition, after }: StateStep) => (definition === undefined ? [] : [{ definition, values: after }]);

const isOfMount = ({ definition }: StateStep) => definition !== undefined && isMount(definition);

const CONFIGURATIONS_NOT_READ =
  "the configurations of mounts that the stack does not manage are looked for with --unmanaged only";

const GROUPS_NOT_LISTED = "groups of others with an alias at its auth methods are looked for with --unmanaged only";

function countsOf(resources: readonly ResourceReport[], unmanaged: number): DriftCounts {
  const count = (status: ResourceReport["status"]) => resources.filter((each) => each.status === status).length;
  const unverifiable = resources.flatMap(({ writeOnly }) =>
    writeOnly.filter(({ verdict }) => verdict === "unverifiable"),
  );
  return {
    resources: resources.length,
    unchanged: count("unchanged"),
    changed: count("changed"),
    missing: count("missing"),
    ignored: count("ignored"),
    unknown: count("unknown"),
    unverifiable: unverifiable.length,
    unmanaged,
  };
}

/** Compares code units, so that the order is the same on every machine. */
function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A report in the words of the users of its resources. */
export function reportInWords(report: DriftReport): DriftReport {
  return { ...report, resources: report.resources.map(resourceInWords) };
}

function resourceInWords(report: ResourceReport): ResourceReport {
  const words = wordsFor(report.urn);
  return {
    ...report,
    properties: report.properties.map((drift) => propertyInWords(words, drift)),
    writeOnly: report.writeOnly.map((value) => ({
      ...value,
      property: words.path(value.property),
      reason: words.text(value.reason),
      ...(value.witness === undefined ? {} : { witness: words.path(value.witness) }),
    })),
    ...(report.error === undefined ? {} : { error: words.text(report.error) }),
  };
}

function propertyInWords(words: Words, drift: PropertyDrift): PropertyDrift {
  const { property, changes } = drift;
  return {
    ...drift,
    property: words.path(property),
    changes: changes.map((change) => changeInWords(words, change)),
    ...("expected" in drift ? { expected: words.value(property, drift.expected) } : {}),
    ...("actual" in drift ? { actual: words.value(property, drift.actual) } : {}),
  };
}
