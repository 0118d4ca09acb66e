import { defineScenario, refused, step } from "../../scenario.mts";

const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["trustplane"] };
const nowhere = "http://127.0.0.1:1";

/** What OpenBao alone has, of the JWT method and of the cloud engine. */
export const openBaoOnly = defineScenario({
  topic: "openbao-only",
  servers: ["openbao"],
  before: [
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "POST sys/mounts/cloud", body: { type: "aws" } },
  ],
  steps: [
    step("keys that cannot be had", "POST auth/jwt/config", refused(/400 error checking jwks URL/), {
      body: { jwks_url: `${nowhere}/jwks` },
    }),
    step("keys that nobody looks for", "POST auth/jwt/config", "ok", {
      body: { jwks_url: `${nowhere}/jwks`, skip_jwks_validation: true },
    }),
    step("read keys that nobody looked for", "GET auth/jwt/config", "ok"),
    step("an issuer that nobody looks for", "POST auth/jwt/config", "ok", {
      body: { oidc_discovery_url: nowhere, skip_jwks_validation: true },
    }),
    step("read an issuer that nobody looked for", "GET auth/jwt/config", "ok"),
    step("names of servers", "POST auth/jwt/config", "ok", {
      body: { jwt_validation_pubkeys: ["{publicKey}"], override_allowed_server_names: "a, b" },
    }),
    step("read names of servers", "GET auth/jwt/config", "ok"),
    step("a mode that is none", "POST auth/jwt/role/bao", refused(/400 invalid 'callback_mode': zzz/), {
      body: { ...role, callback_mode: "zzz" },
    }),
    step("a mode that is nothing", "POST auth/jwt/role/bao", refused(/400 invalid 'callback_mode':/), {
      body: { ...role, callback_mode: null },
    }),
    step(
      "two bindings to addresses",
      "POST auth/jwt/role/bao",
      refused(/400 'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'/),
      { body: { ...role, token_strictly_bind_ip: true, token_bound_cidrs: ["10.0.0.0/8"] } },
    ),
    step("everything of a role", "POST auth/jwt/role/bao", "ok", {
      body: {
        ...role,
        callback_mode: "device",
        poll_interval: 7,
        oauth2_metadata: ["id_token"],
        token_policies_template_claims: true,
        token_strictly_bind_ip: true,
        oidc_disable_confirmation: true,
      },
    }),
    step("read everything of a role", "GET auth/jwt/role/bao", "ok"),
    step("log in with everything", "POST auth/jwt/login", "ok", { body: { role: "bao", jwt: "{jwt}" } }),
    step("nothing of it again", "POST auth/jwt/role/bao", "ok", {
      body: {
        ...role,
        callback_mode: "client",
        poll_interval: 0,
        oauth2_metadata: [],
        token_policies_template_claims: false,
        token_strictly_bind_ip: false,
        oidc_disable_confirmation: null,
      },
    }),
    step("read nothing of it", "GET auth/jwt/role/bao", "ok"),
    step("a root configuration", "POST cloud/config/root", "ok", {
      body: { access_key: "AKIAONE", secret_key: "one", region: "eu-west-1", sts_region: "eu-west-1" },
    }),
    step("another region and nothing else", "POST cloud/config/root", "ok", { body: { region: "eu-west-2" } }),
    step("read what was replaced", "GET cloud/config/root", "ok"),
    step("a namespace in the path", "GET team/sys/mounts", refused(/404 no handler for route/)),
    step("outside of the API", "GET /elsewhere", "unasked"),
  ],
});
