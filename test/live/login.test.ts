import { describe } from "vitest";
import { createCloudIdentity } from "../../server/cloud/cloud-identity.ts";
import { startLiveVault } from "../../tools/live/live-servers.mts";
import { describeAwsLogins } from "../support/aws-login-suite.ts";
import { describeCertLogins } from "../support/cert-login-suite.ts";
import { serveTokenService } from "../support/token-service.ts";
import { vaultReleases } from "../support/vault-releases.ts";

describe.each(vaultReleases)("on a real Vault %s", (version) => {
  const lacks = version === "1.19" ? ["allowed_organizations"] : [];
  describeCertLogins(`Vault ${version}`, { lacks }, async () => {
    const { tls, token, close } = await startLiveVault(version);
    return { ...tls, token, close };
  });

  // The cloud is the embedded one: its check of signatures is what a real Vault asks here.
  describeAwsLogins(`Vault ${version}`, async () => {
    const { address, token, close } = await startLiveVault(version);
    const cloud = createCloudIdentity();
    return { address, token, cloud, tokenService: async () => (await serveTokenService(cloud)).origin, close };
  });
});
