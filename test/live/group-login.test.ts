import { afterAll, describe } from "vitest";
import { startServers } from "../../server/serve.ts";
import { startLiveVault } from "../../tools/live/live-servers.mts";
import { describeGroupLogins } from "../support/group-login-suite.ts";
import { createOidcBench } from "../support/oidc-bench.ts";
import { vaultReleases } from "../support/vault-releases.ts";

// @covers jwt: What the service does > group aliases
describe.each(vaultReleases)("at Vault %s,", (version) =>
  describeGroupLogins(async () => {
    const [vault, server] = await Promise.all([startLiveVault(version), startServers({ issuer: true })]);
    afterAll(() => Promise.all([vault.close(), server.close()]));
    return { ...createOidcBench(vault, server), secrets: vault };
  }),
);
