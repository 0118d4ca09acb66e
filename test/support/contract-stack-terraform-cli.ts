import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Values } from "../../provider/core/definition.ts";
import { valuesIn } from "../../provider/hosts/terraform/recorded.ts";
import type { ResourceTable } from "../../provider/hosts/terraform/table.ts";
import { isEqual, type RawRecord, rawOf, UNKNOWN_RAW } from "../../provider/hosts/terraform/value.ts";
import type { TerraformCliHost } from "./contract-host-terraform-cli.ts";
import type { Stack, Step } from "./contract-stack.ts";
import { folderOfTest } from "./temporary-folder.ts";
import { programWith, RESOURCE } from "./terraform-json.ts";
import { messagesIn } from "./terraform-messages.ts";
import { isRespelled } from "./terraform-rules.ts";
import { entryOf, type KeptRecord, recordInFile } from "./terraform-values.ts";

/** One resource of a program in a folder of its own, with the real CLI around the provider. */
export function createTerraformCliStack(first: TerraformCliHost): Stack {
  let host = first;
  let isUntainted = false;
  const folder = folderOfTest();
  const { table } = first;
  const address = `${table.typeName}.${RESOURCE}`;
  const stateFile = join(folder, "terraform.tfstate");
  const write = (file: string, content: object) => writeFileSync(join(folder, file), JSON.stringify(content));

  /** Without values the program does not have the resource: what is recorded is refreshed and destroyed all the same. */
  function program(values?: Values): void {
    const { main, variables } = values ? programWith(table, values) : { main: {}, variables: {} };
    write("provider.tf.json", host.settings);
    write("main.tf.json", main);
    write("terraform.tfvars.json", variables);
  }

  async function run(...args: readonly string[]): Promise<string> {
    if (isUntainted) {
      isUntainted = false;
      await host.run(folder, "untaint", "-allow-missing", address);
    }
    try {
      return await host.run(folder, ...args);
    } finally {
      host.answers.push(existsSync(stateFile) ? readFileSync(stateFile, "utf8") : "");
    }
  }

  function kept(): KeptRecord | undefined {
    if (!existsSync(stateFile)) return undefined;
    const { resources } = JSON.parse(readFileSync(stateFile, "utf8")) as StateFile;
    const [instance] = resources.find(({ type }) => type === table.typeName)?.instances ?? [];
    if (instance === undefined) return undefined;
    const record = recordInFile(table, Buffer.from(JSON.stringify(instance.attributes)));
    return { record, isTainted: instance.status === "tainted" };
  }

  return {
    entry() {
      const now = kept();
      return now && entryOf(table, now);
    },
    async preview(args) {
      program(args);
      const { actions } = messagesIn(await run("plan", "-json", "-refresh=false", "-out=plan"));
      const action = actions[address];
      // Only of what changes there is more to say.
      if (action === undefined || action === "create") return { step: stepOf(table, action ?? "no-op"), replaces: [] };
      const { resource_changes: changes = [] } = JSON.parse(await run("show", "-json", "plan")) as ShownPlan;
      const change = changes.find((each) => each.address === address)?.change;
      if (change === undefined) throw new Error(`a plan without ${address}`);
      const [before, after] = [recordIn(table, change.before), recordAfter(table, change)];
      return { step: stepOf(table, change.actions.join(), before, after), replaces: replacedFor(table, change) };
    },
    async up(args) {
      const before = kept()?.record;
      program(args);
      const { actions } = messagesIn(await run("apply", "-json", "-auto-approve", "-refresh=false"));
      return stepOf(table, actions[address] ?? "no-op", before, kept()?.record);
    },
    async refresh() {
      if (kept() === undefined) throw new Error("there is nothing to refresh");
      program();
      await run("refresh", "-json");
      return kept() !== undefined;
    },
    async destroy() {
      program();
      await run("destroy", "-json", "-auto-approve", "-refresh=false");
    },
    async adopt(id) {
      // An import is into a state that does not have the record.
      rmSync(stateFile, { force: true });
      program({});
      await run("import", address, id);
      const found = kept();
      return found ? valuesIn(table, found.record) : {};
    },
    untaint() {
      isUntainted = true;
    },
    restart(next) {
      // The program's resource stays what it is.
      host = next as TerraformCliHost;
    },
  };
}

/** As much of the file of a state as is read here. */
interface StateFile {
  readonly resources: readonly {
    readonly type: string;
    readonly instances: readonly { readonly status?: string; readonly attributes: object }[];
  }[];
}

/** As much of a plan's JSON as is read here. */
interface ShownPlan {
  readonly resource_changes?: readonly { readonly address: string; readonly change: ShownChange }[];
}

interface ShownChange {
  readonly actions: readonly string[];
  readonly before: Values | null;
  readonly after: Values | null;
  readonly after_unknown: Values;
  readonly replace_paths?: readonly (readonly string[])[];
}

const STEPS: Readonly<Record<string, Step>> = {
  "no-op": "same",
  noop: "same",
  create: "create",
  update: "update",
  replace: "replace",
  "delete,create": "replace",
};

function stepOf(table: ResourceTable, action: string, before?: RawRecord, after?: RawRecord): Step {
  const step = STEPS[action];
  if (step === undefined) throw new Error(`an action ${action}`);
  if (step !== "update" || before === undefined || after === undefined) return step;
  return !isEqual(before, after) && isRespelled(table, before, after) ? "same" : step;
}

function replacedFor({ inputs }: ResourceTable, { replace_paths: paths = [] }: ShownChange): string[] {
  const names = paths.map(([name]) => name);
  return inputs.filter(({ name }) => names.includes(name)).map(({ property }) => property);
}

function recordIn({ own, inputs, outputs }: ResourceTable, shown: Values | null): RawRecord | undefined {
  if (shown === null) return undefined;
  return Object.fromEntries([...own, ...inputs, ...outputs].map(({ name, type }) => [name, rawOf(type, shown[name])]));
}

function recordAfter(table: ResourceTable, { after, after_unknown: unknown }: ShownChange): RawRecord | undefined {
  const record = recordIn(table, after);
  const names = Object.keys(unknown).filter((name) => JSON.stringify(unknown[name]).includes("true"));
  return record && { ...record, ...Object.fromEntries(names.map((name) => [name, UNKNOWN_RAW])) };
}
