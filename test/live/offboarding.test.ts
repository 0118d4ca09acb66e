import { describe } from "vitest";
import { startLiveVault } from "../../tools/live/live-servers.mts";
import { describeOffboarding } from "../support/offboarding-suite.ts";
import { vaultReleases } from "../support/vault-releases.ts";

describe.each(vaultReleases)("on a real Vault %s", (version) => {
  describeOffboarding(`Vault ${version}`, () => startLiveVault(version));
});
