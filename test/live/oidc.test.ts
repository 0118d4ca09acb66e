import { afterAll, describe } from "vitest";
import { startServers } from "../../server/serve.ts";
import { startLiveVault } from "../../tools/live/live-servers.mts";
import { createOidcBench } from "../support/oidc-bench.ts";
import { describeOidcLogins } from "../support/oidc-login-suite.ts";

describe("Vault 1.21 with the embedded server's issuer", () => {
  describeOidcLogins(async () => {
    const [vault, server] = await Promise.all([startLiveVault("1.21"), startServers({ issuer: true })]);
    afterAll(() => Promise.all([vault.close(), server.close()]));
    return createOidcBench(vault, server);
  });
});
