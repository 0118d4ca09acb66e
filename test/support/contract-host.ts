import { openDynamicHost } from "./contract-host-dynamic.ts";
import { openEngineHost } from "./contract-host-engine.ts";
import { openPluginHost } from "./contract-host-plugin.ts";
import type { ContractHost, HostOptions } from "./host-under-test.ts";
import { testExtent } from "./test-extent.mts";

export type { ResourceName } from "./host-under-test.ts";

/** Every host that the suite runs through; another one is one line. */
export const hosts = {
  engine: openEngineHost,
  dynamic: openDynamicHost,
  plugin: openPluginHost,
} satisfies Record<string, (options: HostOptions) => ContractHost>;

export type HostName = keyof typeof hosts;

/** Those of this run. */
export const hostNames: readonly HostName[] = testExtent === "quick" ? ["engine"] : (Object.keys(hosts) as HostName[]);
