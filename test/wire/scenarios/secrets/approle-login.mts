import { defineScenario, refused, step } from "../../scenario.mts";

/** Logging in with a role ID and a secret ID. */
export const approleLogin = defineScenario({
  topic: "approle-login",
  servers: ["vault-1.21", "vault-1.19"],
  before: [
    { request: "POST sys/auth/approle", body: { type: "approle" } },
    {
      request: "POST auth/approle/role/ci",
      body: { role_id: "ci-role", token_policies: ["deploy"], token_ttl: "10m", token_max_ttl: "1h" },
    },
    {
      request: "POST auth/approle/role/ci/custom-secret-id",
      body: { secret_id: "usual", metadata: '{"team":"platform"}' },
    },
    { request: "POST auth/approle/role/ci/custom-secret-id", body: { secret_id: "once", num_uses: 1 } },
    {
      request: "POST auth/approle/role/ci/custom-secret-id",
      body: { secret_id: "elsewhere", cidr_list: "192.0.2.0/24" },
    },
    {
      request: "POST auth/approle/role/ci/custom-secret-id",
      body: { secret_id: "elsewhere-twice", cidr_list: "192.0.2.0/24", num_uses: 2 },
    },
    {
      request: "POST auth/approle/role/ci/custom-secret-id",
      body: { secret_id: "bound", token_bound_cidrs: "127.0.0.0/8" },
    },
    {
      request: "POST auth/approle/role/far",
      body: { role_id: "far-role", bind_secret_id: false, secret_id_bound_cidrs: "192.0.2.0/24" },
    },
    {
      request: "POST auth/approle/role/open",
      body: { role_id: "open-role", bind_secret_id: false, token_bound_cidrs: "127.0.0.0/8", token_type: "batch" },
    },
  ],
  steps: [
    step("log in", "POST auth/approle/login", "ok", {
      as: "nobody",
      body: { role_id: "ci-role", secret_id: "usual" },
      keep: { job: "/auth/client_token" },
    }),
    step("the token of the login", "GET auth/token/lookup-self", "ok", { as: "job" }),
    step("renew it", "POST auth/token/renew-self", "ok", { as: "job", body: {} }),
    step("log in with blanks around both", "POST auth/approle/login", "ok", {
      as: "nobody",
      body: { role_id: " ci-role\n", secret_id: "usual\n" },
    }),
    step("log in with a secret ID of one use", "POST auth/approle/login", "ok", {
      as: "nobody",
      body: { role_id: "ci-role", secret_id: "once" },
    }),
    step("log in with it once more", "POST auth/approle/login", refused(/400 invalid role or secret ID/), {
      as: "nobody",
      body: { role_id: "ci-role", secret_id: "once" },
    }),
    step("log in with an unknown secret ID", "POST auth/approle/login", refused(/400 invalid role or secret ID/), {
      as: "nobody",
      body: { role_id: "ci-role", secret_id: "unknown" },
    }),
    step("log in without a secret ID", "POST auth/approle/login", refused(/400 missing secret_id/), {
      as: "nobody",
      body: { role_id: "ci-role" },
    }),
    step("log in as an unknown role", "POST auth/approle/login", refused(/400 invalid role or secret ID/), {
      as: "nobody",
      body: { role_id: "none", secret_id: "usual" },
    }),
    step(
      "log in as no role",
      "POST auth/approle/login",
      refused(/500 failed to determine alias name from login request/),
      { as: "nobody", body: { secret_id: "usual" } },
    ),
    step(
      "log in from an address that the secret ID does not allow",
      "POST auth/approle/login",
      refused(/400 source address/),
      { as: "nobody", body: { role_id: "ci-role", secret_id: "elsewhere" } },
    ),
    step("log in from there with a number of uses", "POST auth/approle/login", refused(/400 source address/), {
      as: "nobody",
      body: { role_id: "ci-role", secret_id: "elsewhere-twice" },
    }),
    step(
      "log in from an address that the role does not allow",
      "POST auth/approle/login",
      refused(/400 source address/),
      { as: "nobody", body: { role_id: "far-role" } },
    ),
    step("log in with a secret ID that binds its tokens", "POST auth/approle/login", "ok", {
      as: "nobody",
      body: { role_id: "ci-role", secret_id: "bound" },
      keep: { local: "/auth/client_token" },
    }),
    step("what its token is bound to", "GET auth/token/lookup-self", "ok", { as: "local" }),
    step("log in without a secret ID where the role asks for none", "POST auth/approle/login", "ok", {
      as: "nobody",
      body: { role_id: "open-role" },
    }),
    step("log in by GET", "GET auth/approle/login", refused(/500 failed to determine alias name/), { as: "nobody" }),
    step("delete the role", "DELETE auth/approle/role/ci", "ok"),
    step("log in as a role that is gone", "POST auth/approle/login", refused(/400 invalid role or secret ID/), {
      as: "nobody",
      body: { role_id: "ci-role", secret_id: "usual" },
    }),
    step(
      "renew the token of a role that is gone",
      "POST auth/token/renew-self",
      refused(/role "?ci"? does not exist during renewal/),
      { as: "job", body: {} },
    ),
  ],
});
