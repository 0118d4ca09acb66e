import { defineScenario, refused, step } from "../../scenario.mts";

/** Logging in: needs no token, and its errors are not wrapped. */
export const jwtLogin = defineScenario({
  topic: "jwt-login",
  before: [
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "POST sys/auth/empty", body: { type: "jwt" } },
    { request: "POST auth/jwt/config", body: { jwt_validation_pubkeys: ["{publicKey}"] } },
    {
      request: "POST auth/jwt/role/ci",
      body: {
        role_type: "jwt",
        user_claim: "sub",
        bound_audiences: ["trustplane"],
        token_policies: ["deploy"],
        token_ttl: "10m",
      },
    },
    {
      request: "POST auth/jwt/role/strict",
      body: {
        role_type: "jwt",
        user_claim: "sub",
        bound_audiences: ["trustplane"],
        bound_claims: { ref: "refs/heads/main" },
      },
    },
    { request: "POST auth/jwt/role/people", body: { user_claim: "sub", allowed_redirect_uris: ["http://localhost"] } },
  ],
  steps: [
    // @covers jwt: What the service does > login against a role
    // @covers jwt: Endpoints > POST auth/{mount}/login
    step("log in", "POST auth/jwt/login", "ok", { as: "nobody", body: { role: "ci", jwt: "{jwt}" } }),
    step(
      "log in before there is a configuration",
      "POST auth/empty/login",
      refused(/400 could not load configuration/),
      { as: "nobody", body: { role: "ci", jwt: "x" } },
    ),
    // @covers jwt: Request of a login > role
    step("log in without a role", "POST auth/jwt/login", refused(/400 missing role/), {
      as: "nobody",
      body: { jwt: "x" },
    }),
    // @covers jwt: Request of a login > role
    step("log in as an unknown role", "POST auth/jwt/login", refused(/400 role "none" could not be found/), {
      as: "nobody",
      body: { role: "none", jwt: "x" },
    }),
    // @covers jwt: What the service does > two role types
    step("log in as a role for people", "POST auth/jwt/login", refused(/400 role with oidc role_type is not allowed/), {
      as: "nobody",
      body: { role: "people", jwt: "x" },
    }),
    // @covers jwt: Request of a login > jwt
    step("log in without a JWT", "POST auth/jwt/login", refused(/400 missing token/), {
      as: "nobody",
      body: { role: "ci" },
    }),
    // @covers jwt: Request of a login > jwt
    step("log in with what is no JWT", "POST auth/jwt/login", refused(/400 error validating token/), {
      as: "nobody",
      body: { role: "ci", jwt: "x" },
    }),
    step(
      "log in without the claims",
      "POST auth/jwt/login",
      refused(/400 error validating claims: claim "ref" is missing/),
      { as: "nobody", body: { role: "strict", jwt: "{jwt}" } },
    ),
    step(
      "log in with a claim that is a list",
      "POST auth/jwt/login",
      refused(/400 .*error converting input .*for field "role"/),
      { as: "nobody", body: { role: ["ci"], jwt: "x" } },
    ),
    step("log in by GET", "GET auth/jwt/login", refused(/405 unsupported operation/), { as: "nobody" }),
    step("log in where nothing is mounted", "POST auth/none/login", refused(/403 permission denied|404/), {
      as: "nobody",
      body: { role: "ci", jwt: "x" },
    }),
    // @covers jwt: Endpoints > POST auth/{mount}/oidc/auth_url
    step(
      "the address to log in at, without a provider",
      "POST auth/jwt/oidc/auth_url",
      refused(/400 OIDC login is not configured for this mount/),
      { as: "nobody", body: { role: "people", redirect_uri: "http://localhost" } },
    ),
    step(
      "the address to log in at, before there is a configuration",
      "POST auth/empty/oidc/auth_url",
      refused(/400 could not load configuration/),
      { as: "nobody", body: { role: "people", redirect_uri: "http://localhost" } },
    ),
    step("configure a provider", "POST auth/jwt/config", "ok", {
      body: { oidc_discovery_url: "{issuer}", oidc_client_id: "client", oidc_client_secret: "never-shown" },
    }),
    // @covers jwt: Request of an authorization URL > role
    step(
      "the address for an unknown role",
      "POST auth/jwt/oidc/auth_url",
      refused(/400 role "none" could not be found/),
      { as: "nobody", body: { role: "none", redirect_uri: "http://localhost" } },
    ),
    // @covers jwt: Request of an authorization URL > redirect_uri
    step("the address without a redirect URI", "POST auth/jwt/oidc/auth_url", refused(/400 missing redirect_uri/), {
      as: "nobody",
      body: { role: "people" },
    }),
    // @covers jwt: Endpoints > POST auth/{mount}/oidc/auth_url
    // @covers beyond: Answer of an authorization URL > auth_url
    step("the address with a redirect URI that is not allowed", "POST auth/jwt/oidc/auth_url", "ok", {
      as: "nobody",
      body: { role: "people", redirect_uri: "http://elsewhere" },
    }),
    // @covers jwt: Request of a callback > state
    step(
      "come back with an unknown state",
      "GET auth/jwt/oidc/callback?state=x&code=y",
      refused(/400 Vault login failed\. Expired or missing OAuth state/),
      { as: "nobody" },
    ),
    step(
      "come back by POST where the mode is another",
      "POST auth/jwt/oidc/callback",
      refused(/^405 \(POST auth\/jwt\/oidc\/callback\)/),
      { as: "nobody", body: { state: "x", code: "y" } },
    ),
    step(
      "log in with a JWT where people log in",
      "POST auth/jwt/login",
      refused(/400 error configuring token validator: unsupported config type/),
      { as: "nobody", body: { role: "ci", jwt: "{jwt}" } },
    ),
  ],
});
