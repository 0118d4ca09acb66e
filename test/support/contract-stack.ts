import type { Values } from "../../provider/core/definition.ts";
import type { ContractHost, PulumiHost } from "./host-under-test.ts";
import { InputsRefused } from "./inputs-refused.ts";

export { InputsRefused };

/** What a run did with the resource. */
export type Step = "same" | "create" | "update" | "replace";

/** What the state holds of one resource. */
export interface StackEntry {
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
  /** The last run recorded it, but did not finish. */
  readonly unfinished: boolean;
}

/** One resource of a program, with the bookkeeping that an engine does around a provider. */
export interface Stack {
  entry(): StackEntry | undefined;
  /** What the next run would do. */
  preview(args: Values): Promise<{ readonly step: Step; readonly replaces: readonly string[] }>;
  /**
   * Throws InputsRefused, or what the provider throws; either way the state is as true as it was. `ignoring` is Pulumi's option
   * `ignoreChanges`.
   */
  up(args: Values, options?: { readonly ignoring: readonly string[] }): Promise<Step>;
  /** Reads the record into the state; false when it is gone. */
  refresh(): Promise<boolean>;
  destroy(): Promise<void>;
  /** Takes over an existing record by its id alone; answers its inputs. */
  adopt(id: string): Promise<Values>;
  /** Keeps what a failed creation has left. Terraform would replace it (`terraform untaint`); Pulumi never does. */
  untaint(): void;
  /** A new process: other connections, the same state. */
  restart(host: ContractHost): void;
}

/** A program of one resource, on the host's own kind of engine. */
export function createStack(host: ContractHost): Stack {
  return host.stack();
}

/** A stack as Pulumi's engine keeps one. */
export function createPulumiStack(first: PulumiHost): Stack {
  let host = first;
  let entry: StackEntry | undefined;

  async function plan(args: Values, ignoring?: readonly string[]) {
    const said = entry && ignoring ? ignoringChanges(args, entry.inputs, ignoring) : args;
    const { inputs, failures } = await host.check(entry?.inputs ?? {}, said, ignoring);
    if (failures.length > 0) throw new InputsRefused(failures);
    if (entry === undefined) return { inputs, step: "create", replaces: [] } as const;
    const { differs, replaces } = await host.diff(entry.id, entry.outputs, inputs, ignoring);
    const step: Step = replaces.length > 0 ? "replace" : differs || entry.unfinished ? "update" : "same";
    return { inputs, step, replaces };
  }

  /** Records what a failed step left on the server, as the engine does with a partial failure. */
  async function recording<T>(inputs: Values, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const left = host.leftBehind(error);
      if (left) entry = { id: left.id, inputs, outputs: left.state, unfinished: true };
      throw error;
    }
  }

  async function create(inputs: Values) {
    const { id, state } = await recording(inputs, () => host.create(inputs));
    entry = { id, inputs, outputs: state, unfinished: false };
  }

  async function update({ id, outputs }: StackEntry, inputs: Values, ignoring?: readonly string[]) {
    const state = await recording(inputs, () => host.update(id, outputs, inputs, ignoring));
    entry = { id, inputs, outputs: state, unfinished: false };
  }

  async function destroy() {
    if (entry === undefined) return;
    await host.delete(entry.id, entry.outputs);
    entry = undefined;
  }

  return {
    entry: () => entry,
    preview: async (args) => {
      const { step, replaces } = await plan(args);
      return { step, replaces };
    },
    async up(args, { ignoring } = { ignoring: [] }) {
      const { inputs, step } = await plan(args, ignoring);
      if (step === "replace") await destroy();
      if (step === "create" || step === "replace") await create(inputs);
      if (step === "update" && entry) await update(entry, inputs, ignoring);
      if (step === "same" && entry) entry = { ...entry, inputs };
      return step;
    },
    async refresh() {
      if (entry === undefined) throw new Error("there is nothing to refresh");
      const found = await host.read(entry.id, entry.outputs);
      entry = found && { id: found.id, inputs: found.inputs, outputs: found.state, unfinished: false };
      return found !== undefined;
    },
    destroy,
    async adopt(id) {
      const found = await host.read(id, {});
      if (found === undefined) throw new Error(`there is no ${id}`);
      entry = { id: found.id, inputs: found.inputs, outputs: found.state, unfinished: false };
      return found.inputs;
    },
    untaint: () => undefined,
    restart: (next) => {
      // The program's resource stays on the kind of host that it has.
      host = next as PulumiHost;
    },
  };
}

/** Pulumi gives the provider what was recorded for what `ignoreChanges` names; here a path of names with dots. */
function ignoringChanges(args: Values, recorded: Values, paths: readonly string[]): Values {
  const kept: Record<string, unknown> = structuredClone(args);
  for (const path of paths) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    const holders = [kept, recorded].map((values) =>
      names.reduce<Record<string, unknown>>((inside, name) => (inside[name] ?? {}) as Record<string, unknown>, values),
    );
    if (holders[0] && holders[1]) holders[0][last] = holders[1][last];
  }
  return kept;
}
