import { defineScenario, refused } from "../../scenario.mts";

/** Logging in: needs no token, and its errors are not wrapped. */
export const jwtLogin = defineScenario({
  topic: "jwt-login",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
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
    {
      title: "log in",
      request: "POST auth/jwt/login",
      as: "nobody",
      body: { role: "ci", jwt: "{jwt}" },
      outcome: "ok",
    },
    {
      title: "log in before there is a configuration",
      request: "POST auth/empty/login",
      as: "nobody",
      body: { role: "ci", jwt: "x" },
      outcome: refused(/400 could not load configuration/),
    },
    // @covers jwt: Request of a login > role
    {
      title: "log in without a role",
      request: "POST auth/jwt/login",
      as: "nobody",
      body: { jwt: "x" },
      outcome: refused(/400 missing role/),
    },
    // @covers jwt: Request of a login > role
    {
      title: "log in as an unknown role",
      request: "POST auth/jwt/login",
      as: "nobody",
      body: { role: "none", jwt: "x" },
      outcome: refused(/400 role "none" could not be found/),
    },
    // @covers jwt: What the service does > two role types
    {
      title: "log in as a role for people",
      request: "POST auth/jwt/login",
      as: "nobody",
      body: { role: "people", jwt: "x" },
      outcome: refused(/400 role with oidc role_type is not allowed/),
    },
    // @covers jwt: Request of a login > jwt
    {
      title: "log in without a JWT",
      request: "POST auth/jwt/login",
      as: "nobody",
      body: { role: "ci" },
      outcome: refused(/400 missing token/),
    },
    // @covers jwt: Request of a login > jwt
    {
      title: "log in with what is no JWT",
      request: "POST auth/jwt/login",
      as: "nobody",
      body: { role: "ci", jwt: "x" },
      outcome: refused(/400 error validating token/),
    },
    {
      title: "log in without the claims",
      request: "POST auth/jwt/login",
      as: "nobody",
      body: { role: "strict", jwt: "{jwt}" },
      outcome: refused(/400 error validating claims: claim "ref" is missing/),
    },
    {
      title: "log in with a claim that is a list",
      request: "POST auth/jwt/login",
      as: "nobody",
      body: { role: ["ci"], jwt: "x" },
      outcome: refused(/400 .*error converting input .*for field "role"/),
    },
    {
      title: "log in by GET",
      request: "GET auth/jwt/login",
      as: "nobody",
      outcome: refused(/405 unsupported operation/),
    },
    {
      title: "log in where nothing is mounted",
      request: "POST auth/none/login",
      as: "nobody",
      body: { role: "ci", jwt: "x" },
      outcome: refused(/403 permission denied|404/),
    },
    // @covers jwt: Endpoints > POST auth/{mount}/oidc/auth_url
    {
      title: "the address to log in at, without a provider",
      request: "POST auth/jwt/oidc/auth_url",
      as: "nobody",
      body: { role: "people", redirect_uri: "http://localhost" },
      outcome: refused(/400 OIDC login is not configured for this mount/),
    },
    {
      title: "the address to log in at, before there is a configuration",
      request: "POST auth/empty/oidc/auth_url",
      as: "nobody",
      body: { role: "people", redirect_uri: "http://localhost" },
      outcome: refused(/400 could not load configuration/),
    },
    {
      title: "configure a provider",
      request: "POST auth/jwt/config",
      body: { oidc_discovery_url: "{issuer}", oidc_client_id: "client", oidc_client_secret: "never-shown" },
      outcome: "ok",
    },
    // @covers jwt: Request of an authorization URL > role
    {
      title: "the address for an unknown role",
      request: "POST auth/jwt/oidc/auth_url",
      as: "nobody",
      body: { role: "none", redirect_uri: "http://localhost" },
      outcome: refused(/400 role "none" could not be found/),
    },
    // @covers jwt: Request of an authorization URL > redirect_uri
    {
      title: "the address without a redirect URI",
      request: "POST auth/jwt/oidc/auth_url",
      as: "nobody",
      body: { role: "people" },
      outcome: refused(/400 missing redirect_uri/),
    },
    // @covers jwt: Endpoints > POST auth/{mount}/oidc/auth_url
    // @covers beyond: Answer of an authorization URL > auth_url
    {
      title: "the address with a redirect URI that is not allowed",
      request: "POST auth/jwt/oidc/auth_url",
      as: "nobody",
      body: { role: "people", redirect_uri: "http://elsewhere" },
      outcome: "ok",
    },
    // @covers jwt: Request of a callback > state
    {
      title: "come back with an unknown state",
      request: "GET auth/jwt/oidc/callback?state=x&code=y",
      as: "nobody",
      outcome: refused(/400 Vault login failed\. Expired or missing OAuth state/),
    },
    {
      title: "come back by POST where the mode is another",
      request: "POST auth/jwt/oidc/callback",
      as: "nobody",
      body: { state: "x", code: "y" },
      outcome: refused(/^405 \(POST auth\/jwt\/oidc\/callback\)/),
    },
    {
      title: "log in with a JWT where people log in",
      request: "POST auth/jwt/login",
      as: "nobody",
      body: { role: "ci", jwt: "{jwt}" },
      outcome: refused(/400 error configuring token validator: unsupported config type/),
    },
  ],
});
