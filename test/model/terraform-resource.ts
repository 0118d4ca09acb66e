import { keptIn } from "../../provider/hosts/terraform/kept.ts";
import type { UnaryCall } from "../../provider/hosts/terraform/protocol.ts";
import { recordedIn, valuesIn } from "../../provider/hosts/terraform/recorded.ts";
import { hasUnknownRaw, isEqual, messageOf, type RawRecord, recordIn } from "../../provider/hosts/terraform/value.ts";
import type { ResourceName } from "../support/contract-host.ts";
import { terraformTable } from "../support/terraform-client.ts";
import { configWith, replacedIn, wrongInApply, wrongInPlan } from "../support/terraform-rules.ts";
import { recordInFile, stateFileOf, wrongInType } from "../support/terraform-values.ts";
import type { Entry, Goal } from "./entry.ts";
import { openedAll } from "./marks.ts";
import type { TerraformProcess } from "./process-terraform.ts";

/** What Terraform's state has of one resource. */
export interface Kept {
  readonly resource: ResourceName;
  readonly instance: number;
  readonly urn: string;
  readonly record: RawRecord;
  readonly private: Uint8Array;
  /** Its creation has failed: the next run makes it anew. */
  readonly isTainted: boolean;
  readonly dependsOn: readonly string[];
}

/** What a plan has for one resource. */
export interface Planned {
  readonly verb: "same" | "create" | "update" | "replace" | "delete";
  /** Undefined where the resource goes. */
  readonly record: RawRecord | undefined;
  readonly config: RawRecord | undefined;
  readonly private: Uint8Array;
}

const NOTHING = new Uint8Array();
/** Of every resource, as the provider's schema says. */
const SCHEMA_VERSION = 0;

/** Undefined where the record is gone. */
export async function read(process: TerraformProcess, kept: Kept): Promise<Kept | undefined> {
  const { resource } = kept;
  const table = terraformTable(resource);
  const current = await upgraded(process, kept);
  const request = { currentState: messageOf(current), private: kept.private };
  const answer = await asked(process, resource, "ReadResource", request);
  const found = recordIn(answer.newState?.msgpack);
  if (found) obey(wrongInType(table, found), "a read state of another type");
  return found && { ...kept, record: found, private: answer.private };
}

/** What core asks before all else of what the state has, also in the apply of a saved plan. */
async function upgraded(process: TerraformProcess, { resource, record }: Kept): Promise<RawRecord> {
  const table = terraformTable(resource);
  const rawState = { json: stateFileOf(table, record) };
  const { upgradedState } = await asked(process, resource, "UpgradeResourceState", {
    version: SCHEMA_VERSION,
    rawState,
  });
  const current = recordInFile(table, upgradedState?.json);
  obey(wrongInType(table, current), "an upgraded state of another type");
  return current;
}

/** `terraform import`: what is read by the id alone becomes the state. */
export async function imported(process: TerraformProcess, goal: Goal, id: string): Promise<Kept | undefined> {
  const { resource } = goal;
  const { importedResources } = await asked(process, resource, "ImportResourceState", { id });
  const [one] = importedResources;
  const record = recordIn(one?.state.msgpack);
  return record && one && read(process, keptOf(goal, { record, private: one.private }));
}

/** The plan of what the program says, over what the state has. What is tainted is planned as if it were not there. */
export async function plan(process: TerraformProcess, goal: Goal, before: Kept | undefined): Promise<Planned> {
  const { resource } = goal;
  const table = terraformTable(resource);
  const config = configWith(table, openedAll(goal.inputs(() => undefined)));
  const clientCapabilities = { writeOnlyAttributesAllowed: true };
  await asked(process, resource, "ValidateResourceConfig", { config: messageOf(config), clientCapabilities });
  const over = async (prior: RawRecord | undefined, priorPrivate: Uint8Array) => {
    const request = { priorState: messageOf(prior), config: messageOf(config), priorPrivate };
    const answer = await asked(process, resource, "PlanResourceChange", request);
    const record = recordIn(answer.plannedState?.msgpack) ?? {};
    obey(wrongInType(table, record), "a plan of another type");
    obey(wrongInPlan(table, prior, config, record), "an invalid plan");
    const paths = answer.requiresReplace.map(({ steps }) => steps[0]?.attributeName ?? "");
    const replaces = prior ? replacedIn(table, { prior, planned: record, paths }) : [];
    return { planned: { record, config, private: answer.plannedPrivate }, replaces };
  };
  const prior = before?.isTainted ? undefined : before;
  const { planned, replaces } = await over(prior?.record, prior?.private ?? NOTHING);
  if (prior === undefined) return { verb: before ? "replace" : "create", ...planned };
  if (isEqual(planned.record, prior.record)) return { verb: "same", ...planned };
  if (replaces.length === 0) return { verb: "update", ...planned };
  // What replaces it is planned once more, over nothing but what the first plan has kept beside it.
  return { verb: "replace", ...(await over(undefined, planned.private)).planned };
}

