import type { Values } from "../../provider/core/definition.ts";
import type { Failure } from "../../provider/core/errors.ts";
import type { definitions } from "../../provider/resources/index.ts";
import type { Stack } from "./contract-stack.ts";

export type ResourceName = keyof typeof definitions;

/** A host of one resource, in a process of its own. */
export interface ContractHost {
  /** A program of one resource, with the bookkeeping that this host's engine does. */
  stack(): Stack;
  /** The run ends: the host logs out. */
  end(): Promise<void>;
  /** Everything that was answered to the engine, as JSON, secrets in their envelopes. */
  readonly answers: string[];
  /** What was logged so far. */
  log(): readonly string[];
}

/** Pulumi's option `ignoreChanges`: property paths. */
type Ignoring = readonly string[];

/** What a host of Pulumi offers to the thing that calls it, in plain values. */
export interface PulumiHost extends ContractHost {
  check(
    olds: Values,
    news: Values,
    ignoring?: Ignoring,
  ): Promise<{ readonly inputs: Values; readonly failures: readonly Failure[] }>;
  /** `olds` are the recorded outputs. */
  diff(id: string, olds: Values, news: Values, ignoring?: Ignoring): Promise<HostDifference>;
  create(inputs: Values): Promise<HostRecord>;
  read(id: string, olds: Values): Promise<(HostRecord & { readonly inputs: Values }) | undefined>;
  update(id: string, olds: Values, news: Values, ignoring?: Ignoring): Promise<Values>;
  delete(id: string, olds: Values): Promise<void>;
  /** What a failure left behind on the server, to be recorded. */
  leftBehind(error: unknown): HostRecord | undefined;
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
