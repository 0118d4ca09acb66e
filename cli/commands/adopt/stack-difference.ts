import { isDefaultProvider } from "../../../provider/core/config-keys";
import { valuesFromId } from "../../../provider/core/look-up";
import type { Engine } from "../../../provider/engine/engine";
import { inFlight } from "../../../provider/engine/in-flight";
import { compare, ofEach } from "../../facts/drift/compare";
import type { ResourceReport, UnmanagedRecord } from "../../facts/drift/report";
import { unmanagedRecords } from "../../facts/drift/unmanaged";
import { ignoreList } from "../../facts/exceptions/ignore-file";
import { DEFAULT, type EngineOptions, enginesOf } from "../../sources/engines";
import type { Found, NotAdopted } from "../../sources/servers/found-record";
import { foundIn } from "../../sources/servers/read-servers";
import { type Answer, type LiveRecord, readRecord } from "../../sources/servers/search";
import { isAddress } from "../../stack/address";
import { classOf, kinds, placeAt } from "../../stack/kinds";
import type { StackState, StateStep } from "../../stack/state";
import { resourceKey } from "./program";

/** What the servers have and a stack has not, and the reverse. */
export interface StackDifference extends Found {
  /** What the stack has, and the servers have not. */
  readonly missing: readonly NotAdopted[];
}

export interface DifferenceOptions extends EngineOptions {
  /** Requests at once. */
  readonly parallel: number;
  readonly progress: (done: number, all: number) => void;
}

/** Looks where `drift --unmanaged` looks: in the mounts, policy sets and clusters in which the stack has something. */
export async function stackDifference(stack: StackState, options: DifferenceOptions): Promise<StackDifference> {
  const { engineOf, end } = enginesOf(stack, options);
  try {
    const groups = [...Map.groupBy(stack.same, ({ provider }) => provider)];
    const missing = await missingRecords(stack.same, engineOf, options);
    const unmanaged = await inFlight(groups, 1, ([provider, group]) =>
      foundBeside(group, { engine: () => engineOf(provider), name: providerName(stack, provider), ...options }),
    );
    return {
      ...foundIn(
        unmanaged.flatMap(({ found }) => found),
        {
          leftOut: unmanaged.flatMap(({ leftOut }) => leftOut),
          unread: [...missing.unread, ...unmanaged.flatMap(({ unread }) => unread)],
        },
      ),
      missing: missing.missing,
    };
  } finally {
    await end();
  }
}

function providerName({ providers }: StackState, provider: string): string {
  return (providers.get(provider) ?? DEFAULT).name;
}

async function missingRecords(
  steps: readonly StateStep[],
  engineOf: (provider: string) => Engine,
  { parallel, progress }: DifferenceOptions,
) {
  let done = 0;
  const compareOne = async (step: StateStep) => {
    const report = await compare(() => engineOf(step.provider), step, { ignores: NONE, parallel });
    progress(++done, steps.length);
    return report;
  };
  const reports = await ofEach(steps, parallel, compareOne);
  const those = (status: ResourceReport["status"], reasonOf: (report: ResourceReport) => string) =>
    reports
      .filter((report) => report.status === status)
      .map((report): NotAdopted => ({ what: `${report.type} ${report.name}`, reason: reasonOf(report) }));
  return {
    missing: those("missing", ({ id }) => `the stack has ${id}, and the server has not`),
    unread: those("unknown", ({ error = "it could not be read" }) => error),
  };
}

/** Differences that do not count are a matter of drift detection. */
const NONE = ignoreList([], "");

interface Group extends Pick<DifferenceOptions, "parallel"> {
  readonly engine: () => Engine;
  /** Name of the provider. */
  readonly name: string;
}

interface Beside {
  readonly found: readonly LiveRecord[];
  readonly leftOut: readonly NotAdopted[];
  readonly unread: readonly NotAdopted[];
}

/** The records that the servers have beside those of one provider's resources. */
async function foundBeside(steps: readonly StateStep[], { engine, name, parallel }: Group): Promise<Beside> {
  const where = { engineOf: engine, parallel, ignores: NONE, isAsked: true, statusOf: () => undefined };
  const { unmanaged, unlisted } = await unmanagedRecords(steps, where);
  const elsewhere = isDefaultProvider(name) ? undefined : `the provider ${name}`;
  const answers = await inFlight(unmanaged, parallel, ({ record }) => readUnmanaged(engine(), record, elsewhere));
  const reasons = unlisted.map(({ path, reason, unsupported }) => ({ what: path, reason, unsupported }));
  return {
    found: answers.flatMap(({ found }) => found),
    leftOut: [...answers.flatMap(({ leftOut }) => leftOut ?? []), ...reasons.filter(({ unsupported }) => unsupported)],
    unread: [...answers.flatMap(({ unread }) => unread ?? []), ...reasons.filter(({ unsupported }) => !unsupported)],
  };
}

async function readUnmanaged(
  engine: Engine,
  { type, id, ...place }: UnmanagedRecord,
  provider: string | undefined,
): Promise<Answer<LiveRecord>> {
  const definition = kinds.find((kind) => classOf(kind) === type);
  const [named] = Object.entries(place).map(([kind, name]) => `the ${kind} ${String(name)}`);
  const elsewhere = provider ?? named;
  const leftOut = (reason: string) => ({ found: [], leftOut: { what: `${type} ${id}`, reason } });
  if (!definition) return leftOut("no program of this package takes it over");
  if (elsewhere !== undefined)
    return leftOut(`it is at ${elsewhere}: programs are written for the services' own servers`);
  const values = valuesFromId(definition, id, {});
  return readRecord(engine, { definition, place: placeAt(definition, values), id, values });
}

/** What the resources in Terraform's root module are called, as its configuration names them: `trustplane_jwt_role ci`. */
export function labelsIn({ same }: StackState): ReadonlySet<string> {
  const addresses = same.map(({ urn }) => urn).filter((urn) => isAddress(urn) && !urn.startsWith("module."));
  return new Set(addresses.map((address) => address.replace(/\[.*$/s, "").replace(".", " ")));
}

/** What the stack's resources are called. */
export function namesIn({ same }: StackState): ReadonlySet<string> {
  return new Set(same.flatMap(({ definition, name }) => (definition ? [resourceKey(definition, name)] : [])));
}
