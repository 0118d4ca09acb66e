import { defineScenario, refused, step } from "../../scenario.mts";

/** Roles of AppRole: their fields, the checks of a write, and their role IDs. */
export const approleRole = defineScenario({
  topic: "approle-role",
  servers: ["vault-1.21", "vault-1.19"],
  before: [{ request: "POST sys/auth/approle", body: { type: "approle" } }],
  steps: [
    step("list when there is none", "GET auth/approle/role?list=true", "absent"),
    step("read what is not there", "GET auth/approle/role/none", "absent"),
    step("delete what is not there", "DELETE auth/approle/role/none", "ok"),
    step("create with nothing", "POST auth/approle/role/plain", "ok", { body: {} }),
    step("read what has nothing", "GET auth/approle/role/plain", "ok"),
    step("create with everything", "POST auth/approle/role/full", "ok", {
      body: {
        bind_secret_id: true,
        secret_id_bound_cidrs: ["10.0.0.0/8", "127.0.0.1/32"],
        secret_id_num_uses: 5,
        secret_id_ttl: "1h",
        role_id: "full-role-id",
        local_secret_ids: true,
        token_bound_cidrs: ["10.0.0.0/8", "127.0.0.1"],
        token_explicit_max_ttl: "3h",
        token_max_ttl: "2h",
        token_no_default_policy: true,
        token_num_uses: 7,
        token_period: "30m",
        token_policies: ["b", "a"],
        token_ttl: "1h",
        token_type: "service",
      },
    }),
    step("read what has everything", "GET auth/approle/role/full", "ok"),
    step("change one field", "POST auth/approle/role/full", "ok", { body: { secret_id_num_uses: 6 } }),
    step("the others stay", "GET auth/approle/role/full", "ok"),
    step(
      "change where the secret IDs are kept",
      "POST auth/approle/role/full",
      refused(/400 local_secret_ids can only be modified during role creation/),
      { body: { local_secret_ids: false } },
    ),
    step("create with the old names", "POST auth/approle/role/old", "ok", {
      body: { policies: "B, a", period: "10m", bound_cidr_list: "10.0.0.0/8" },
    }),
    step("read the old names", "GET auth/approle/role/old", "ok"),
    step("the new name of one of them", "POST auth/approle/role/old", "ok", { body: { token_policies: ["c"] } }),
    step("clears the old one", "GET auth/approle/role/old", "ok"),
    step("create a name in capitals", "POST auth/approle/role/LOUD", "ok", { body: { token_policies: ["a"] } }),
    step("read it in small letters", "GET auth/approle/role/loud", "ok"),
    step("list", "GET auth/approle/role?list=true", "ok"),
    step(
      "create without any constraint",
      "POST auth/approle/role/open",
      refused(/500 at least one constraint should be enabled on the role/),
      { body: { bind_secret_id: false } },
    ),
    step("create bound to addresses alone", "POST auth/approle/role/bound", "ok", {
      body: { bind_secret_id: false, secret_id_bound_cidrs: "127.0.0.0/8" },
    }),
    step("addresses that are no networks", "POST auth/approle/role/plain", refused(/CIDR/), {
      body: { secret_id_bound_cidrs: ["10.0.0.1", "nonsense"] },
    }),
    step("token addresses that are none", "POST auth/approle/role/plain", refused(/400 error parsing address/), {
      body: { token_bound_cidrs: ["nonsense"] },
    }),
    step(
      "a negative number of uses",
      "POST auth/approle/role/plain",
      refused(/400 secret_id_num_uses cannot be negative/),
      { body: { secret_id_num_uses: -1 } },
    ),
    step("a lifetime of secret IDs that is none", "POST auth/approle/role/plain", refused(/400 .*secret_id_ttl/), {
      body: { secret_id_ttl: "soon" },
    }),
    step(
      "a type of tokens that there is not",
      "POST auth/approle/role/plain",
      refused(/400 invalid 'token_type' value "paper"/),
      { body: { token_type: "paper" } },
    ),
    step("a type of tokens for mounts", "POST auth/approle/role/plain", "ok", {
      body: { token_type: "default-service" },
    }),
    step(
      "batch tokens with a number of uses",
      "POST auth/approle/role/plain",
      refused(/400 'token_type' cannot be 'batch'/),
      { body: { token_type: "batch", token_num_uses: 2 } },
    ),
    step(
      "a lifetime of tokens beyond their longest",
      "POST auth/approle/role/plain",
      refused(/400 'token_ttl' cannot be greater than 'token_max_ttl'/),
      { body: { token_ttl: "2h", token_max_ttl: "1h" } },
    ),
    step("a longest lifetime beyond that of the mount", "POST auth/approle/role/plain", "ok", {
      body: { token_max_ttl: "9999h" },
    }),
    step(
      "a period beyond the longest of the mount",
      "POST auth/approle/role/plain",
      refused(/400 period of "9999h0m0s" is greater/),
      { body: { period: "9999h" } },
    ),
    step("a parameter that there is not", "POST auth/approle/role/plain", "ok", { body: { nonsense: true } }),
    step("nothing refused was kept", "GET auth/approle/role/plain", "ok"),
    step("the role ID", "GET auth/approle/role/plain/role-id", "ok"),
    step("another role ID", "POST auth/approle/role/plain/role-id", "ok", { body: { role_id: "plain-role-id" } }),
    step("the other role ID", "GET auth/approle/role/plain/role-id", "ok"),
    step("the role ID of another role", "POST auth/approle/role/plain/role-id", refused(/500 role_id already in use/), {
      body: { role_id: "full-role-id" },
    }),
    step(
      "create with the role ID of another role",
      "POST auth/approle/role/copy",
      refused(/500 role_id already in use/),
      { body: { role_id: "full-role-id" } },
    ),
    step("no role ID at all", "POST auth/approle/role/plain/role-id", refused(/400 missing role_id/), { body: {} }),
    step("create with an empty role ID", "POST auth/approle/role/empty", refused(/400 invalid role_id supplied/), {
      body: { role_id: "" },
    }),
    step("the role ID of no role", "GET auth/approle/role/none/role-id", "absent"),
    step("a role ID for no role", "POST auth/approle/role/none/role-id", refused(/40[45]/), { body: { role_id: "x" } }),
    step("delete", "DELETE auth/approle/role/full", "ok"),
    step("read after the deletion", "GET auth/approle/role/full", "absent"),
  ],
});
