import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { errorOf } from "../server/frame-harness.ts";
import { apiRedirect, type OidcBench } from "./oidc-bench.ts";

/** What `oidc/auth_url` answers: told of the embedded server and of a real one, whose answers these are. */
export function describeAuthUrls(open: () => Promise<OidcBench>): void {
  let bench: OidcBench;
  beforeAll(async () => {
    bench = await open();
    await bench.ask("POST sys/auth/people", { type: "jwt" });
  });
  beforeEach(async () => {
    await bench.configure();
    await bench.role();
  });

  describe("the address to log in at", () => {
    // @covers jwt: Global configuration > oidc_client_id
    // @covers jwt: Role > oidc_scopes
    // @covers jwt: Role > max_age
    // @covers jwt: Endpoints > state and nonce
    // @covers beyond: Answer of an authorization URL > auth_url
    it("carries what the provider needs, in the order of the alphabet", async () => {
      await bench.role({ oidc_scopes: ["email", "openid", "x y"], max_age: "90s" });
      const url = await bench.authUrl();
      expect(url).toMatch(
        new RegExp(
          `^${bench.issuer.address}/authorize\\?client_id=trustplane&code_challenge=[\\w-]{43}&code_challenge_method=S256&max_age=90` +
            "&nonce=n_\\w{20}&redirect_uri=http%3A%2F%2Flocalhost%3A8250%2Foidc%2Fcallback&response_type=code" +
            "&scope=openid\\+email\\+x\\+y&state=st_\\w{20}$",
        ),
      );
      expect(await bench.authUrl()).not.toBe(url);
    });

    // @covers jwt: Global configuration > oidc_response_types
    it("asks for the ID token itself, and for no code, where the configuration lists id_token", async () => {
      await bench.configure({ oidc_response_mode: "form_post", oidc_response_types: ["code", "id_token"] });
      const { searchParams } = new URL(await bench.authUrl());
      expect([...searchParams.keys()]).toEqual([
        ...["client_id", "nonce", "redirect_uri", "response_mode", "response_type", "scope", "state"],
      ]);
      expect(searchParams.get("response_mode")).toBe("form_post");
      expect(searchParams.get("response_type")).toBe("id_token");
    });

    // @covers jwt: Global configuration > oidc_response_mode
    it("names no response mode for a code, even where it is to be posted", async () => {
      await bench.configure({ oidc_response_mode: "form_post" });
      expect(new URL(await bench.authUrl()).searchParams.has("response_mode")).toBe(false);
    });

    // @covers jwt: Global configuration > default_role
    // @covers jwt: Request of an authorization URL > role
    it("is that of the default role where none is named", async () => {
      await bench.configure({ default_role: "Engineer" });
      expect(await bench.authUrl({ role: "" })).toContain("/authorize?");
    });

    // @covers jwt: Global configuration > namespace_in_state
    it.each([
      ["in the state", true, "https://vault.example.com/cb?a=1", /^st_\w{20},ns=team\/a$/],
      ["in the redirect URI", false, "https://vault.example.com/cb?namespace=team/a&a=1", /^st_\w{20}$/],
    ])("carries a namespace %s", async (_name, inState, allowed, state) => {
      await bench.configure({ namespace_in_state: inState });
      await bench.role({ allowed_redirect_uris: [allowed] });
      const redirect_uri = "https://vault.example.com/cb?namespace=team/a&a=1";
      const { searchParams } = new URL(await bench.authUrl({ redirect_uri }));
      expect(searchParams.get("redirect_uri")).toBe(allowed);
      expect(searchParams.get("state")).toMatch(state);
    });

    // @covers jwt: Endpoints > POST auth/{mount}/oidc/auth_url
    it("leads back to the API where the provider posts and the web interface has begun the login", async () => {
      await bench.configure({ oidc_response_mode: "form_post" });
      const ui = "https://vault.example.com/ui/vault/auth/people/oidc/callback";
      await bench.role({ allowed_redirect_uris: [ui] });
      expect(new URL(await bench.authUrl({ redirect_uri: ui })).searchParams.get("redirect_uri")).toBe(apiRedirect);
    });

    // @covers jwt: Role > allowed_redirect_uris
    // @covers jwt: Request of an authorization URL > redirect_uri
    it.each([
      ["http://localhost:8250/oidc/callback", "http://localhost:41234/oidc/callback", true],
      ["http://localhost/oidc/callback", "http://localhost:8250/oidc/callback", true],
      ["http://127.0.0.1/cb", "http://127.0.0.1:9/cb", true],
      ["http://127.9.9.9/cb", "http://127.9.9.9:9/cb", true],
      ["http://[::1]/cb", "http://[::1]:9/cb", true],
      ["http://localhost/cb", "http://127.0.0.1/cb", false],
      ["http://localhost/cb", "http://localhost/CB", false],
      ["http://localhost/cb", "https://localhost/cb", false],
      ["http://localhost/cb", "http://localhost/cb?x=1", false],
      ["http://localhost/cb", "http://localhost/cb/", false],
      ["http://LOCALHOST/cb", "http://LOCALHOST/cb", true],
      ["http://LOCALHOST/cb", "http://LOCALHOST:1/cb", false],
      ["http://localhost/cb", "http://user@localhost/cb", false],
      ["http://user@localhost/cb", "http://user@localhost:1/cb", true],
      ["HTTP://localhost/cb", "http://localhost:1/cb", true],
      ["https://app.example.com/cb", "https://APP.example.com/CB", true],
      ["https://app.example.com/cb", "https://app.example.com:443/cb", false],
      ["https://app.example.com/cb", "https://app.example.com/cb/x", false],
      ["https://localhost.example.com/cb", "https://localhost.example.com:1/cb", false],
      ["http://localhost:x/cb,http://localhost/cb", "http://localhost/cb", false],
      ["http://localhost/cb,http://localhost:x/cb", "http://localhost/cb", true],
      ["app.example:/cb", "app.example:/cb", true],
      ["cb", "cb", true],
      ["http://localhost/%zz", "http://localhost/%zz", false],
      ["http://a b/cb", "http://a b/cb", false],
    ])("with %s allowed, %s: %s", async (allowed, redirect_uri, isAllowed) => {
      await bench.role({ allowed_redirect_uris: allowed });
      expect((await bench.authUrl({ redirect_uri })) !== "").toBe(isAllowed);
    });

    // @covers jwt: Request of an authorization URL > role
    it("is given for a role for JWTs, too, when it allows the redirect", async () => {
      await bench.role({ role_type: "jwt", bound_audiences: ["x"] });
      expect(await bench.authUrl()).toContain("/authorize?");
    });

    it.each([
      [{}, {}, [400, "missing role"]],
      [{}, { role: "none" }, [400, "missing redirect_uri"]],
      [{}, { role: "none", redirect_uri: "x" }, [400, 'role "none" could not be found']],
      [{ oidc_client_id: "", oidc_client_secret: "" }, {}, [400, "OIDC login is not configured for this mount"]],
    ])("configured with %j and asked for with %j is refused: %j", async (config, body, refusal) => {
      await bench.configure(config);
      expect(errorOf(await bench.ask("POST auth/people/oidc/auth_url", body, { token: null }))).toEqual(refusal);
    });

    // @covers jwt: Endpoints > POST auth/{mount}/oidc/auth_url
    it("cannot be had by GET", async () => {
      const answer = await bench.ask("GET auth/people/oidc/auth_url", undefined, { token: null });
      expect(errorOf(answer)).toEqual([405, "unsupported operation"]);
    });
  });
}
