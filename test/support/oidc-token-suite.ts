import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../server/frame-harness.ts";
import { type Document, type Issuer, startIssuer } from "../server/jwt-issuer.ts";
import { apiRedirect, type OidcBench } from "./oidc-bench.ts";

const now = () => Math.floor(Date.now() / 1000);
const strange = generateKeyPairSync("rsa", { modulusLength: 2048 });

type Claims = Readonly<Record<string, unknown>>;
interface Case {
  readonly name: string;
  /** Instead of the usual ones. */
  readonly claims: Claims;
  readonly role?: Claims;
  /** What Vault's library says; without one the login succeeds. */
  readonly detail?: string;
}

const cases: readonly Case[] = [
  { name: "as it should be", claims: {} },
  {
    name: "with more than one audience and the client as the party",
    claims: { aud: ["a", "trustplane"], azp: "trustplane" },
  },
  { name: "that is about to begin", claims: { iat: now() + 50, nbf: now() + 250 } },
  { name: "of a login that is young enough", claims: { auth_time: now() - 100 }, role: { max_age: 60 } },
  { name: "bound to an audience", claims: { aud: "trustplane" }, role: { bound_audiences: ["other", "trustplane"] } },
  {
    name: "of another issuer",
    claims: { iss: "https://other.example.com" },
    detail:
      'invalid id_token: oidc: id token issued by a different provider, expected "{issuer}" got "https://other.example.com": invalid issuer',
  },
  {
    name: "without an end",
    claims: { exp: null },
    detail: "invalid id_token: oidc: token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC): token is expired",
  },
  { name: "of another login", claims: { nonce: "n_other" }, detail: "invalid id_token nonce: invalid nonce" },
  { name: "without a nonce", claims: { nonce: null }, detail: "invalid id_token nonce: invalid nonce" },
  { name: "without a subject", claims: { sub: null }, detail: "invalid id_token: sub: missing required claim" },
  { name: "without an audience", claims: { aud: null }, detail: "invalid id_token: aud: missing required claim" },
  {
    name: "for another audience than the role's",
    claims: {},
    role: { bound_audiences: "other" },
    detail: "invalid id_token audiences: verifyAudiences: invalid id_token audiences: invalid audience",
  },
  {
    name: "for other programs",
    claims: { aud: ["a", "b"] },
    detail:
      "invalid id_token: multiple audiences ([a b]) and one of them is not equal client_id (trustplane): invalid audience",
  },
  {
    name: "for more than one program",
    claims: { aud: ["a", "trustplane"] },
    detail:
      "invalid id_token: multiple audiences and authorized party (%!s(<nil>)) is not equal client_id (trustplane): invalid authorized party (azp)",
  },
  {
    name: "for another program",
    claims: { aud: "a" },
    detail:
      "invalid id_token: one audience (a) which is not the client_id (trustplane) and authorized party (%!s(<nil>)) is not equal client_id (trustplane): invalid authorized party (azp)",
  },
  {
    name: "of another party",
    claims: { azp: "b" },
    detail:
      "invalid id_token: authorized party (b) is not equal client_id (trustplane): invalid authorized party (azp)",
  },
  {
    name: "without the time of the login",
    claims: {},
    role: { max_age: 60 },
    detail: "missing auth_time claim when max age was requested: missing required claim",
  },
];

