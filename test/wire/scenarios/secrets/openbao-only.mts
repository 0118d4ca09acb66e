import { defineScenario, refused } from "../../scenario.mts";

const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["trustplane"] };
const nowhere = "http://127.0.0.1:1";

/** What OpenBao alone has, of the JWT method and of the cloud engine. */
export const openBaoOnly = defineScenario({
  topic: "openbao-only",
  service: "secrets",
  servers: ["openbao"],
  before: [
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "POST sys/mounts/cloud", body: { type: "aws" } },
  ],
  steps: [
    {
      title: "keys that cannot be had",
      request: "POST auth/jwt/config",
      body: { jwks_url: `${nowhere}/jwks` },
      outcome: refused(/400 error checking jwks URL/),
    },
    {
      title: "keys that nobody looks for",
      request: "POST auth/jwt/config",
      body: { jwks_url: `${nowhere}/jwks`, skip_jwks_validation: true },
      outcome: "ok",
    },
    { title: "read keys that nobody looked for", request: "GET auth/jwt/config", outcome: "ok" },
    {
      title: "an issuer that nobody looks for",
      request: "POST auth/jwt/config",
      body: { oidc_discovery_url: nowhere, skip_jwks_validation: true },
      outcome: "ok",
    },
    { title: "read an issuer that nobody looked for", request: "GET auth/jwt/config", outcome: "ok" },
    {
      title: "names of servers",
      request: "POST auth/jwt/config",
      body: { jwt_validation_pubkeys: ["{publicKey}"], override_allowed_server_names: "a, b" },
      outcome: "ok",
    },
    { title: "read names of servers", request: "GET auth/jwt/config", outcome: "ok" },
    {
      title: "a mode that is none",
      request: "POST auth/jwt/role/bao",
      body: { ...role, callback_mode: "zzz" },
      outcome: refused(/400 invalid 'callback_mode': zzz/),
    },
    {
      title: "a mode that is nothing",
      request: "POST auth/jwt/role/bao",
      body: { ...role, callback_mode: null },
      outcome: refused(/400 invalid 'callback_mode':/),
    },
    {
      title: "two bindings to addresses",
      request: "POST auth/jwt/role/bao",
      body: { ...role, token_strictly_bind_ip: true, token_bound_cidrs: ["10.0.0.0/8"] },
      outcome: refused(/400 'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'/),
    },
    {
      title: "everything of a role",
      request: "POST auth/jwt/role/bao",
      body: {
        ...role,
        callback_mode: "device",
        poll_interval: 7,
        oauth2_metadata: ["id_token"],
        token_policies_template_claims: true,
        token_strictly_bind_ip: true,
        oidc_disable_confirmation: true,
      },
      outcome: "ok",
    },
    { title: "read everything of a role", request: "GET auth/jwt/role/bao", outcome: "ok" },
    {
      title: "log in with everything",
      request: "POST auth/jwt/login",
      body: { role: "bao", jwt: "{jwt}" },
      outcome: "ok",
    },
    {
      title: "nothing of it again",
      request: "POST auth/jwt/role/bao",
      body: {
        ...role,
        callback_mode: "client",
        poll_interval: 0,
        oauth2_metadata: [],
        token_policies_template_claims: false,
        token_strictly_bind_ip: false,
        oidc_disable_confirmation: null,
      },
      outcome: "ok",
    },
    { title: "read nothing of it", request: "GET auth/jwt/role/bao", outcome: "ok" },
    {
      title: "a root configuration",
      request: "POST cloud/config/root",
      body: { access_key: "AKIAONE", secret_key: "one", region: "eu-west-1", sts_region: "eu-west-1" },
      outcome: "ok",
    },
    {
      title: "another region and nothing else",
      request: "POST cloud/config/root",
      body: { region: "eu-west-2" },
      outcome: "ok",
    },
    { title: "read what was replaced", request: "GET cloud/config/root", outcome: "ok" },
    {
      title: "a namespace in the path",
      request: "GET team/sys/mounts",
      outcome: refused(/404 no handler for route/),
    },
    { title: "outside of the API", request: "GET /elsewhere", outcome: "unasked" },
  ],
});
