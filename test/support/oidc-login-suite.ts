import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { errorOf } from "../server/frame-harness.ts";
import { answeredBy, apiRedirect, cliRedirect, type OidcBench, submitLogin } from "./oidc-bench.ts";

/** Logins through a browser, by HTTP alone: told of the embedded server and of a real one, whose answers these are. */
export function describeOidcLogins(open: () => Promise<OidcBench>): void {
  let bench: OidcBench;
  beforeAll(async () => {
    bench = await open();
    await bench.ask("POST sys/auth/people", { type: "jwt" });
    await bench.admin("PUT issuer/client", { redirectUris: [apiRedirect] });
  });
  beforeEach(async () => {
    await bench.configure();
    await bench.role();
  });

  describe("a login", () => {
    // @covers jwt: What the service does > login against a role
    // @covers jwt: Endpoints > GET auth/{mount}/oidc/callback
    // @covers jwt: Authentication > callers of a login
    it("gives a token, named and bound as the role says, that works", async () => {
      await bench.role({
        ...{ oidc_scopes: ["profile", "groups"], user_claim: "preferred_username", groups_claim: "groups" },
        ...{
          bound_claims: { groups: ["admins"] },
          claim_mappings: { name: "full_name" },
          bound_audiences: "trustplane",
        },
        ...{ token_ttl: "10m", token_num_uses: 3 },
      });
      const { status, auth, warnings, data } = await bench.logIn();
      expect([status, warnings, data]).toEqual([200, null, null]);
      expect(auth).toMatchObject({
        ...{ policies: ["default", "deploy"], token_policies: ["default", "deploy"], lease_duration: 600, num_uses: 3 },
        ...{ metadata: { role: "engineer", full_name: "Alice Example" }, orphan: true, renewable: true },
      });
      const token = String(auth?.["client_token"]);
      expect((await bench.ask("GET auth/token/lookup-self", undefined, { token })).data).toMatchObject({
        ...{ display_name: "people-alice", path: "auth/people/oidc/callback" },
      });
    });

    // @covers jwt: Role > oidc_scopes
    it("needs the scope that gives the claim", async () => {
      await bench.role({ user_claim: "email" });
      expect(errorOf(await bench.logIn())).toEqual([400, 'claim "email" not found in token']);
      await bench.role({ user_claim: "email", oidc_scopes: "email" });
      expect((await bench.logIn()).auth).toMatchObject({ policies: ["default", "deploy"] });
    });

    it("takes claims of the userinfo endpoint over those of the ID token", async () => {
      const carol = { sub: "carol", claims: { team: "old" }, userinfoClaims: { team: "new", org: { id: "o1" } } };
      await bench.admin("PUT issuer/users", carol);
      const pointers = { user_claim: "/org/id", user_claim_json_pointer: true };
      await bench.role({ ...pointers, bound_claims: { team: "new" }, claim_mappings: { "/org/id": "org" } });
      expect((await bench.logIn({ user: "carol" })).auth?.["metadata"]).toEqual({ role: "engineer", org: "o1" });
    });

    // @covers jwt: Role > user_claim
    // @covers jwt: Endpoints > GET auth/{mount}/oidc/callback
    it.each([
      ["bound claims", { bound_claims: { team: "blue" } }, [400, 'error validating claims: claim "team" is missing']],
      [
        "bound claims with other values",
        { bound_claims: { department: "x" } },
        [400, 'error validating claims: claim "department" does not match any associated bound claim values'],
      ],
      ["a bound subject", { bound_subject: "bob" }, [500, "sub claim does not match bound subject"]],
      [
        "groups that are not there",
        { groups_claim: "teams" },
        [400, 'failed to fetch groups: "teams" claim not found in token'],
      ],
      ["the nonce as the user", { user_claim: "nonce" }, [400, 'claim "nonce" not found in token']],
      [
        "other audiences",
        { bound_audiences: "other" },
        [
          400,
          'Vault login failed. Error exchanging oidc code: "Provider.Exchange: id_token failed verification: Provider.VerifyIDToken: invalid id_token audiences: verifyAudiences: invalid id_token audiences: invalid audience".',
        ],
      ],
      ["addresses that are not the caller's", { token_bound_cidrs: "10.9.9.9" }, [403, "permission denied"]],
    ])("is refused by %s", async (_name, role, refusal) => {
      await bench.role(role);
      expect(errorOf(await bench.logIn({ claims: '{"department": "y"}' }))).toEqual(refusal);
    });

    const expired = [400, "Vault login failed. Expired or missing OAuth state."];

    // @covers jwt: Endpoints > state and nonce
    // @covers jwt: Request of a callback > state
    it("works once", async () => {
      const answer = await answeredBy((await bench.begin()).url);
      expect((await bench.callback(answer)).status).toBe(200);
      expect(errorOf(await bench.callback(answer))).toEqual(expired);
    });

    // @covers jwt: Endpoints > state and nonce
    it("is over when it has failed once", async () => {
      const answer = await answeredBy((await bench.begin()).url);
      await bench.ask("DELETE auth/people/role/engineer");
      expect(errorOf(await bench.callback(answer))).toEqual([400, "Vault login failed. Role could not be found"]);
      await bench.role();
      expect(errorOf(await bench.callback(answer))).toEqual(expired);
    });

    // @covers jwt: Request of a callback > state
    it.each([{ state: "st_none" }, {}])("that nobody has begun is none: %j", async (query) => {
      expect(errorOf(await bench.callback({ ...query, code: "x" } as Record<string, string>))).toEqual(expired);
    });

    // @covers jwt: Request of an authorization URL > client_nonce
    it("needs the client nonce that it was begun with", async () => {
      const begun = () => bench.begin({ client_nonce: "mine" });
      const answer = await answeredBy((await begun()).url);
      expect((await bench.callback({ ...answer, client_nonce: "mine" })).status).toBe(200);
      for (const nonce of [{}, { client_nonce: "other" }]) {
        const wrong = { ...(await answeredBy((await begun()).url)), ...nonce };
        expect(errorOf(await bench.callback(wrong))).toEqual([400, "invalid client_nonce"]);
      }
    });

    // @covers jwt: Request of a callback > nonce
    it("ignores a nonce, which the document asks for, and says so", async () => {
      const { url, nonce } = await bench.begin();
      const { status, warnings } = await bench.callback({ ...(await answeredBy(url)), nonce });
      expect([status, warnings]).toEqual([200, ["Endpoint ignored these unrecognized parameters: [nonce]"]]);
    });

    // @covers jwt: Request of a callback > code
    it("that the user refuses brings no code", async () => {
      const {
        error,
        error_description,
        state = "",
      } = await answeredBy((await bench.begin()).url, { action: "refuse" });
      expect([error, error_description]).toEqual(["access_denied", "the user has refused"]);
      const refusal = [400, "Vault login failed. No code or id_token received."];
      expect(errorOf(await bench.callback({ state }))).toEqual(refusal);
    });

    const exchange = (detail: string) => [
      400,
      `Vault login failed. Error exchanging oidc code: ${JSON.stringify(`Provider.Exchange: ${detail}`)}.`,
    ];
    const unexchanged = (detail: string) => exchange(`unable to exchange auth code with provider: oauth2: ${detail}`);

    // @covers jwt: Request of a callback > code
    it("with a code that the provider does not know is refused in the provider's words", async () => {
      const { state } = await bench.begin();
      expect(errorOf(await bench.callback({ state, code: "guessed" }))).toEqual(
        unexchanged('"invalid_grant" "the code is unknown, used or too old"'),
      );
    });

    // @covers jwt: Request of a callback > code
    it("with the code of another login fails at its code verifier", async () => {
      const { code = "" } = await answeredBy((await bench.begin()).url);
      const { state } = await bench.begin();
      // Go asks twice, and the code is gone the second time.
      expect(errorOf(await bench.callback({ state, code }))).toEqual(
        unexchanged('"invalid_grant" "the code is unknown, used or too old"'),
      );
    });

    // @covers jwt: Global configuration > oidc_client_secret
    it("of a client with another secret is refused in the provider's words", async () => {
      await bench.configure({ oidc_client_secret: "another" });
      expect(errorOf(await bench.logIn())).toEqual(
        unexchanged('"invalid_client" "the client_id or the client_secret is wrong"'),
      );
    });

    // @covers jwt: Global configuration > oidc_response_types
    it("for an ID token takes no code", async () => {
      await bench.configure({ oidc_response_mode: "form_post", oidc_response_types: "id_token" });
      const { state } = await bench.begin();
      expect(errorOf(await bench.callback({ state, code: "x" }))).toEqual(
        exchange(`request (${state}) should not be using the implicit flow: invalid OIDC flow`),
      );
    });
  });

  describe("an answer that the provider posts", () => {
    beforeEach(async () => {
      await bench.configure({ oidc_response_mode: "form_post" });
      await bench.role({ allowed_redirect_uris: [apiRedirect] });
    });
    const redirect = { redirect_uri: apiRedirect };
    const form = async (url: string) => answeredBy(`${url}&response_mode=form_post`);

    it.each([["code"], ["id_token"]])("as %s is kept for the GET that completes the login", async (type) => {
      await bench.configure({ oidc_response_mode: "form_post", oidc_response_types: type });
      const { url, state } = await bench.begin(redirect);
      const posted = await form(url);
      expect(Object.keys(posted).sort()).toEqual([type, "state"].sort());
      const { status, text, headers } = await bench.post(posted);
      expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
        200,
        "text/html",
        "no-store",
      ]);
      expect(headers.has("strict-transport-security")).toBe(false);
      for (const part of ["oidc-callback", "people", "no_code", state]) expect(text).toContain(part);
      expect((await bench.callback({ state, code: "no_code" })).auth).toMatchObject({
        policies: ["default", "deploy"],
      });
    });

    it.each([
      ["of no login", async () => ({ state: "st_none" }), "Expired or missing OAuth state."],
      [
        "of a login that leads elsewhere",
        async () => ({ state: (await bench.begin()).state }),
        "Invalid redirect path.",
      ],
    ])("%s is refused with a page", async (_name, answer, reason) => {
      await bench.role({ allowed_redirect_uris: [cliRedirect] });
      const { status, text, headers } = await bench.post(await answer());
      expect([status, headers.get("content-type")]).toEqual([400, "text/html"]);
      expect(text).toContain("Vault login failed.");
      expect(text).toContain(reason);
    });

    it("without a code or a token ends the login with the GET", async () => {
      const { state } = await bench.begin(redirect);
      await bench.post({ state });
      const refusal = [400, "Vault login failed. No code or id_token received."];
      expect(errorOf(await bench.callback({ state, code: "no_code" }))).toEqual(refusal);
    });

    // @covers jwt: Global configuration > oidc_response_mode
    it("is refused where the response mode is another", async () => {
      await bench.configure({});
      const { status, text, headers } = await bench.post({ state: "x" });
      expect([status, text, headers.get("content-type")]).toEqual([405, "", "application/json"]);
    });
  });

  it("a user of the authorize page cannot leave the redirects that the issuer knows", async () => {
    await bench.role({ allowed_redirect_uris: ["https://evil.example.com/cb"] });
    const { url } = await bench.begin({ redirect_uri: "https://evil.example.com/cb" });
    await expect(submitLogin(url)).rejects.toThrow("no authorize page");
  });
}