/** What is accepted as an ID token, and in which words the rest is refused: told of the embedded server and of a real one. */
export function describeIdTokens(open: () => Promise<OidcBench>): void {
  let bench: OidcBench;
  beforeAll(async () => {
    bench = await open();
    await bench.ask("POST sys/auth/people", { type: "jwt" });
  });

  // @covers jwt: Role > bound_audiences
  // @covers jwt: Endpoints > GET auth/{mount}/oidc/callback
  // @covers jwt: Request of a callback > nonce
  describe("an ID token that is posted", () => {
    const posted = async (token: (nonce: string) => Promise<string>, role: Claims = {}) => {
      await bench.configure({ oidc_response_mode: "form_post", oidc_response_types: "id_token" });
      await bench.role({ allowed_redirect_uris: [apiRedirect], ...role });
      const { state, nonce } = await bench.begin({ redirect_uri: apiRedirect });
      await bench.post({ state, id_token: await token(nonce) });
      return errorOf(await bench.callback({ state, code: "no_code" }));
    };
    const refusal = (detail: string) => [400, `Token verification failed. Provider.VerifyIDToken: ${detail}`];

    it.each(cases)("$name: $detail", async ({ claims, role, detail }) => {
      const usual = { sub: "alice", aud: "trustplane" };
      const answer = await posted((nonce) => bench.mint({ ...usual, nonce, ...claims }), role);
      const said = detail?.replace("{issuer}", bench.issuer.address);
      expect(answer).toEqual(said === undefined ? [200, undefined] : refusal(said));
    });

    // @covers jwt: Role > max_age
    it("of a login that is too old for the role", async () => {
      const answer = await posted(
        (nonce) => bench.mint({ sub: "alice", aud: "trustplane", nonce, auth_time: now() - 900 }),
        { max_age: 60 },
      );
      expect(answer).toEqual([
        400,
        expect.stringMatching(/: auth_time \(.*\) is beyond max age \(60 \/ .*\): expired auth_time$/),
      ]);
    });

    // Vault prints times in the zone of its machine.
    it.each([
      ["has ended", { exp: now() - 9 }, /oidc: token is expired \(Token Expiry: \d{4}-.*\): token is expired$/],
      [
        "begins later",
        { nbf: now() + 400 },
        /: current time .* before the nbf \(not before\) time: .*: invalid not before$/,
      ],
      [
        "comes too early",
        { iat: now() + 90 },
        /: .* current time .* before the iat \(issued at\) time .*: invalid issued at \(iat\)$/,
      ],
    ])("that %s", async (_name, claims, words) => {
      const answer = await posted((nonce) => bench.mint({ sub: "alice", aud: "trustplane", nonce, ...claims }));
      expect(answer).toEqual([400, expect.stringMatching(words)]);
    });

    it("that somebody else has signed", async () => {
      const forged = (nonce: string) =>
        new SignJWT({ sub: "alice", aud: "trustplane", nonce, iss: bench.issuer.address })
          .setProtectedHeader({ alg: "RS256" })
          .setExpirationTime("1h")
          .sign(strange.privateKey);
      const problem = "invalid id_token: failed to verify signature: failed to verify id token signature";
      expect(await posted(forged)).toEqual(refusal(`${problem}: invalid signature`));
    });

    // @covers jwt: Global configuration > jwt_supported_algs
    it("that is signed in a way that was not agreed on", async () => {
      const signed = () => new SignJWT({}).setProtectedHeader({ alg: "RS512" }).sign(strange.privateKey);
      const problem = 'oidc: malformed jwt: unexpected signature algorithm "RS512"; expected ["RS256"]';
      expect(await posted(signed)).toEqual(refusal(`invalid id_token: ${problem}: unsupported signing algorithm`));
    });

    it("that is none", async () => {
      const problem = "oidc: malformed jwt: go-jose/go-jose: compact JWS format must have three parts";
      expect(await posted(async () => "x")).toEqual(refusal(`invalid id_token: ${problem}`));
    });
  });

  // @covers jwt: Endpoints > GET auth/{mount}/oidc/callback
  describe("a token endpoint", () => {
    let provider: Issuer;
    beforeAll(async () => {
      provider = await startIssuer();
    });

    /** Logs in at a provider with this answer of its token endpoint. */
    const logInWith = async (answer: (nonce: string) => Promise<Document> | Document, more: Claims = {}) => {
      const url = provider.putDiscovery("", { jwks_uri: `${bench.issuer.address}/keys`, ...more });
      await bench.configure({ oidc_discovery_url: url });
      await bench.role({ claim_mappings: { team: "team" } });
      const { state, nonce } = await bench.begin();
      provider.put("/token", await answer(nonce));
      return bench.callback({ state, code: "code" });
    };
    const exchanged = async (...login: Parameters<typeof logInWith>) => errorOf(await logInWith(...login));
    const refusal = (detail: string) => [
      400,
      `Vault login failed. Error exchanging oidc code: ${JSON.stringify(`Provider.Exchange: ${detail}`)}.`,
    ];
    const unexchanged = (detail: string) => refusal(`unable to exchange auth code with provider: ${detail}`);
    const json = { "content-type": "application/json" };
    const tokens = async (nonce: string, claims: Claims = {}) => {
      const usual = { iss: provider.url, sub: "alice", aud: "trustplane", nonce };
      const id_token = await bench.mint({ ...usual, ...claims });
      return { headers: json, body: JSON.stringify({ access_token: "access", token_type: "bearer", id_token }) };
    };

    it.each([
      ["plain text", { status: 401, body: "no" }, "oauth2: cannot fetch token: 401 Unauthorized\nResponse: no"],
      ["a page", { status: 404, body: "<p>" }, "oauth2: cannot fetch token: 404 Not Found\nResponse: <p>: not found"],
      [
        "an error of RFC 6749",
        { status: 400, headers: json, body: '{"error":"invalid_grant"}' },
        'oauth2: "invalid_grant"',
      ],
      [
        "an error with 200",
        { headers: json, body: '{"error":"e","error_description":"d","error_uri":"u"}' },
        'oauth2: "e" "d" "u"',
      ],
      [
        "an error as a form",
        { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "error=e" },
        'oauth2: "e"',
      ],
      [
        "no token",
        { headers: json, body: "{}" },
        "oauth2: server response missing access_token: access_token is missing",
      ],
      [
        "no JSON",
        { headers: json, body: "x" },
        "oauth2: cannot parse json: invalid character 'x' looking for beginning of value",
      ],
    ])("that answers with %s", async (_name, answer, detail) => {
      expect(await exchanged(() => answer)).toEqual(unexchanged(detail));
    });

    it("that cannot be reached", async () => {
      const nowhere = { token_endpoint: "http://127.0.0.1:1/token" };
      const detail = 'Post "http://127.0.0.1:1/token": dial tcp 127.0.0.1:1: connect: connection refused';
      expect(await exchanged(() => ({ body: "" }), nowhere)).toEqual(unexchanged(detail));
    });

    it("whose provider's keys cannot be had", async () => {
      const nowhere = 'Get "http://127.0.0.1:1/keys": dial tcp 127.0.0.1:1: connect: connection refused';
      const detail = `failed to verify signature: fetching keys oidc: get keys failed ${nowhere}: invalid jwks`;
      expect(await exchanged((nonce) => tokens(nonce), { jwks_uri: "http://127.0.0.1:1/keys" })).toEqual(
        refusal(`id_token failed verification: Provider.VerifyIDToken: invalid id_token: ${detail}`),
      );
    });

    it("that has no ID token", async () => {
      const answer = { headers: json, body: '{"access_token":"a"}' };
      const detail = "id_token is missing from auth code exchange: id_token is missing";
      expect(await exchanged(() => answer)).toEqual(refusal(detail));
    });

    it.each([
      [
        "at_hash",
        "access_token failed verification: VerifyAccessToken: verifyHashClaim: access_token hash does not match value in id_token",
      ],
      [
        "c_hash",
        "code hash failed verification: VerifyAccessToken: verifyHashClaim: authorization code hash does not match value in id_token",
      ],
    ])("whose ID token has the %s of something else", async (claim, detail) => {
      expect(await exchanged((nonce) => tokens(nonce, { [claim]: "x" }))).toEqual(refusal(detail));
    });

    it.each([
      ["is not there", () => ({}), undefined],
      ["fails", () => ({ userinfo_endpoint: "http://127.0.0.1:1/" }), undefined],
      ["is no JSON", () => ({ userinfo_endpoint: provider.put("/text", { body: "text" }) }), undefined],
      ["is about somebody else", () => userinfo({ sub: "bob" }), undefined],
      ["is of somebody else", () => userinfo({ sub: "alice", iss: "https://other.example.com" }), undefined],
      ["is right", () => userinfo({ sub: "alice", iss: provider.url }), "blue"],
    ])("whose userinfo endpoint %s is enough for a login", async (_name, endpoint, team) => {
      const { auth } = await logInWith((nonce) => tokens(nonce), endpoint());
      expect(auth?.["metadata"]).toEqual({ role: "engineer", ...(team === undefined ? {} : { team }) });
    });
    const userinfo = (claims: Claims) => {
      const body = JSON.stringify({ ...claims, team: "blue" });
      return { userinfo_endpoint: provider.put("/userinfo", { headers: json, body }) };
    };

    it("gives no address when the discovery document has gone", async () => {
      await bench.configure({ oidc_discovery_url: provider.putDiscovery("") });
      provider.put("/.well-known/openid-configuration", { status: 503, body: "" });
      expect(await bench.authUrl()).toBe("");
    });
  });
}
