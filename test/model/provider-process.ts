import type { Journal } from "../../provider/engine/journal.ts";
import type { ResourceName } from "../support/contract-host.ts";
import type { Marked } from "./marks.ts";
import { openDynamicProcess } from "./process-dynamic.ts";
import { openEngineProcess } from "./process-engine.ts";
import { openPluginProcess } from "./process-plugin.ts";

/** A provider as one run of Pulumi has it: started and configured once, used by all steps, then ended. */
export interface ProviderProcess {
  check(asked: Asked & { readonly olds: Marked; readonly news: Marked }): Promise<Checked>;
  diff(asked: Recorded & { readonly news: Marked }): Promise<Difference>;
  /** What a preview has of a creation. */
  foresee(asked: Asked & { readonly news: Marked }): Promise<void>;
  create(asked: Asked & { readonly news: Marked }): Promise<Made>;
  /** Undefined where the record is gone. */
  read(asked: Recorded): Promise<(Made & { readonly inputs: Marked }) | undefined>;
  update(asked: Recorded & { readonly news: Marked }): Promise<Marked>;
  delete(asked: Recorded): Promise<void>;
  /** What a failed step left on the server, to be recorded. */
  leftBehind(error: unknown, asked: Asked & { readonly news: Marked }): Made | undefined;
  log(): readonly string[];
  end(): Promise<void>;
}

export interface Asked {
  readonly resource: ResourceName;
  /** Which of the program's providers has it. */
  readonly instance: number;
  readonly urn: string;
}

export interface Recorded extends Asked {
  readonly id: string;
  readonly inputs: Marked;
  readonly outputs: Marked;
}

export interface Checked {
  readonly inputs: Marked;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

export interface Difference {
  readonly differs: boolean;
  readonly replaces: readonly string[];
}

export interface Made {
  readonly id: string;
  readonly outputs: Marked;
}

/** Stack configuration by key, without the package's name. */
export type Config = Readonly<Record<string, string>>;

/** The text that Pulumi keeps beside the properties of a dynamic resource. */
export const PROVIDER = "__provider";

export const processes = {
  engine: openEngineProcess,
  dynamic: openDynamicProcess,
  plugin: openPluginProcess,
} satisfies Record<string, (config: Config, journal: Journal) => Promise<ProviderProcess>>;

/** Hosts of Pulumi, and Terraform, whose core asks in another way. */
export type HostName = keyof typeof processes | "terraform";
