import { openDynamicHost } from "./contract-host-dynamic.ts";
import { openEngineHost } from "./contract-host-engine.ts";
import { openPluginHost } from "./contract-host-plugin.ts";
import type { ContractHost, HostOptions } from "./host-under-test.ts";

export type { ResourceName } from "./host-under-test.ts";

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
