import { afterAll, describe, expect, it, onTestFinished } from "vitest";
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
// What `trustplane test` and `explain` rely on, because they do not ask the issuer.
it("Vault 1.21 takes a JWT of any issuer whose keys are at the discovery URL, where no issuer is bound", async () => {
  const [vault, server] = await Promise.all([startLiveVault("1.21"), startServers({ issuer: true })]);
  onTestFinished(async () => void (await Promise.all([vault.close(), server.close()])));
  const { ask, issuer, mint } = createOidcBench(vault, server);
  await ask("POST sys/auth/people", { type: "oidc" });
  await ask("POST auth/people/config", { oidc_discovery_url: issuer.address });
  await ask("POST auth/people/role/ci", { role_type: "jwt", user_claim: "sub", bound_audiences: ["v"] });
  const jwt = await mint({ sub: "ci", aud: "v", iss: "https://stranger.example.com" });
  expect((await ask("POST auth/people/login", { role: "ci", jwt })).text).toContain("client_token");
  const bound = { oidc_discovery_url: issuer.address, bound_issuer: issuer.address };
  await ask("POST auth/people/config", bound);
  expect(await ask("POST auth/people/login", { role: "ci", jwt })).toMatchObject({ status: 400 });
});
