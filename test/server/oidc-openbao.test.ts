import { beforeAll, describe, expect, it } from "vitest";
import { answeredBy, cliRedirect, createOidcBench, type OidcBench } from "../support/oidc-bench";
import { errorOf, startForTests } from "./frame-harness";

// What a real OpenBao 2.6.2 answered to the tests of logins on Vault, where that was another answer.

let bench: OidcBench;
beforeAll(async () => {
  const server = await startForTests({ issuer: true, profile: "openbao" });
  bench = createOidcBench(server.secrets, server);
  await bench.ask("POST sys/auth/people", { type: "oidc" });
  await bench.configure();
});

describe("a login through a browser at OpenBao is refused in its name", () => {
  it.each([
    ["bound claims", { bound_claims: { team: "blue" } }, 'error validating claims: claim "team" is missing'],
    ["a bound subject", { bound_subject: "bob" }, "sub claim does not match bound subject"],
    [
      "groups that are not there",
      { groups_claim: "teams" },
      'failed to fetch groups: "teams" claim not found in token',
    ],
    ["a user that is not there", { user_claim: "email" }, 'claim "email" not found in token'],
  ])("by %s", async (_what, role, problem) => {
    await bench.role(role);
    expect(errorOf(await bench.logIn())).toEqual([400, `OpenBao login failed. ${problem}`]);
  });

  it("when nobody has begun it", async () => {
    const refusal = [400, "OpenBao login failed. Expired or missing OAuth state."];
    expect(errorOf(await bench.callback({ state: "st_none" }))).toEqual(refusal);
  });

  it("and otherwise gives a token", async () => {
    await bench.role();
    const { url } = await bench.begin();
    expect((await bench.callback(await answeredBy(url))).status).toBe(200);
  });
});

describe("the address to log in at", () => {
  it.each([
    ["http://127.0.0.1/cb", "http://127.0.0.1:9/cb", true],
    ["http://127.9.9.9/cb", "http://127.9.9.9:9/cb", false],
    ["https://app.example.com/cb", "https://app.example.com/cb", true],
    ["https://app.example.com/cb", "https://APP.example.com/CB", false],
  ])("with %s allowed, %s: %s", async (allowed, redirect_uri, isAllowed) => {
    await bench.role({ allowed_redirect_uris: [allowed] });
    expect((await bench.authUrl({ redirect_uri })) !== "").toBe(isAllowed);
  });

  it.each([
    [{ role: "none" }, 'role "none" could not be found'],
    [{ role: "engineer" }, "missing redirect_uri"],
  ])("is asked for with %j", async (asked, problem) => {
    await bench.role({ allowed_redirect_uris: [cliRedirect] });
    const answer = await bench.ask("POST auth/people/oidc/auth_url", asked, { token: null });
    expect(errorOf(answer)).toEqual([400, problem]);
  });
});
