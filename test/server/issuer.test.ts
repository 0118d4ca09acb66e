import { createHash } from "node:crypto";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { createMemoryTables } from "../../server/data/tables";
import { createIssuer } from "../../server/issuer/issuer";
import type { Running } from "../../server/serve";
import { answeredBy, createOidcBench, type OidcBench, submitLogin } from "../support/oidc-bench";
import { startForTests } from "./frame-harness";

let server: Running;
let bench: OidcBench;
let issuer: OidcBench["issuer"];
beforeAll(async () => {
  server = await startForTests({ issuer: true });
  bench = createOidcBench(server.secrets, server);
  issuer = bench.issuer;
});

const redirectUri = "http://localhost:1/cb";
const verifier = "v".repeat(43);
const challenge = createHash("sha256").update(verifier).digest("base64url");
type Parameters = Readonly<Record<string, string>>;

const usual = { redirect_uri: redirectUri, response_type: "code", scope: "openid profile", state: "a b", nonce: "n" };

function authorizeUrl(change: Parameters = {}): string {
  const parameters = { client_id: issuer.clientId, ...usual, ...change };
  return `${issuer.address}/authorize?${new URLSearchParams(parameters)}`;
}

const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
const codeOf = async (change: Parameters = pkce) => (await answeredBy(authorizeUrl(change)))["code"] ?? "";

