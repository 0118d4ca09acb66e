import { reasonAgainst } from "../../provider/hosts/terraform/table.ts";
import { definitions } from "../../provider/resources/index.ts";
import { openDynamicHost } from "./contract-host-dynamic.ts";
import { openEngineHost } from "./contract-host-engine.ts";
import { openPluginHost } from "./contract-host-plugin.ts";
import { openTerraformHost } from "./contract-host-terraform.ts";
import { openTerraformCliHost } from "./contract-host-terraform-cli.ts";
import type { ContractHost, HostOptions, ResourceName } from "./host-under-test.ts";
import { terraformCore } from "./terraform-core.ts";
import { testExtent } from "./test-extent.mts";

export type { ResourceName } from "./host-under-test.ts";

/** Every host that the suite runs through; another one is one line. */
export const hosts = {
  engine: openEngineHost,
  dynamic: openDynamicHost,
  plugin: openPluginHost,
  terraform: terraformCore === "cli" ? openTerraformCliHost : openTerraformHost,
} satisfies Record<string, (options: HostOptions) => ContractHost>;

export type HostName = keyof typeof hosts;

/** Those that are called with plain values, one operation at a time; Terraform's core asks in another way. */
export const pulumiHostNames = ["engine", "dynamic", "plugin"] as const;

/** False for a resource that the host does not have; Terraform's tables say why. */
export function hasResource(host: HostName, resource: ResourceName): boolean {
  return host !== "terraform" || reasonAgainst(definitions[resource]) === undefined;
}

/** Those of this run. */
export const hostNames: readonly HostName[] = namesOfRun();

function namesOfRun(): readonly HostName[] {
  if (terraformCore === "cli") return ["terraform"];
  return testExtent === "quick" ? ["engine"] : (Object.keys(hosts) as HostName[]);
}
