import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Running } from "../../server/serve";
import { answeredBy, apiRedirect, createOidcBench, type OidcBench } from "../support/oidc-bench";
import { errorOf, startForTests } from "./frame-harness";

let server: Running;
let bench: OidcBench;
beforeAll(async () => {
  server = await startForTests({ issuer: true });
  bench = createOidcBench(server.secrets, server);
  await bench.ask("POST sys/auth/people", { type: "oidc" });
  await bench.admin("PUT issuer/client", { redirectUris: [apiRedirect] });
});
beforeEach(async () => {
  await bench.configure();
  await bench.role();
});

const advance = (seconds: number) => server.clock.advance(seconds * 1000);
const expired = [400, "Vault login failed. Expired or missing OAuth state."];

describe("a login that was begun", () => {
  // @covers jwt: Endpoints > state and nonce
  // @covers jwt: Request of a callback > state
  it.each([
    [590, [200, undefined]],
    [600, expired],
  ])("and %d seconds ago answers %j", async (seconds, outcome) => {
    const { url } = await bench.begin();
    advance(seconds - 10);
    const answer = await answeredBy(url);
    advance(10);
    expect(errorOf(await bench.callback(answer))).toEqual(outcome);
  });

  it("is remembered for ten more minutes when the provider has posted, in which its code is of no use any more", async () => {
    await bench.configure({ oidc_response_mode: "form_post" });
    await bench.role({ allowed_redirect_uris: [apiRedirect] });
    const { url, state } = await bench.begin({ redirect_uri: apiRedirect });
    advance(595);
    await bench.post(await answeredBy(`${url}&response_mode=form_post`));
    advance(10);
    const detail = "Provider.Exchange: authentication request is expired: invalid parameter";
    const refusal = [400, `Vault login failed. Error exchanging oidc code: "${detail}".`];
    expect(errorOf(await bench.callback({ state, code: "no_code" }))).toEqual(refusal);
  });

  it("is as young as max_age says when the user has logged in just now", async () => {
    await bench.role({ max_age: 60 });
    const { url } = await bench.begin();
    advance(300);
    expect((await bench.callback(await answeredBy(url))).status).toBe(200);
  });

  it("has tokens whose times are those of the server's clock", async () => {
    advance(7 * 86_400);
    expect((await bench.logIn()).status).toBe(200);
  });
});

describe("before there is a configuration", () => {
  beforeAll(async () => {
    await bench.ask("POST sys/auth/empty", { type: "oidc" });
  });

  it.each([
    ["POST auth/empty/oidc/auth_url", "could not load configuration"],
    ["GET auth/empty/oidc/callback?state=x&code=y", "Vault login failed. Could not load configuration"],
    ["POST auth/empty/oidc/callback", "Vault login failed. Could not load configuration."],
  ])("%s is refused: %s", async (request, text) => {
    const body = request.startsWith("POST") ? {} : undefined;
    expect(errorOf(await bench.ask(request, body, { token: null }))).toEqual([400, text]);
  });
});

it("a provider that has gone since the configuration was written again ends the login", async () => {
  const { url } = await bench.begin();
  const answer = await answeredBy(url);
  await bench.configure();
  await bench.admin("POST faults", { spec: "GET .well-known/* 503 service=issuer x1" });
  const [status, text] = errorOf(await bench.callback(answer));
  expect([status, text]).toEqual([
    500,
    expect.stringMatching(/^error getting provider for login operation: error creating provider: .*: 503 Service/s),
  ]);
});
