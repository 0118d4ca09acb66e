import { beforeAll, describe, expect, it } from "vitest";
import type { Running } from "../../server/serve";
import { type Ask, askSecrets, errorOf, startForTests, wrapped } from "./frame-harness";
import { type Issuer, startIssuer } from "./jwt-issuer";
import { keys, selfSignedCertificate } from "./jwt-key-material";

let server: Running;
let ask: Ask;
let issuer: Issuer;
beforeAll(async () => {
  server = await startForTests();
  ask = askSecrets(server);
  issuer = await startIssuer();
});

const configure = (body: unknown) => ask("POST auth/jwt/config", body);
const valid = { jwt_validation_pubkeys: [keys.rsa] };
const oneSource =
  "exactly one of 'jwt_validation_pubkeys', 'jwks_url', 'jwks_pairs' or 'oidc_discovery_url' must be set";
const badDiscovery = "error checking oidc discovery URL";
const noPairs =
  "invalid jwks_pairs: jwks_pairs must be provided as a list of json objects with the fields jwks_url and jwks_ca_pem";

describe("the configuration record", () => {
  it("is 404 until it is written, and nothing is stored by a refused write", async () => {
    await ask("POST sys/auth/fresh", { type: "jwt" });
    expect(errorOf(await ask("GET auth/fresh/config"))).toEqual([404, ""]);
    await ask("POST auth/fresh/config", { ...valid, jwt_supported_algs: "HS256" });
    expect((await ask("GET auth/fresh/config")).status).toBe(404);
  });

  // @covers jwt: Global configuration > oidc_client_secret
  it("reads with every key, and never with the secret", async () => {
    await ask("POST sys/auth/whole", { type: "jwt" });
    expect((await ask("POST auth/whole/config", valid)).status).toBe(204);
    expect((await ask("GET auth/whole/config")).data).toEqual({
      bound_issuer: "",
      default_role: "",
      jwks_ca_pem: "",
      jwks_pairs: [],
      jwks_url: "",
      jwt_supported_algs: [],
      jwt_validation_pubkeys: [keys.rsa.trim()],
      namespace_in_state: true,
      oidc_client_id: "",
      oidc_discovery_ca_pem: "",
      oidc_discovery_url: "",
      oidc_response_mode: "",
      oidc_response_types: [],
      provider_config: {},
      unsupported_critical_cert_extensions: [],
    });
  });

  // @covers jwt: Global configuration > namespace_in_state
  // @covers jwt: Endpoints > POST auth/{mount}/config
  it("is replaced as a whole, but namespace_in_state stays", async () => {
    await configure({ ...valid, bound_issuer: "i", default_role: "ABC", namespace_in_state: false });
    expect((await ask("GET auth/jwt/config")).data).toMatchObject({ default_role: "abc", namespace_in_state: false });
    await configure(valid);
    expect((await ask("GET auth/jwt/config")).data).toMatchObject({
      bound_issuer: "",
      default_role: "",
      namespace_in_state: false,
    });
    await configure({ ...valid, namespace_in_state: true });
    await configure({ ...valid, namespace_in_state: null });
    expect((await ask("GET auth/jwt/config")).data).toMatchObject({ namespace_in_state: false });
  });

  it("keeps write-only values in the records", async () => {
    const url = issuer.putDiscovery("/records");
    await configure({ oidc_discovery_url: url, oidc_client_id: "id", oidc_client_secret: "the-secret" });
    expect((await ask("GET auth/jwt/config")).text).not.toContain("the-secret");
    expect(server.records().secrets["auth/jwt/config"]).toMatchObject({ oidc_client_secret: "the-secret" });
  });

  it("cannot be deleted", async () => {
    expect(errorOf(await ask("DELETE auth/jwt/config"))).toEqual([405, wrapped("unsupported operation")]);
  });
});

