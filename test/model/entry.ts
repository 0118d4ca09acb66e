import type { ResourceName } from "../support/contract-host.ts";
import { type Marked, secret } from "./marks.ts";
import type { Made, Recorded } from "./provider-process.ts";

/** A resource as the program registers it. */
export interface Goal {
  readonly resource: ResourceName;
  /** Which of the program's providers has it. */
  readonly instance: number;
  readonly urn: string;
  /** URNs under which the state may know it. */
  readonly aliases: readonly string[];
  /** The arguments, from the outputs of what was registered before. */
  inputs(outputsOf: (urn: string) => Marked | undefined): Marked;
  /** Those whose outputs are among the arguments. */
  readonly dependsOn: readonly string[];
  readonly additionalSecretOutputs: readonly string[];
}

/** What the state holds of one resource. */
export interface Entry {
  readonly resource: ResourceName;
  readonly instance: number;
  readonly urn: string;
  readonly id: string;
  readonly inputs: Marked;
  readonly outputs: Marked;
  readonly dependsOn: readonly string[];
  /** The last run recorded it, but did not finish. */
  readonly initErrors: readonly string[];
  /** The old record is deleted, and the new one not made yet. */
  readonly isPendingReplacement: boolean;
  readonly additionalSecretOutputs: readonly string[];
}

export function asked({ resource, instance, urn, id, inputs, outputs }: Entry): Recorded {
  return { resource, instance, urn, id, inputs, outputs };
}

export function entryFrom(goal: Goal, inputs: Marked, { id, outputs }: Made): Entry {
  const { resource, instance, urn, dependsOn, additionalSecretOutputs } = goal;
  const more = { dependsOn, additionalSecretOutputs, initErrors: [], isPendingReplacement: false };
  return withSecretOutputs({ resource, instance, urn, id, inputs, outputs, ...more });
}

export function withSecretOutputs(entry: Entry): Entry {
  const mark = (key: string, value: unknown) =>
    entry.additionalSecretOutputs.includes(key) && value !== undefined ? secret(value) : value;
  const outputs = Object.entries(entry.outputs).map(([key, value]) => [key, mark(key, value)]);
  return { ...entry, outputs: Object.fromEntries(outputs) };
}

export function oldOf(goal: Goal, entries: readonly Entry[], done: ReadonlySet<string>): Entry | undefined {
  const free = entries.filter(({ urn }) => !done.has(urn));
  const urns = [goal.urn, ...goal.aliases];
  return urns.map((urn) => free.find((entry) => entry.urn === urn)).find((entry) => entry !== undefined);
}