async function exchange(form: Parameters, credentials = `${issuer.clientId}:${issuer.clientSecret}`) {
  const headers: Parameters =
    credentials === "" ? {} : { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
  const usualForm = { grant_type: "authorization_code", redirect_uri: redirectUri, code_verifier: verifier };
  const body = new URLSearchParams({ ...usualForm, ...form });
  const response = await fetch(`${issuer.address}/token`, { method: "POST", headers, body });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

// What our own issuer answers is ours to know.
const documentAt = async <T>(path: string) => (await (await fetch(`${issuer.address}${path}`)).json()) as T;

const userinfo = (token = "") => fetch(`${issuer.address}/userinfo`, { headers: { authorization: `Bearer ${token}` } });

describe("discovery", () => {
  it("names the issuer and its endpoints, and keys without what must stay secret", async () => {
    const document = await documentAt<object>("/.well-known/openid-configuration");
    expect(document).toMatchObject({ issuer: issuer.address, jwks_uri: `${issuer.address}/keys` });
    const { keys } = await documentAt<{ keys: object[] }>("/keys");
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([["alg", "e", "kid", "kty", "n", "use"]]);
  });
});

describe("the authorize page", () => {
  it("loads nothing, cannot be framed, and posts to the issuer and the program only", async () => {
    const { headers } = await fetch(authorizeUrl());
    const policy = headers.get("content-security-policy");
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self' http://localhost:1;"]) {
      expect(policy).toContain(part);
    }
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("shows what it was sent as text", async () => {
    await bench.admin("PUT issuer/users", {
      sub: '"><script>alert(1)</script>',
      claims: { "<i>": "</code><img src=x>" },
    });
    const text = await (await fetch(authorizeUrl({ scope: "openid <script>" }))).text();
    expect(text).not.toMatch(/<script>|<img|<i>/);
    expect(text).toContain("&lt;img src=x&gt;");
    await bench.admin(`DELETE issuer/users/${encodeURIComponent('"><script>alert(1)</script>')}`);
  });

  it.each([
    [{ client_id: "other" }, 'No client has the client_id "other".'],
    [{ redirect_uri: "https://app.example.com/cb" }, "is neither registered nor of this machine."],
    [{ redirect_uri: "http://localhost.example.com/cb" }, "is neither registered nor of this machine."],
    [{ redirect_uri: "http://localhost@example.com/cb" }, "is neither registered nor of this machine."],
    [{ redirect_uri: "javascript://localhost/%0aalert(1)" }, "is neither registered nor of this machine."],
    [{ redirect_uri: "http://localhost/cb#x" }, "is neither registered nor of this machine."],
    [{ redirect_uri: "" }, "is neither registered nor of this machine."],
  ])("asked with %j sends the browser nowhere: %s", async (change, problem) => {
    const response = await fetch(authorizeUrl(change), { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    expect(await response.text()).toContain(problem.replaceAll('"', "&quot;"));
  });

  it.each<[Parameters, string]>([
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ response_mode: "fragment" }, "invalid_request"],
    [{ response_type: "id_token" }, "invalid_request"],
    [{ scope: "email" }, "invalid_scope"],
    [{ code_challenge: "x", code_challenge_method: "plain" }, "invalid_request"],
    [{ prompt: "none" }, "login_required"],
  ])("asked with %j tells the program %s", async (change, error) => {
    const response = await fetch(authorizeUrl(change), { redirect: "manual" });
    const location = new URL(response.headers.get("location") ?? "");
    expect(`${location.origin}${location.pathname}`).toBe(redirectUri);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({ error, state: "a b" });
  });

  it.each([
    [{ user: "nobody" }, "Choose who logs in."],
    [{ claims: "[1]" }, "More claims must be a JSON object, or nothing."],
  ])("sent with %j is shown again: %s", async (login, problem) => {
    const response = await submitLogin(authorizeUrl(), login);
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    expect(await response.text()).toContain(problem);
  });

  it("is good for one login, for half an hour", async () => {
    const submit = (ticket: string) =>
      fetch(`${issuer.address}/authorize`, {
        method: "POST",
        body: new URLSearchParams({ ticket, user: "alice", claims: "" }),
        redirect: "manual",
      });
    const ticketOf = async () =>
      /name="ticket" value="(\w+)"/.exec(await (await fetch(authorizeUrl())).text())?.[1] ?? "";
    const ticket = await ticketOf();
    expect([(await submit(ticket)).status, (await submit(ticket)).status]).toEqual([303, 400]);
    const old = await ticketOf();
    server.clock.advance(30 * 60_000);
    expect((await submit(old)).status).toBe(400);
  });

  it("leads to other machines that are registered", async () => {
    const elsewhere = "https://app.example.com/cb?x=1";
    await bench.admin("PUT issuer/client", { redirectUris: [elsewhere] });
    const { headers } = await submitLogin(authorizeUrl({ redirect_uri: elsewhere }));
    expect(headers.get("location")).toMatch(/^https:\/\/app\.example\.com\/cb\?x=1&code=\w{32}&state=a\+b$/);
    await bench.admin("PUT issuer/client", { redirectUris: [] });
  });
});

describe("the token endpoint", () => {
  it("gives an ID token for a code and its verifier, with the nonce and the claims of the scopes", async () => {
    const { status, body } = await exchange({ code: await codeOf() });
    expect([status, body["token_type"]]).toEqual([200, "Bearer"]);
    const keys = createRemoteJWKSet(new URL(`${issuer.address}/keys`));
    const { payload } = await jwtVerify(String(body["id_token"]), keys, {
      ...{ issuer: issuer.address, audience: issuer.clientId, currentDate: new Date(server.clock.now()) },
    });
    expect(payload).toMatchObject({ sub: "alice", nonce: "n", name: "Alice Example" });
    expect(Object.keys(payload)).not.toContain("email");
    expect(await (await userinfo(body["access_token"])).json()).toEqual({
      ...{ sub: "alice", name: "Alice Example", preferred_username: "alice" },
    });
  });

  it.each([
    ["its secret in the form", () => ({ client_id: issuer.clientId, client_secret: issuer.clientSecret }), "", 200],
    ["another secret in the form", () => ({ client_id: issuer.clientId, client_secret: "x" }), "", 401],
    ["no secret", () => ({}), "", 401],
    ["another secret in the header", () => ({}), "trustplane:x", 401],
  ])("takes a client with %s: %s", async (_name, form, credentials, status) => {
    const answer = await exchange({ code: await codeOf(), ...form() }, credentials);
    expect([answer.status, answer.body["error"]]).toEqual([status, status === 200 ? undefined : "invalid_client"]);
  });

  it("keeps a code for its client when somebody else presents it, and gives it up after one use", async () => {
    const code = await codeOf();
    expect((await exchange({ code }, "trustplane:x")).status).toBe(401);
    expect((await exchange({ code })).status).toBe(200);
    expect(await exchange({ code })).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  it.each<[string, Parameters, Parameters]>([
    ["another verifier", pkce, { code_verifier: "w".repeat(43) }],
    ["a verifier where there was no challenge", {}, {}],
    ["another redirect URI", pkce, { redirect_uri: "http://localhost:2/cb" }],
  ])("refuses a code with %s, and it is gone", async (_name, asked, form) => {
    const code = await codeOf(asked);
    for (const attempt of [form, {}]) {
      expect(await exchange({ code, ...attempt })).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    }
  });

  it("refuses a code of a minute ago, and other grants", async () => {
    const code = await codeOf();
    expect((await exchange({ code, grant_type: "password" })).body).toMatchObject({ error: "unsupported_grant_type" });
    server.clock.advance(60_000);
    expect((await exchange({ code })).body).toMatchObject({ error: "invalid_grant" });
  });
});

it("the userinfo endpoint knows an access token for an hour", async () => {
  const { body } = await exchange({ code: await codeOf() });
  expect((await userinfo("guessed")).status).toBe(401);
  expect((await fetch(`${issuer.address}/userinfo`)).headers.get("www-authenticate")).toBe("Bearer");
  expect((await userinfo(body["access_token"])).status).toBe(200);
  server.clock.advance(3_600_000);
  expect((await userinfo(body["access_token"])).status).toBe(401);
});

describe("the admin interface", () => {
  it("puts, shows and removes those who may log in", async () => {
    await bench.admin("PUT issuer/users", { sub: "carol", claims: { team: "x" } });
    const { users } = (await bench.admin("GET issuer/users")) as { users: { sub: string }[] };
    expect(users.map(({ sub }) => sub)).toEqual(["alice", "bob", "carol"]);
    expect((await answeredBy(authorizeUrl(), { user: "carol" }))["code"]).toMatch(/\w{32}/);
    await bench.admin("DELETE issuer/users/carol");
    expect((await submitLogin(authorizeUrl(), { user: "carol" })).status).toBe(400);
  });

  it("mints a JWT that logs in without anybody's browser", async () => {
    await bench.ask("POST auth/jwt/config", { oidc_discovery_url: issuer.address });
    const role = { role_type: "jwt", user_claim: "sub", bound_audiences: "ci", bound_claims: { ref: "main" } };
    await bench.ask("POST auth/jwt/role/ci", role);
    const jwt = await bench.mint({ sub: "job", aud: "ci", ref: "main" });
    const { auth } = await bench.ask("POST auth/jwt/login", { role: "ci", jwt }, { token: null });
    expect(auth?.["metadata"]).toEqual({ role: "ci" });
  });

  it.each([
    ["PUT issuer/client", { responseMode: "fragment" }],
    ["PUT issuer/client", { redirectUris: ["nowhere"] }],
    ["PUT issuer/users", { claims: {} }],
    ["POST issuer/tokens", { sub: "x" }],
  ])("refuses %s %j", async (request, body) => {
    await expect(bench.admin(request, body)).rejects.toThrow(`${request}: 400`);
  });

  it("knows of no issuer where there is none", async () => {
    const { admin } = await startForTests();
    const headers = { authorization: `Bearer ${admin.token}` };
    expect((await fetch(`${admin.address}/issuer/users`, { headers })).status).toBe(404);
  });
});

it("the issuer listens on loopback, whatever the others do", async () => {
  const { secrets, issuer: own } = await startForTests({ issuer: true, host: "127.0.0.2" });
  expect(new URL(secrets.address).hostname).toBe("127.0.0.2");
  expect(new URL(own?.address ?? "").hostname).toBe("127.0.0.1");
});

it("an issuer that starts again with its records is the same one to its programs", async () => {
  const records = new Map<string, Map<string, unknown>>();
  const open = <T>(name: string) => {
    records.set(name, records.get(name) ?? new Map());
    // Whoever opens a table knows what is in it.
    return records.get(name) as Map<string, T>;
  };
  const options = { now: () => new Date(), address: () => "http://issuer", tables: { ...createMemoryTables(), open } };
  const first = createIssuer(options);
  first.users.remove("bob");
  first.client.change({ responseMode: "form_post" });
  const second = createIssuer(options);
  const keys = async ({ service }: typeof first) => (await service.fetch(new Request("http://issuer/keys"), at)).text();
  expect(second.client.secret).toBe(first.client.secret);
  expect(second.client.settings()).toEqual({ redirectUris: [], responseMode: "form_post" });
  expect(second.users.all().map(({ sub }) => sub)).toEqual(["alice"]);
  expect(await keys(second)).toBe(await keys(first));
});

const at = { remoteAddress: "127.0.0.1", localAddress: "127.0.0.1:1", method: "GET", path: "/keys" };
