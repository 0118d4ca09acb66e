import type { Values } from "../../provider/core/definition.ts";
import { valuesIn } from "../../provider/hosts/terraform/recorded.ts";
import { isEqual, messageOf, type RawRecord, recordIn } from "../../provider/hosts/terraform/value.ts";
import { errorIn, type TerraformHost } from "./contract-host-terraform.ts";
import type { Stack, Step } from "./contract-stack.ts";
import { assertTypes, configWith, isRespelled, replacedIn, wrongInApply, wrongInPlan } from "./terraform-rules.ts";
import { entryOf, type KeptRecord, recordInFile, stateFileOf, wrongInType } from "./terraform-values.ts";

interface Kept extends KeptRecord {
  readonly private: Uint8Array;
}

/** A resource in the file of a state. */
export interface StateInFile {
  readonly version: number;
  /** The attributes, as JSON. */
  readonly json: Uint8Array;
  readonly private: Uint8Array;
}

export interface TerraformStack extends Stack {
  /** What a file of the state has now. */
  inFile(): StateInFile | undefined;
}

interface Plan {
  readonly config: RawRecord;
  readonly record: RawRecord;
  readonly private: Uint8Array;
  readonly replaces: readonly string[];
}

const NOTHING = new Uint8Array();
/** Of every resource, as the provider's schema says. */
const SCHEMA_VERSION = 0;

