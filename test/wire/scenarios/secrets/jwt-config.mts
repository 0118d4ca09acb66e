import { defineScenario, refused, type Step, step } from "../../scenario.mts";

const write = "POST auth/jwt/config";
const read = "GET auth/jwt/config";
const key = { jwt_validation_pubkeys: ["{publicKey}"] };
const dead = "http://127.0.0.1:1";

/** The configuration of the JWT method: every source of keys, and everything that a server refuses. */
export const jwtConfig = defineScenario({
  topic: "jwt-config",
  before: [{ request: "POST sys/auth/jwt", body: { type: "jwt" } }],
  steps: [
    // @covers jwt: Endpoints > GET auth/{mount}/config
    step("read before it is written", read, "absent"),
    step("write keys", write, "ok", { body: { jwt_validation_pubkeys: ["{publicKey}\n"] } }),
    step("read keys", read, "ok"),
    step("write everything that goes with a discovery URL", write, "ok", {
      body: {
        oidc_discovery_url: "{issuer}",
        oidc_client_id: "client",
        oidc_client_secret: "never-shown",
        oidc_response_mode: "form_post",
        oidc_response_types: ["code", "id_token"],
        default_role: "Reader",
        bound_issuer: "{issuer}",
        jwt_supported_algs: ["RS256"],
        provider_config: { provider: "azure" },
        namespace_in_state: false,
      },
    }),
    // @covers jwt: Endpoints > GET auth/{mount}/config
    // @covers beyond: jwt.Config > unsupported_critical_cert_extensions
    step("read everything", read, {
      found: { default_role: "reader", oidc_client_id: "client", namespace_in_state: false },
    }),
    step("write the least over everything", write, "ok", { body: { oidc_discovery_url: "{issuer}" } }),
    // @covers jwt: Endpoints > POST auth/{mount}/config
    step("read what is left", read, { found: { default_role: "", oidc_client_id: "", namespace_in_state: false } }),
    step("write a key set", write, "ok", { body: { jwks_url: "{issuer}/jwks", namespace_in_state: null } }),
    step("read a key set", read, "ok"),
    step("write several key sets", write, "ok", {
      body: { jwks_pairs: [{ jwks_url: "{issuer}/jwks" }, { jwks_url: "{issuer}/jwks", jwks_ca_pem: "" }] },
    }),
    // @covers beyond: jwt.Config > jwks_pairs
    step("read several key sets", read, {
      found: { jwks_pairs: [{ jwks_url: "<issuer>/jwks" }, { jwks_ca_pem: "" }] },
    }),
    step("write one key set as an object", write, "ok", { body: { jwks_pairs: { jwks_url: "{issuer}/jwks" } } }),
    step("write with unknown members", write, "ok", { body: { ...key, nonsense: 1 } }),
    step("write lists as texts", write, "ok", {
      body: { jwt_validation_pubkeys: "{publicKey}", jwt_supported_algs: "RS256, ES256" },
    }),
    step("read lists written as texts", read, "ok"),
    ...refusedConfigs(),
    step("read what the refusals left", read, "ok"),
    step("delete", "DELETE auth/jwt/config", refused(/405 unsupported operation/)),
    step("list", "GET auth/jwt/config?list=true", refused(/40[45] unsupported/)),
  ],
});

