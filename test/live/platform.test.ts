import { describe } from "vitest";
import { tellPlatform } from "../e2e/platform-story.ts";
import type { ContractServers } from "../support/contract-servers.ts";
import { startWithConsul, startWithVault } from "../support/contract-servers-live.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";

/** The policy API has no server to build: its part runs on the embedded one. */
describe.each([
  { version: "1.21", classes: "dynamic" },
  { version: "1.19", classes: "dynamic" },
  { version: "1.21", classes: "native" },
] as const)(
  "examples/platform on Vault $version and two Consul clusters, with $classes classes",
  needsPulumi(),
  ({ version, classes }) =>
    tellPlatform(
      async (): Promise<ContractServers> => {
        const [vault, consul] = await Promise.all([startWithVault(version), startWithConsul()]);
        return {
          ...vault,
          cluster: consul.cluster,
          peer: consul.peer,
          stored: (service, path) =>
            (service === "cluster" || service === "peer" ? consul : vault).stored(service, path),
          close: async () => void (await Promise.all([vault.close(), consul.close()])),
        };
      },
      { classes, listsStaticRoles: version !== "1.19" },
    ),
);
