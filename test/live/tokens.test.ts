import { describe } from "vitest";
import { startLiveVault } from "../../tools/live/live-servers.mts";
import { describeMountSettings } from "../support/mount-settings-suite.ts";
import { describePolicies } from "../support/policy-suite.ts";
import { describeTokens } from "../support/token-suite.ts";
import { vaultReleases } from "../support/vault-releases.ts";

describe.each(vaultReleases)("on a real Vault %s", (version) => {
  const isCurrent = version === "1.21";
  describePolicies(`Vault ${version}`, { isCurrent }, () => startLiveVault(version));
  describeMountSettings(`Vault ${version}`, () => startLiveVault(version));
  describeTokens(`Vault ${version}`, () => startLiveVault(version));
});
