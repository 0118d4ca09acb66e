import type { Values } from "../../provider/core/definition";
import type { KeyTexts } from "./stack-configuration";

/** A resource or a provider of a state, before its properties are looked at. */
export interface StackRow {
  /** Pulumi's URN, or Terraform's address. */
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  /** False for what only groups others. */
  readonly custom: boolean;
  /** True for what waits for its deletion. */
  readonly delete: boolean;
  /** True for what the program only looks up. */
  readonly external: boolean;
  readonly inputs: Values;
  readonly outputs: Values;
  /** The URN of the provider, `::` and its id. */
  readonly provider: string;
  readonly additionalSecretOutputs: readonly string[];
  readonly ignoreChanges: readonly string[];
  readonly sourcePosition?: string | undefined;
  readonly stackTrace?: string | undefined;
}

/** A provider of the state: its name, and its configuration as the last update had it. */
export interface RecordedProvider extends KeyTexts {
  readonly name: string;
}

/** What a state has of this package. */
export interface StackRows {
  readonly name: string | undefined;
  readonly resources: readonly StackRow[];
  /** By URN. */
  readonly providers: ReadonlyMap<string, RecordedProvider>;
  /** The providers of the other resources, one for each. */
  readonly others: readonly string[];
  /** Operations on resources of ours that a run began and did not finish: `creating jwt.Role ci`. */
  readonly pending?: readonly string[];
  /** What the state lacks for a comparison with the servers. */
  readonly lacks?: string;
}