describe("checks that need no network", () => {
  it.each([
    [{}, oneSource],
    [{ ...valid, jwks_url: "http://x" }, oneSource],
    [{ jwks_pairs: {} }, oneSource],
    [{ ...valid, oidc_client_id: "a" }, "both 'oidc_client_id' and 'oidc_client_secret' must be set for OIDC"],
    [{ ...valid, oidc_client_secret: "a" }, "both 'oidc_client_id' and 'oidc_client_secret' must be set for OIDC"],
    [{ ...valid, oidc_client_id: "a", oidc_client_secret: "b" }, "'oidc_discovery_url' must be set for OIDC"],
    [
      { jwks_pairs: [{}], jwks_ca_pem: "x", bound_issuer: "y" },
      "CA PEMs must be provided as part of the 'jwks_pairs' when using multiple JWKS URLs",
    ],
    [{ jwks_pairs: [{}], bound_issuer: "y" }, "Bound issuer is not supported for use with 'jwks_pairs'"],
    [{ jwks_pairs: ["x"] }, noPairs],
    [{ jwks_pairs: [null] }, noPairs],
    [{ jwks_pairs: [{}] }, "error checking jwks_ca_pem"],
    [{ jwks_pairs: [{ jwks_url: null }] }, "error checking jwks_ca_pem"],
    [{ jwks_pairs: [{ jwks_url: 5 }] }, "error checking jwks URL 5"],
    [{ jwks_url: "http://x", jwks_ca_pem: "zz" }, "error checking jwks_ca_pem"],
    [{ jwks_url: "zz" }, "error checking jwks URL zz"],
    [{ jwks_url: "http://bad host/" }, "error checking jwks URL http://bad host/"],
    [{ ...valid, jwt_supported_algs: "HS256" }, 'invalid jwt_supported_algs: unsupported signing algorithm "HS256"'],
    [
      { ...valid, jwt_supported_algs: ["RS256", "rs256"] },
      'invalid jwt_supported_algs: unsupported signing algorithm "rs256"',
    ],
    [
      { ...valid, oidc_response_types: ["code", "foo"] },
      "invalid response_types [code foo]. 'code' and 'id_token' are allowed",
    ],
    [
      { ...valid, oidc_response_types: "id_token" },
      "query response_mode may not be used with an id_token response_type",
    ],
    [{ ...valid, oidc_response_mode: "QUERY" }, 'invalid response_mode: "QUERY"'],
    [{ ...valid, provider_config: { a: 1 } }, "invalid provider_config: 'provider' field not found in provider_config"],
    [
      { ...valid, provider_config: { provider: "okta" } },
      'invalid provider_config: provider "okta" not found in custom providers',
    ],
    [
      { ...valid, provider_config: { provider: "gsuite", gsuite_service_account: "{}" } },
      `invalid provider_config: error initializing "gsuite" provider_config: error parsing service account JSON: google: read JWT from JSON credentials: 'type' field is "" (expected "service_account")`,
    ],
    [
      { ...valid, provider_config: { provider: "gsuite", fetch_groups: "true" } },
      `invalid provider_config: error initializing "gsuite" provider_config: 1 error(s) decoding:\n\n* 'fetch_groups' expected type 'bool', got unconvertible type 'string', value: 'true'`,
    ],
  ])("%j is refused: %s", async (body, text) => {
    expect(errorOf(await configure(body))).toEqual([400, text]);
  });

  it.each([
    { oidc_response_types: "code,id_token", oidc_response_mode: "form_post" },
    { oidc_response_mode: "query", oidc_response_types: ["code"] },
    { jwt_supported_algs: "RS256, EdDSA" },
    { provider_config: {} },
    { provider_config: { provider: "azure", any: { deep: [1.5] } } },
    { jwks_ca_pem: "never read" },
  ])("%j is taken", async (fields) => {
    expect((await configure({ ...valid, ...fields })).status).toBe(204);
  });

  // @covers jwt: Global configuration > provider_config
  it("hides the service account of gsuite on read, and keeps it in the record", async () => {
    const provider_config = { provider: "gsuite", gsuite_service_account: '{"type":"service_account"}', zz: 1 };
    expect((await configure({ ...valid, provider_config })).status).toBe(204);
    expect((await ask("GET auth/jwt/config")).data).toMatchObject({ provider_config: { provider: "gsuite", zz: 1 } });
    expect((await ask("GET auth/jwt/config")).text).not.toContain("service_account");
    expect(JSON.stringify(server.records())).toContain("service_account");
  });
});