function refusedConfigs(): Step[] {
  const table: readonly (readonly [title: string, body: unknown, says: RegExp])[] = [
    // @covers jwt: Global configuration > one source of keys
    ["no source of keys", { default_role: "a" }, /400 exactly one of 'jwt_validation_pubkeys', 'jwks_url'/],
    // @covers jwt: Global configuration > one source of keys
    ["two sources of keys", { ...key, jwks_url: "{issuer}/jwks" }, /400 exactly one of/],
    // @covers jwt: Global configuration > oidc_client_id
    [
      "a client without its secret",
      { oidc_discovery_url: "{issuer}", oidc_client_id: "a" },
      /400 both 'oidc_client_id' and 'oidc_client_secret' must be set for OIDC/,
    ],
    // @covers jwt: Global configuration > oidc_client_secret
    [
      "a secret without its client",
      { oidc_discovery_url: "{issuer}", oidc_client_secret: "a" },
      /400 both 'oidc_client_id'/,
    ],
    // @covers jwt: Global configuration > oidc_client_id
    [
      "a client without discovery",
      { ...key, oidc_client_id: "a", oidc_client_secret: "b" },
      /400 'oidc_discovery_url' must be set for OIDC/,
    ],
    ["a discovery URL where nothing listens", { oidc_discovery_url: dead }, /400 error checking oidc discovery URL/],
    // @covers jwt: Global configuration > oidc_discovery_url
    ["a discovery URL of another issuer", { oidc_discovery_url: "{issuer}/" }, /400 error checking oidc discovery URL/],
    [
      "a discovery URL that is not found",
      { oidc_discovery_url: "{issuer}/none" },
      /400 error checking oidc discovery URL/,
    ],
    // @covers jwt: Global configuration > oidc_discovery_ca_pem
    [
      "a discovery CA that is none",
      { oidc_discovery_url: "{issuer}", oidc_discovery_ca_pem: "x" },
      /400 error checking oidc discovery URL/,
    ],
    ["a key set where nothing listens", { jwks_url: dead }, /400 error checking jwks URL/],
    // @covers jwt: Global configuration > jwks_url
    ["a key set that is not found", { jwks_url: "{issuer}/none" }, /400 error checking jwks URL/],
    // @covers jwt: Global configuration > jwks_ca_pem
    [
      "a CA of the key set that is none",
      { jwks_url: "{issuer}/jwks", jwks_ca_pem: "x" },
      /400 error checking jwks_ca_pem/,
    ],
    [
      "several key sets with one CA",
      { jwks_pairs: [{ jwks_url: "{issuer}/jwks" }], jwks_ca_pem: "x" },
      /400 CA PEMs must be provided as part of the 'jwks_pairs'/,
    ],
    [
      "several key sets with an issuer",
      { jwks_pairs: [{ jwks_url: "{issuer}/jwks" }], bound_issuer: "x" },
      /400 Bound issuer is not supported/,
    ],
    // @covers beyond: jwt.Config > jwks_pairs
    ["several key sets that are texts", { jwks_pairs: ["{issuer}/jwks"] }, /400 invalid jwks_pairs/],
    ["several key sets without URL", { jwks_pairs: [{ jwks_ca_pem: "x" }] }, /400 error checking/],
    ["a key that is no PEM", { jwt_validation_pubkeys: ["x"] }, /400 error parsing public key/],
    [
      "two keys in one text",
      { jwt_validation_pubkeys: ["{publicKey}\n{publicKey}"] },
      /400 error parsing public key: unexpected trailing data/,
    ],
    // @covers jwt: Global configuration > jwt_supported_algs
    [
      "an algorithm with a shared key",
      { ...key, jwt_supported_algs: ["HS256"] },
      /400 .*unsupported signing algorithm/,
    ],
    // @covers jwt: Global configuration > jwt_supported_algs
    ["an algorithm in small letters", { ...key, jwt_supported_algs: ["rs256"] }, /400 .*unsupported signing algorithm/],
    // @covers jwt: Global configuration > oidc_response_types
    ["an unknown response type", { ...key, oidc_response_types: ["foo"] }, /400 invalid response_types/],
    // @covers jwt: Global configuration > oidc_response_mode
    ["an unknown response mode", { ...key, oidc_response_mode: "QUERY" }, /400 invalid response_mode/],
    // @covers jwt: Global configuration > oidc_response_types
    [
      "an ID token in the query",
      { ...key, oidc_response_mode: "query", oidc_response_types: ["id_token"] },
      /400 query response_mode may not be used/,
    ],
    // @covers jwt: Global configuration > provider_config
    [
      "a provider without its name",
      { ...key, provider_config: { a: "b" } },
      /400 invalid provider_config: 'provider' field not found/,
    ],
    // @covers jwt: Global configuration > provider_config
    [
      "an unknown provider",
      { ...key, provider_config: { provider: "x" } },
      /400 invalid provider_config: provider "x" not found/,
    ],
    [
      "a provider that is not set up",
      { ...key, provider_config: { provider: "gsuite" } },
      /400 invalid provider_config/,
    ],
    [
      "a provider that is a text",
      { ...key, provider_config: "azure" },
      /400 Field validation failed: error converting input .*for field "provider_config"/,
    ],
    [
      "a flag that is none",
      { ...key, namespace_in_state: "maybe" },
      /400 Field validation failed: error converting input .*for field "namespace_in_state"/,
    ],
    [
      "an issuer that is a list",
      { ...key, bound_issuer: ["a"] },
      /400 Field validation failed: error converting input .*for field "bound_issuer"/,
    ],
    [
      "keys in lists in lists",
      { jwt_validation_pubkeys: [["a"]] },
      /400 Field validation failed: error converting input .*for field "jwt_validation_pubkeys"/,
    ],
  ];
  return table.map(([title, body, says]) => ({ title, request: write, body, outcome: refused(says) }));
}