export async function planDeletion(process: TerraformProcess, kept: Kept): Promise<Planned> {
  const { resource, record } = kept;
  const request = { priorState: messageOf(record), config: messageOf(undefined), priorPrivate: kept.private };
  const answer = await asked(process, resource, "PlanResourceChange", request);
  obey(recordIn(answer.plannedState?.msgpack) ? ["all"] : [], "an invalid plan of a deletion");
  return { verb: "delete", record: undefined, config: undefined, private: answer.plannedPrivate };
}

/** What the state has after a change: all that is left of it, and why it has failed. */
export interface Outcome {
  readonly kept: Kept | undefined;
  readonly error: unknown;
}

/** Makes or changes a record. An apply plans once more: what it finds has to be what was shown, and is what it applies. */
export async function write(
  process: TerraformProcess,
  goal: Goal,
  before: Kept | undefined,
  shown: Planned,
): Promise<Outcome> {
  const { resource } = goal;
  const table = terraformTable(resource);
  try {
    const again = await plan(process, goal, before);
    // What is replaced is gone already, and an update may have come to nothing.
    const after = { same: "same", delete: "delete", create: "create", replace: "create", update: "same" } as const;
    const isShown = again.verb === shown.verb || again.verb === after[shown.verb];
    const [was, is] = [shown.record ?? {}, again.record ?? {}];
    const others = wrongInApply(table, was, is).filter((name) => !hasUnknownRaw(was[name]));
    obey(isShown ? others : [`${again.verb} after ${shown.verb}`], "an inconsistent final plan");
    if (again.verb === "same") return { kept: before, error: undefined };
    const request = {
      priorState: messageOf(before?.record),
      plannedState: messageOf(again.record),
      config: messageOf(again.config),
      plannedPrivate: again.private,
    };
    const answer = await process.ask(resource, "ApplyResourceChange", request).catch(deadAnswer);
    const { error } = answer;
    // A provider that is dead has said nothing: then core keeps the attributes that it knows, and nothing beside them.
    const record = answer.newState === null ? before?.record : recordIn(answer.newState.msgpack);
    if (record) obey(wrongInType(table, record), "a new state of another type");
    if (!error) obey(record ? wrongInApply(table, is, record) : ["all"], "an inconsistent result after apply");
    const isTainted = error !== undefined && before === undefined;
    return { kept: record && { ...keptOf(goal, { record, private: answer.private }), isTainted }, error };
  } catch (error) {
    return { kept: before, error };
  }
}

export async function remove(process: TerraformProcess, kept: Kept, shown: Planned): Promise<Outcome> {
  const nothing = messageOf(undefined);
  const request = {
    priorState: messageOf(kept.record),
    plannedState: nothing,
    config: nothing,
    plannedPrivate: shown.private,
  };
  const apply = () => process.ask(kept.resource, "ApplyResourceChange", request);
  const answer = await upgraded(process, kept).then(apply).catch(deadAnswer);
  const record = recordIn(answer.newState?.msgpack);
  if (!answer.error) return { kept: undefined, error: record && new Error("a deletion has left something") };
  return { kept: record ? { ...kept, record, private: answer.private } : kept, error: answer.error };
}

/** The same as the model has it for Pulumi. */
export function entryFrom({ resource, instance, urn, record, dependsOn, isTainted, ...kept }: Kept): Entry {
  const table = terraformTable(resource);
  const isUnfinished = isTainted || record["incomplete"] === true;
  return {
    ...{ resource, instance, urn, dependsOn, id: String(record["id"]) },
    // All that the file of the state has is looked through for secrets.
    inputs: { ...valuesIn(table, record), private: Buffer.from(kept.private).toString() },
    outputs: recordedIn(table, record, keptIn(kept.private)),
    initErrors: isUnfinished ? ["unfinished"] : [],
    isPendingReplacement: false,
    additionalSecretOutputs: [],
  };
}

function keptOf({ resource, instance, urn, dependsOn }: Goal, state: Pick<Kept, "record" | "private">): Kept {
  return { resource, instance, urn, dependsOn, isTainted: false, ...state };
}

async function asked(process: TerraformProcess, resource: ResourceName, call: UnaryCall, request: object) {
  const answer = await process.ask(resource, call, request);
  if (answer.error) throw answer.error;
  return answer;
}

function deadAnswer(error: unknown): { newState: null; private: Uint8Array; error: unknown } {
  return { newState: null, private: NOTHING, error };
}

/** Terraform ends with an error that blames the provider. */
function obey(wrong: readonly string[], rule: string): void {
  if (wrong.length > 0) throw new Error(`Terraform: the provider produced ${rule}: ${wrong.join(", ")}`);
}
