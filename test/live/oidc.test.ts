import { afterAll, describe } from "vitest";
import { startServers } from "../../server/serve.ts";
import { startLiveVault } from "../../tools/live/live-servers.mts";
import { describeAuthUrls } from "../support/oidc-address-suite.ts";
import { createOidcBench } from "../support/oidc-bench.ts";
import { describeOidcLogins } from "../support/oidc-login-suite.ts";
import { describeIdTokens } from "../support/oidc-token-suite.ts";

/** A real Vault as the program, and the embedded server's issuer as the provider: each shows that the other is right. */
const open = async () => {
  const [vault, server] = await Promise.all([startLiveVault("1.21"), startServers({ issuer: true })]);
  afterAll(() => Promise.all([vault.close(), server.close()]));
  return createOidcBench(vault, server);
};

describe("Vault 1.21", () => describeAuthUrls(open));
describe("a login through a browser at Vault 1.21", () => describeOidcLogins(open));
describe("what Vault 1.21 takes for an ID token", () => describeIdTokens(open));
