import { describe } from "vitest";
import { tellPlatform } from "../e2e/platform-story.ts";
import { startWithVaultAndConsul } from "../support/contract-servers-live.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { vaultReleases } from "../support/vault-releases.ts";

const older = { version: "1.19", classes: "dynamic" } as const;

describe.each([
  { version: "1.21", classes: "dynamic" } as const,
  ...(vaultReleases.includes("1.19") ? [older] : []),
  { version: "1.21", classes: "native" } as const,
])(
  "examples/platform on Vault $version and two Consul clusters, with $classes classes",
  needsPulumi(),
  ({ version, classes }) =>
    tellPlatform(() => startWithVaultAndConsul(version), {
      classes,
      listsStaticRoles: version !== "1.19",
    }),
);
