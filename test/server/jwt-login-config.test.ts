import { beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "./frame-harness";
import { type Issuer, startIssuer } from "./jwt-issuer";
import {
  type Algorithm,
  keySet,
  type LoginBench,
  publicPem,
  startLoginBench,
  startSecureIssuer,
} from "./jwt-login-harness";

let bench: LoginBench;
let issuer: Issuer;
beforeAll(async () => {
  [bench, issuer] = [await startLoginBench(), await startIssuer()];
});

const refusal = (text: string) => [400, `error validating token: ${text}`];
const unsigned = (text: string) => refusal(`error verifying token signature: ${text}`);
const unverified = unsigned("failed to verify id token signature");

async function configure(config: Record<string, unknown>): Promise<void> {
  const answer = await bench.ask("POST auth/jwt/config", config);
  expect([answer.status, answer.errors]).toEqual([204, undefined]);
}

const outcome = async (claims?: Record<string, unknown>, signing?: Parameters<LoginBench["login"]>[1]) =>
  errorOf(await bench.login(claims, signing));
const isIn = [200, undefined];

describe("global configuration", () => {
  // @covers jwt: Global configuration > oidc_discovery_url
  it("oidc_discovery_url: the keys that its discovery document names verify signatures", async () => {
    issuer.put("/keys", { body: keySet("RS256", "ES256") });
    await configure({ oidc_discovery_url: issuer.putDiscovery("/provider") });
    expect(await outcome()).toEqual(isIn);
    expect(await outcome({}, { alg: "ES256" })).toEqual(isIn);
    expect(await outcome({}, { isForged: true })).toEqual(unverified);
  });

  // @covers jwt: Global configuration > oidc_discovery_ca_pem
  it("oidc_discovery_ca_pem: is trusted for the document and for the keys", async () => {
    const { url, caPem } = await startSecureIssuer(() => keySet("RS256"));
    await configure({ oidc_discovery_url: url, oidc_discovery_ca_pem: caPem });
    expect(await outcome()).toEqual(isIn);
    const untrusted = await bench.ask("POST auth/jwt/config", { oidc_discovery_url: url });
    expect(errorOf(untrusted)).toEqual([400, "error checking oidc discovery URL"]);
  });

  // @covers jwt: Global configuration > oidc_client_id
  it("oidc_client_id, oidc_client_secret: where people log in, JWTs are refused", async () => {
    const client = { oidc_client_id: "client", oidc_client_secret: "secret" };
    await configure({ oidc_discovery_url: issuer.putDiscovery("/provider"), ...client });
    expect(await outcome()).toEqual([400, "error configuring token validator: unsupported config type"]);
  });

  // @covers jwt: Global configuration > oidc_response_mode
  it("oidc_response_mode, oidc_response_types, namespace_in_state: change no login with a JWT", async () => {
    const flow = { oidc_response_mode: "form_post", oidc_response_types: "id_token", namespace_in_state: false };
    await configure({ jwt_validation_pubkeys: publicPem("RS256"), ...flow });
    expect(await outcome()).toEqual(isIn);
  });

  // @covers jwt: Global configuration > jwks_url
  it("jwks_url: its keys verify signatures, the one that the token names by kid alone", async () => {
    await configure({ jwks_url: issuer.put("/set", { body: keySet("RS256", "ES256") }) });
    expect(await outcome()).toEqual(isIn);
    expect(await outcome({}, { kid: "ES256" })).toEqual(unverified);
    expect(await outcome({}, { kid: "" })).toEqual(isIn);
  });

  // @covers jwt: Global configuration > jwks_url
  it("jwks_url: is asked again only when no known key has signed the token", async () => {
    await configure({ jwks_url: issuer.put("/rotating", { body: keySet("RS256") }) });
    const asked = () => issuer.asked.splice(0).filter((path) => path === "/rotating").length;
    asked();
    expect([await outcome(), await outcome(), asked()]).toEqual([isIn, isIn, 1]);
    issuer.put("/rotating", { body: keySet("ES256") });
    expect([await outcome(), asked()]).toEqual([isIn, 0]);
    expect([await outcome({}, { alg: "ES256" }), asked()]).toEqual([isIn, 1]);
    expect([await outcome(), asked()]).toEqual([unverified, 1]);
  });

  const json = { "content-type": "application/json" };
  // Texts asked of Vault 1.21.1.
  it.each([
    [{ status: 500, body: "oops" }, "get keys failed: 500 Internal Server Error oops"],
    [
      { body: "<html>", headers: { "content-type": "text/html" } },
      `failed to decode keys: expected Content-Type = application/json, got "text/html": invalid character '<' looking for beginning of value <html>`,
    ],
    [
      { body: "no", headers: json },
      "failed to decode keys: got Content-Type = application/json, but could not unmarshal as JSON: invalid character 'o' in literal null (expecting 'u') no",
    ],
    [
      { body: '{"keys":5}', headers: json },
      'failed to decode keys: got Content-Type = application/json, but could not unmarshal as JSON: json: cannot unmarshal number into Go struct field JSONWebKeySet.keys of type []jose.JSONWebKey {"keys":5}',
    ],
  ])("jwks_url: fails at login as it fails now (%j)", async (document, text) => {
    await configure({ jwks_url: issuer.put("/failing", { body: keySet("RS256") }) });
    issuer.put("/failing", document);
    expect(await outcome()).toEqual(unsigned(`fetching keys oidc: ${text}`));
    issuer.put("/failing", { body: keySet("RS256") });
    expect(await outcome()).toEqual(isIn);
  });

  // @covers jwt: Global configuration > jwks_ca_pem
  it("jwks_ca_pem: is trusted for the keys", async () => {
    const { url, caPem } = await startSecureIssuer(() => keySet("RS256"));
    await configure({ jwks_url: `${url}/keys`, jwks_ca_pem: caPem });
    expect(await outcome()).toEqual(isIn);
  });

  // @covers beyond: jwt.Config > jwks_pairs
  it("jwks_pairs: any of the key sets verifies, each fetched with its own CA", async () => {
    const { url, caPem } = await startSecureIssuer(() => keySet("ES256"));
    const open = { jwks_url: issuer.put("/set", { body: keySet("RS256") }), jwks_ca_pem: "" };
    await configure({ jwks_pairs: [open, { jwks_url: `${url}/keys`, jwks_ca_pem: caPem }] });
    expect(await outcome()).toEqual(isIn);
    expect(await outcome({}, { alg: "ES256" })).toEqual(isIn);
    expect(await outcome({}, { isForged: true })).toEqual(unverified);
  });

  // @covers jwt: Global configuration > jwt_validation_pubkeys
  it("jwt_validation_pubkeys: each of them verifies, whatever the kid", async () => {
    const algorithms = ["RS256", "ES256", "ES384", "ES512", "EdDSA"] as const;
    await configure({ jwt_validation_pubkeys: algorithms.map(publicPem) });
    for (const alg of algorithms) expect(await outcome({}, { alg, kid: "any" })).toEqual(isIn);
    const none = "no known key successfully validated the token signature";
    expect(await outcome({}, { isForged: true })).toEqual(unsigned(none));
  });

  // @covers jwt: Global configuration > bound_issuer
  it("bound_issuer: must be the iss claim", async () => {
    await configure({ jwt_validation_pubkeys: publicPem("RS256"), bound_issuer: "https://issuer.example" });
    expect(await outcome({ iss: "https://issuer.example" })).toEqual(isIn);
    for (const iss of ["https://issuer.example/", undefined]) {
      expect(await outcome({ iss })).toEqual(refusal("invalid issuer (iss) claim"));
    }
  });

  // @covers jwt: Global configuration > jwt_supported_algs
  it("jwt_supported_algs: all of them when empty, else those alone", async () => {
    const all: readonly Algorithm[] = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "EdDSA"];
    const keys = { jwt_validation_pubkeys: (["RS256", "ES256", "EdDSA"] as const).map(publicPem) };
    await configure(keys);
    for (const alg of all) expect(await outcome({}, { alg })).toEqual(isIn);
    await configure({ ...keys, jwt_supported_algs: ["PS384", "EdDSA"] });
    const wrong = refusal("invalid algorithm (alg) header parameter: token signed with unexpected algorithm");
    for (const alg of all) {
      expect([alg, await outcome({}, { alg })]).toEqual([alg, alg === "PS384" || alg === "EdDSA" ? isIn : wrong]);
    }
  });

  // @covers jwt: Global configuration > default_role
  it("default_role: is the role of a login that names none", async () => {
    await configure({ jwt_validation_pubkeys: publicPem("RS256"), default_role: "Role" });
    const unnamed = await bench.ask("POST auth/jwt/login", { jwt: await bench.jwt() }, { token: null });
    expect([unnamed.status, unnamed.auth?.["metadata"]]).toEqual([200, { role: "role" }]);
    await configure({ jwt_validation_pubkeys: publicPem("RS256") });
    const missing = await bench.ask("POST auth/jwt/login", { jwt: await bench.jwt() }, { token: null });
    expect(errorOf(missing)).toEqual([400, "missing role"]);
  });

  it("provider_config: logins with a JWT go by the claims alone", async () => {
    await configure({ jwt_validation_pubkeys: publicPem("RS256"), provider_config: { provider: "azure" } });
    expect(await outcome()).toEqual(isIn);
  });

  it("the provider is asked again by the first login after a configuration, and fails it in Vault's words", async () => {
    const url = issuer.putDiscovery("/provider");
    await configure({ oidc_discovery_url: url });
    const configuring = (text: string) => [
      400,
      `error configuring token validator: keyset configuration error: ${text}`,
    ];
    issuer.putDiscovery("/provider", {}, { status: 503, body: "later" });
    expect(await outcome()).toEqual(configuring("503 Service Unavailable: later"));
    issuer.putDiscovery("/provider", { issuer: "x" });
    const mismatch = `issuer did not match the returned issuer, expected "${url}" got "x"`;
    expect(await outcome()).toEqual(configuring(mismatch));
    issuer.putDiscovery("/provider");
    expect(await outcome()).toEqual(isIn);
  });
});
