import { afterAll, describe } from "vitest";
import { startServers } from "../../server/serve.ts";
import { startLiveVault } from "../../tools/live/live-servers.mts";
import { describeAuthUrls } from "../support/oidc-address-suite.ts";
import { createOidcBench } from "../support/oidc-bench.ts";
import { describeLoginCommand } from "../support/oidc-command-suite.ts";
import { describeOidcLogins } from "../support/oidc-login-suite.ts";
import { describeIdTokens } from "../support/oidc-token-suite.ts";

/** A real Vault as the program, and the embedded server's issuer as the provider: each shows that the other is right. */
const open = async () => {
  const [vault, server] = await Promise.all([startLiveVault("1.21"), startServers({ issuer: true })]);
  afterAll(() => Promise.all([vault.close(), server.close()]));
  return { ...createOidcBench(vault, server), address: vault.address };
};

// @covers jwt: Global configuration > oidc_response_mode
// @covers jwt: Global configuration > oidc_response_types
// @covers jwt: Global configuration > namespace_in_state
// @covers jwt: Role > oidc_scopes
// @covers jwt: Role > allowed_redirect_uris
// @covers jwt: Endpoints > POST auth/{mount}/oidc/auth_url
// @covers jwt: Endpoints > state and nonce
// @covers jwt: Request of an authorization URL > role
// @covers jwt: Request of an authorization URL > redirect_uri
describe("Vault 1.21", () => describeAuthUrls(open));
// @covers jwt: Endpoints > GET auth/{mount}/oidc/callback
// @covers jwt: Endpoints > state and nonce
// @covers jwt: Request of an authorization URL > client_nonce
// @covers jwt: Request of a callback > state
// @covers jwt: Request of a callback > nonce
// @covers jwt: Request of a callback > code
describe("a login through a browser at Vault 1.21", () => describeOidcLogins(open));
// @covers jwt: Role > max_age
// @covers jwt: Endpoints > GET auth/{mount}/oidc/callback
describe("what Vault 1.21 takes for an ID token", () => describeIdTokens(open));
describe("trustplane login at Vault 1.21", () => describeLoginCommand(open));
