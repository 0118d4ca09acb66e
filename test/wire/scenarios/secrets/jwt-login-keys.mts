import { defineScenario, refused, type Step, step } from "../../scenario.mts";

const unsigned = /400 error validating token: error verifying token signature: no known key/;
const unverified = /400 error validating token: error verifying token signature: failed to verify id token signature/;
const malformed = /400 error validating token: error verifying token signature: oidc: malformed jwt/;
const broken = /400 error validating token: error verifying token signature: /;
const wrongAlgorithm = /400 .*invalid algorithm \(alg\) header parameter: token signed with unexpected algorithm/;

function configure(title: string, body: object): Step {
  return { title, request: "POST auth/jwt/config", body, outcome: "ok" };
}

/** One step for each token, by the name of its gap or as it is. */
function logins(keys: string, tokens: Readonly<Record<string, RegExp | "ok">>): Step[] {
  return Object.entries(tokens).map(([jwt, says]) => ({
    title: `${keys}: ${jwt}`,
    request: "POST auth/jwt/login",
    as: "nobody",
    body: { role: "ci", jwt: /^jwt\w*$/.test(jwt) ? `{${jwt}}` : jwt },
    outcome: says === "ok" ? says : refused(says),
  }));
}

const remotely = {
  jwt: "ok",
  jwtEc: "ok",
  jwtEd: "ok",
  jwtWithoutKid: "ok",
  jwtWrongKid: unverified,
  jwtStranger: unverified,
  jwtStrangerKid: unverified,
  jwtAlgNone: malformed,
  jwtAlgHmac: malformed,
  jwtAlgAbsent: malformed,
  jwtAlgMixed: unverified,
  jwtPayloadList: broken,
  jwtPayloadText: broken,
  "x.y.z": broken,
} as const;

/** Where the keys come from, and which algorithms count. */
export const jwtLoginKeys = defineScenario({
  topic: "jwt-login-keys",
  before: [
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    {
      request: "POST auth/jwt/role/ci",
      body: { role_type: "jwt", user_claim: "sub", bound_audiences: ["trustplane"] },
    },
  ],
  steps: [
    configure("configure one public key", { jwt_validation_pubkeys: ["{publicKey}"], default_role: "CI" }),
    // @covers jwt: Global configuration > default_role
    // @covers jwt: Request of a login > role
    step("log in as the default role", "PUT auth/jwt/login", "ok", { as: "nobody", body: { jwt: "{jwt}" } }),
    // @covers jwt: Request of a login > role
    step("log in with a role in upper case and something unknown", "POST auth/jwt/login", "ok", {
      as: "stranger",
      body: { role: "CI", jwt: "{jwt}", odd: 1 },
    }),
    step("list logins", "LIST auth/jwt/login", "unasked", { as: "nobody" }),
    step("delete logins", "DELETE auth/jwt/login", refused(/405 unsupported operation/), { as: "nobody" }),
    step("log in by OPTIONS", "OPTIONS auth/jwt/login", "unasked", { as: "nobody" }),
    step("log in by PATCH", "PATCH auth/jwt/login", refused(/405 unsupported operation/), {
      as: "nobody",
      headers: { "content-type": "application/merge-patch+json" },
      body: { role: "ci", jwt: "{jwt}" },
    }),
    step("log in by a form", "POST auth/jwt/login", "ok", {
      as: "nobody",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "role=ci&jwt={jwt}",
    }),
    step("log in with a number as JWT", "POST auth/jwt/login", refused(/400 error validating token/), {
      as: "nobody",
      body: { role: "ci", jwt: 5 },
    }),
    step(
      "log in with a list as JWT",
      "POST auth/jwt/login",
      refused(/400 Field validation failed: error converting input .*for field "jwt"/),
      { as: "nobody", body: { role: "ci", jwt: ["{jwt}"] } },
    ),
    step("log in with a broken body", "POST auth/jwt/login", refused(/500 invalid character|400 error parsing JSON/), {
      as: "nobody",
      body: "{broken",
    }),
    ...logins("one public key", {
      jwtRsPs: "ok",
      jwtRsLong: "ok",
      jwtStranger: unsigned,
      jwtEc: unsigned,
      jwtEd: unsigned,
      jwtWrongKid: "ok",
      jwtAlgNone: unsigned,
      jwtAlgHmac: unsigned,
      jwtAlgAbsent: unsigned,
      jwtAlgMixed: unsigned,
      jwtCritical: unsigned,
      jwtPayloadList: unsigned,
      jwtPayloadText: unsigned,
      jwtPayloadNull: /400 .*invalid audience/,
      "": /400 missing token/,
      "a.b": broken,
      "a.b.c.d": broken,
      "ab$d.b.c": broken,
      "abcde.b.c": broken,
      "e30.b.c": broken,
      "W10.e30.YQ": broken,
      "eA.e30.YQ": broken,
      "..": broken,
    }),
    configure("configure three public keys", { jwt_validation_pubkeys: ["{strangerKey}", "{ecKey}", "{edKey}"] }),
    // @covers jwt: Authentication > callers of a login
    ...logins("three public keys", { jwt: unsigned, jwtEc: "ok", jwtEd: "ok", jwtStranger: "ok" }),
    configure("configure an algorithm", {
      jwt_validation_pubkeys: ["{publicKey}", "{ecKey}"],
      jwt_supported_algs: ["ES256", "RS512"],
    }),
    ...logins("two algorithms", { jwt: wrongAlgorithm, jwtEc: "ok", jwtRsLong: "ok", jwtStranger: unsigned }),
    configure("configure an issuer", { jwt_validation_pubkeys: ["{publicKey}"], bound_issuer: "{issuer}" }),
    // @covers jwt: Global configuration > bound_issuer
    ...logins("bound issuer", {
      jwt: "ok",
      jwtOtherIssuer: /400 error validating token: invalid issuer \(iss\) claim/,
      jwtNoIssuer: /400 error validating token: invalid issuer/,
    }),
    configure("configure a key set", { jwks_url: "{issuer}/jwks" }),
    // @covers jwt: Authentication > callers of a login
    ...logins("key set", remotely),
    configure("configure a key set without keys", { jwks_url: "{issuer}/no-keys" }),
    ...logins("no keys", { jwt: unverified }),
    configure("configure two key sets", {
      jwks_pairs: [
        { jwks_url: "{issuer}/no-keys", jwks_ca_pem: "" },
        { jwks_url: "{issuer}/jwks", jwks_ca_pem: "" },
      ],
    }),
    ...logins("two key sets", { jwt: "ok", jwtEc: "ok", jwtStranger: unverified, jwtStrangerKid: unverified }),
    configure("configure discovery", { oidc_discovery_url: "{issuer}" }),
    // @covers jwt: Authentication > callers of a login
    ...logins("discovery", remotely),
    configure("configure discovery and an algorithm", { oidc_discovery_url: "{issuer}", jwt_supported_algs: "ES256" }),
    ...logins("discovery and an algorithm", { jwt: wrongAlgorithm, jwtEc: "ok" }),
    step("let only another network log in", "POST auth/jwt/role/ci", "ok", {
      body: { role_type: "jwt", token_bound_cidrs: ["10.0.0.0/8", "::1/128", "/tmp/socket"] },
    }),
    // @covers jwt: Token fields of a role > token_bound_cidrs
    ...logins("from another network", { jwt: /403 permission denied/, x: /403 permission denied/ }),
  ],
});
