import type { Values } from "../../provider/core/definition.ts";
import type { Failure } from "../../provider/core/errors.ts";
import type { definitions } from "../../provider/resources/index.ts";
import { openDynamicHost } from "./contract-host-dynamic.ts";
import { openEngineHost } from "./contract-host-engine.ts";
import { openPluginHost } from "./contract-host-plugin.ts";

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

/** Every host that the suite runs through; another one is one line. */
export const hosts = {
  engine: openEngineHost,
  dynamic: openDynamicHost,
  plugin: openPluginHost,
} satisfies Record<string, (options: HostOptions) => ContractHost>;

export type HostName = keyof typeof hosts;

/** Those of this run: all, or the ones that TRUSTPLANE_CONTRACT_HOSTS names. */
export const hostNames = namedHosts(process.env["TRUSTPLANE_CONTRACT_HOSTS"]);

function namedHosts(names: string | undefined): HostName[] {
  const all = Object.keys(hosts) as HostName[];
  return names === undefined ? all : all.filter((name) => names.split(",").includes(name));
}
