import type { Values } from "../../provider/core/definition.ts";
import type { Failure } from "../../provider/core/errors.ts";
import type { definitions } from "../../provider/resources/index.ts";

export type ResourceName = keyof typeof definitions;

/** What every host offers to the thing that calls it, in plain values. */
export interface ContractHost {
  check(olds: Values, news: Values): Promise<{ readonly inputs: Values; readonly failures: readonly Failure[] }>;
  /** `olds` are the recorded outputs. */
  diff(id: string, olds: Values, news: Values): Promise<HostDifference>;
  create(inputs: Values): Promise<HostRecord>;
  read(id: string, olds: Values): Promise<(HostRecord & { readonly inputs: Values }) | undefined>;
  update(id: string, olds: Values, news: Values): Promise<Values>;
  delete(id: string, olds: Values): Promise<void>;
  /** The run ends: the host logs out. */
  end(): Promise<void>;
  /** What a failure left behind on the server, to be recorded. */
  leftBehind(error: unknown): HostRecord | undefined;
  /** Everything that was returned to Pulumi, as JSON, secrets in their envelopes. */
  readonly answers: string[];
  /** What was logged so far. */
  log(): readonly string[];
}

export interface HostDifference {
  readonly differs: boolean;
  readonly replaces: readonly string[];
}

export interface HostRecord {
  readonly id: string;
  readonly state: Values;
}

export interface HostOptions {
  readonly resource: ResourceName;
  /** Stack configuration by key, without the package's name. */
  readonly config: Readonly<Record<string, string>>;
}