describe("public keys", () => {
  const none = "data does not contain any valid public keys";
  const block = (name: string, body: string) => `-----BEGIN ${name}-----\n${body}\n-----END ${name}-----`;

  it.each([
    ["RSA", keys.rsa],
    ["P-256", keys.ec],
    ["P-521", keys.p521],
    ["Ed25519", keys.ed25519],
    ["a certificate", selfSignedCertificate()],
    ["text before the block", `junk\n${keys.rsa}`],
    ["blank lines around it", `\n\n${keys.rsa}\n\n`],
    ["carriage returns", keys.rsa.replaceAll("\n", "\r\n")],
    ["another name on the block", keys.rsa.replaceAll("PUBLIC KEY", "ZZ")],
    ["headers in the block", keys.rsa.replace("KEY-----\n", "KEY-----\nA: b\n\n")],
  ])("%s is taken", async (_name, key) => {
    expect((await configure({ jwt_validation_pubkeys: [key] })).status).toBe(204);
    expect((await ask("GET auth/jwt/config")).data).toMatchObject({ jwt_validation_pubkeys: [key.trim()] });
  });

  // @covers jwt: Global configuration > jwt_validation_pubkeys
  it.each([
    ["no PEM", "x", none],
    ["nothing", "", none],
    ["X25519, which verifies nothing", keys.x25519, none],
    ["broken base64", block("PUBLIC KEY", "####"), none],
    ["indented lines", keys.rsa.replaceAll("\n", "\n  "), none],
    ["two in one element", keys.rsa + keys.rsa, "unexpected trailing data after parsed PEM block"],
    ["text after the block", `${keys.rsa}junk`, "unexpected trailing data after parsed PEM block"],
    ["a private key", keys.privateKey, "x509: malformed tbs certificate"],
    ["a PKCS#1 key", keys.pkcs1, "x509: malformed tbs certificate"],
    ["a curve that Go does not know", keys.secp256k1, "x509: malformed serial number"],
    ["other bytes", block("PUBLIC KEY", "aGVsbG8="), "x509: malformed certificate"],
  ])("%s is refused", async (_name, key, text) => {
    const answer = await configure({ jwt_validation_pubkeys: [keys.rsa, key] });
    expect(errorOf(answer)).toEqual([400, `error parsing public key: ${text}`]);
  });
});

describe("a key set URL", () => {
  const good = JSON.stringify({ keys: [keys.rsaJwk] });
  it.each([
    ["keys", { body: good }],
    ["no keys", { body: '{"keys":[]}' }],
    ["no member keys", { body: "{}" }],
    ["null", { body: "null" }],
    ["a symmetric key", { body: '{"keys":[{"kty":"oct","k":"AAAA"}]}' }],
  ])("with %s is taken", async (name, document) => {
    expect((await configure({ jwks_url: issuer.put(`/${encodeURIComponent(name)}`, document) })).status).toBe(204);
  });

  it.each([
    ["no JSON", { body: "x" }],
    ["text after it", { body: `${good} x` }],
    ["a list", { body: "[]" }],
    ["an object as keys", { body: '{"keys":{}}' }],
    ["an unknown key type beside a good one", { body: JSON.stringify({ keys: [{ kty: "ZZ" }, keys.rsaJwk] }) }],
    ["an RSA key without its numbers", { body: '{"keys":[{"kty":"RSA"}]}' }],
    ["a point off the curve", { body: '{"keys":[{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA"}]}' }],
    ["another key agreement curve", { body: '{"keys":[{"kty":"OKP","crv":"X25519","x":"AAAA"}]}' }],
    ["status 500", { status: 500, body: good }],
    ["status 201", { status: 201, body: good }],
    ["a redirect to itself", { status: 302, headers: { location: "/loop" }, body: "" }],
  ])("with %s is refused", async (name, document) => {
    const path = name.includes("itself") ? "/loop" : `/${encodeURIComponent(name)}`;
    const url = issuer.put(path, document);
    expect(errorOf(await configure({ jwks_url: url }))).toEqual([400, `error checking jwks URL ${url}`]);
  });

  it("is followed where it redirects", async () => {
    issuer.put("/final", { body: good });
    const url = issuer.put("/moved", { status: 302, headers: { location: "/final" }, body: "" });
    expect((await configure({ jwks_url: url, jwks_ca_pem: selfSignedCertificate() })).status).toBe(204);
  });

  it("of every pair is looked at; a pair keeps the members that it was sent with", async () => {
    const url = issuer.put("/pair", { body: good });
    const bad = issuer.put("/bad-pair", { body: "x" });
    expect(errorOf(await configure({ jwks_pairs: [{ jwks_url: url }, { jwks_url: bad }] }))).toEqual([
      400,
      `error checking jwks URL ${bad}`,
    ]);
    expect((await configure({ jwks_pairs: { jwks_url: url, z: 1 } })).status).toBe(204);
    expect((await ask("GET auth/jwt/config")).data).toMatchObject({ jwks_pairs: [{ jwks_url: url, z: 1 }] });
  });
});