/** One resource of a program, with the bookkeeping and the rules of Terraform's core. It goes on from a file, if there is one. */
export function createTerraformStack(first: TerraformHost, before?: StateInFile): TerraformStack {
  let host = first;
  let kept: Kept | undefined;
  let file = before;

  /** Terraform has a state as JSON, also between its steps, and asks for today's form wherever it reads it. */
  async function upgraded(): Promise<void> {
    const was = file ?? inFile();
    if (was === undefined) return;
    const { version, json, private: beside } = was;
    file = undefined;
    const { table } = host;
    const answer = await host.ask("UpgradeResourceState", { version, rawState: { json } });
    const record = recordInFile(table, answer.upgradedState?.json);
    obey(wrongInType(table, record), "an upgraded state of another type");
    kept = { record, private: beside, isTainted: kept?.isTainted ?? false };
  }

  function inFile(): StateInFile | undefined {
    return kept && { version: SCHEMA_VERSION, json: stateFileOf(host.table, kept.record), private: kept.private };
  }

  /** The plan of the program over what is kept. Answers what Terraform would do. */
  async function plan(args: Values): Promise<{ readonly step: Step; readonly plan: Plan }> {
    await upgraded();
    await host.startPlan();
    assertTypes(host.table, args);
    const config = configWith(host.table, args);
    await host.ask("ValidateResourceConfig", {
      config: messageOf(config),
      clientCapabilities: { writeOnlyAttributesAllowed: true },
    });
    if (kept?.isTainted) return { step: "replace", plan: await planOver(host, undefined, config) };
    const planned = await planOver(host, kept, config);
    if (kept === undefined) return { step: "create", plan: planned };
    if (planned.replaces.length > 0) {
      const anew = await planOver(host, undefined, config, planned.private);
      return { step: "replace", plan: { ...anew, replaces: planned.replaces } };
    }
    const isSame = isRespelled(host.table, kept.record, planned.record);
    return { step: isSame ? "same" : "update", plan: planned };
  }

  async function apply({ config, record, ...planned }: Plan): Promise<void> {
    // An apply plans once more, and what it finds has to be what was shown.
    const again = await planOver(host, kept, config);
    obey(isEqual(again.record, record) ? [] : ["planned twice"], "an inconsistent final plan");
    const answer = await host.ask(
      "ApplyResourceChange",
      {
        priorState: messageOf(kept?.record),
        plannedState: messageOf(record),
        config: messageOf(config),
        plannedPrivate: planned.private,
      },
      { mayFail: true },
    );
    const { table } = host;
    const error = errorIn(table, answer.diagnostics);
    const applied = recordIn(answer.newState?.msgpack);
    if (applied) obey(wrongInType(table, applied), "a new state of another type");
    if (!error) obey(applied ? wrongInApply(table, record, applied) : ["all"], "an inconsistent result after apply");
    const isTainted = error !== undefined && (kept === undefined || kept.isTainted);
    kept = applied && { record: applied, private: answer.private, isTainted };
    if (error) throw error;
  }

  async function destroy(): Promise<void> {
    await upgraded();
    if (kept === undefined) return;
    await host.startPlan();
    const deletion = { priorState: messageOf(kept.record), config: messageOf(undefined) };
    const planned = await host.ask("PlanResourceChange", { ...deletion, priorPrivate: kept.private });
    obey(recordIn(planned.plannedState?.msgpack) ? ["all"] : [], "an invalid plan of a deletion");
    await host.startRun();
    await remove(planned.plannedPrivate);
  }

  /** The delete of a replacement has no plan of its own: it gets what was planned for the record that is made. */
  async function remove(plannedPrivate: Uint8Array): Promise<void> {
    await upgraded();
    if (kept === undefined) return;
    const answer = await host.ask(
      "ApplyResourceChange",
      {
        priorState: messageOf(kept.record),
        config: messageOf(undefined),
        plannedState: messageOf(undefined),
        plannedPrivate,
      },
      { mayFail: true },
    );
    const error = errorIn(host.table, answer.diagnostics);
    const left = recordIn(answer.newState?.msgpack);
    if (!error) obey(left ? ["all"] : [], "something left after a deletion");
    kept = left && { ...kept, record: left, private: answer.private };
    if (error) throw error;
  }

  async function read({ record, ...was }: Kept): Promise<boolean> {
    const answer = await host.ask("ReadResource", { currentState: messageOf(record), private: was.private });
    const found = recordIn(answer.newState?.msgpack);
    if (found) obey(wrongInType(host.table, found), "a read state of another type");
    kept = found && { record: found, private: answer.private, isTainted: was.isTainted };
    return found !== undefined;
  }

  return {
    entry: () => kept && entryOf(host.table, kept),
    async preview(args) {
      const { step, plan: planned } = await plan(args);
      return { step, replaces: planned.replaces };
    },
    async up(args) {
      const { step, plan: planned } = await plan(args);
      if (kept && isEqual(planned.record, kept.record) && step === "same") return step;
      // An apply is a walk of its own, in which the provider is configured anew.
      await host.startPlan();
      if (step === "replace") await remove(planned.private);
      await apply(planned);
      return step;
    },
    async refresh() {
      await upgraded();
      if (kept === undefined) throw new Error("there is nothing to refresh");
      return read(kept);
    },
    destroy,
    async adopt(id) {
      const { importedResources } = await host.ask("ImportResourceState", { id });
      const [imported] = importedResources;
      const record = recordIn(imported?.state.msgpack);
      if (imported === undefined || record === undefined) throw new Error("an import without a record");
      obey(wrongInType(host.table, record), "an import of another type");
      // An import is into a state that does not have the record.
      file = undefined;
      if (!(await read({ record, private: imported.private, isTainted: false }))) throw new Error("gone at once");
      return kept ? valuesIn(host.table, kept.record) : {};
    },
    untaint() {
      kept = kept && { ...kept, isTainted: false };
    },
    restart(next) {
      // The program's resource stays what it is.
      host = next as TerraformHost;
      file = inFile() ?? file;
    },
    inFile,
  };
}

async function planOver(
  host: TerraformHost,
  prior: Kept | undefined,
  config: RawRecord,
  priorPrivate = prior?.private ?? NOTHING,
): Promise<Plan> {
  const { table } = host;
  const answer = await host.ask("PlanResourceChange", {
    priorState: messageOf(prior?.record),
    config: messageOf(config),
    priorPrivate,
  });
  const record = recordIn(answer.plannedState?.msgpack) ?? {};
  obey(wrongInType(table, record), "a plan of another type");
  obey(wrongInPlan(table, prior?.record, config, record), "an invalid plan");
  const paths = answer.requiresReplace.map(({ steps }) => steps[0]?.attributeName ?? "");
  const replaces = prior ? replacedIn(table, { prior: prior.record, planned: record, paths }) : [];
  return { config, record, private: answer.plannedPrivate, replaces };
}

/** Terraform ends with an error that blames the provider. */
function obey(wrong: readonly string[], rule: string): void {
  if (wrong.length > 0) throw new Error(`Terraform: the provider produced ${rule}: ${wrong.join(", ")}`);
}
