import { describe } from "vitest";
import { startLiveVault } from "../../tools/live/live-servers.mts";
import { describeMountSettings } from "../support/mount-settings-suite.ts";
import { describePolicies } from "../support/policy-suite.ts";
import { describeTokens } from "../support/token-suite.ts";

describe.each<["1.21" | "1.19", boolean]>([
  ["1.21", true],
  ["1.19", false],
])("on a real Vault %s", (version, isCurrent) => {
  describePolicies(`Vault ${version}`, { isCurrent }, () => startLiveVault(version));
  describeMountSettings(`Vault ${version}`, () => startLiveVault(version));
  describeTokens(`Vault ${version}`, () => startLiveVault(version));
});