describe("a discovery URL", () => {
  const client = { oidc_client_id: "a", oidc_client_secret: "b" };

  it("is asked for its document, once, with and without a client", async () => {
    const oidc_discovery_url = issuer.putDiscovery("/good");
    for (const fields of [{}, client]) {
      issuer.asked.length = 0;
      expect((await configure({ oidc_discovery_url, ...fields })).status).toBe(204);
      expect(issuer.asked).toEqual(["/good/.well-known/openid-configuration"]);
    }
  });

  // @covers jwt: Global configuration > oidc_discovery_url
  it("must equal the issuer to the byte, a final slash included", async () => {
    const plain = issuer.putDiscovery("/plain");
    expect(errorOf(await configure({ oidc_discovery_url: `${plain}/` }))).toEqual([400, badDiscovery]);
    expect((await configure({ oidc_discovery_url: issuer.putDiscovery("/slash/") })).status).toBe(204);
    expect(errorOf(await configure({ oidc_discovery_url: issuer.putDiscovery("/other", { issuer: "x" }) }))).toEqual([
      400,
      badDiscovery,
    ]);
  });

  it.each([
    ["/status-500", {}, { status: 500 }],
    ["/status-201", {}, { status: 201 }],
    ["/no-json", {}, { body: "x" }],
    ["/empty", {}, { body: "{}" }],
    ["/uri-of-number", { jwks_uri: 5 }, {}],
  ])("%s is refused", async (path, change, document) => {
    const url = issuer.putDiscovery(path, change, document);
    expect(errorOf(await configure({ oidc_discovery_url: url }))).toEqual([400, badDiscovery]);
  });

  it("is read more strictly with a client, and its algorithms fail as the URL would", async () => {
    const url = issuer.putDiscovery("/algs", { id_token_signing_alg_values_supported: 5 });
    expect((await configure({ oidc_discovery_url: url })).status).toBe(204);
    expect(errorOf(await configure({ oidc_discovery_url: url, ...client }))).toEqual([400, badDiscovery]);
    const good = issuer.putDiscovery("/good-algs");
    const wrong = { oidc_discovery_url: good, jwt_supported_algs: "HS256" };
    expect(errorOf(await configure({ ...wrong, ...client }))).toEqual([400, badDiscovery]);
    expect(errorOf(await configure(wrong))).toEqual([
      400,
      'invalid jwt_supported_algs: unsupported signing algorithm "HS256"',
    ]);
  });

  it("needs a CA that can be read, if one is given", async () => {
    const oidc_discovery_url = issuer.putDiscovery("/ca");
    expect(errorOf(await configure({ oidc_discovery_url, oidc_discovery_ca_pem: "zz" }))).toEqual([400, badDiscovery]);
    expect((await configure({ oidc_discovery_url, oidc_discovery_ca_pem: selfSignedCertificate() })).status).toBe(204);
  });

  it("that nobody answers is refused", async () => {
    expect(errorOf(await configure({ oidc_discovery_url: "http://127.0.0.1:1" }))).toEqual([400, badDiscovery]);
  });
});
