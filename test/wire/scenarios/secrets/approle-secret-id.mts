import { defineScenario, refused, step } from "../../scenario.mts";

/** Secret IDs of AppRole: issue, look up, end. */
export const approleSecretId = defineScenario({
  topic: "approle-secret-id",
  servers: ["vault-1.21", "vault-1.19"],
  before: [
    { request: "POST sys/auth/approle", body: { type: "approle" } },
    { request: "POST auth/approle/role/ci", body: {} },
    {
      request: "POST auth/approle/role/limited",
      body: {
        secret_id_num_uses: 3,
        secret_id_ttl: "1h",
        secret_id_bound_cidrs: "10.0.0.0/8,192.0.2.1/32",
        token_bound_cidrs: ["10.0.0.0/8"],
      },
    },
    { request: "POST auth/approle/role/open", body: { bind_secret_id: false, token_bound_cidrs: "127.0.0.0/8" } },
  ],
  steps: [
    step("list when there is none", "GET auth/approle/role/ci/secret-id?list=true", "absent"),
    step("issue", "POST auth/approle/role/ci/secret-id", "ok", {
      keep: { first: "/data/secret_id", firstAccessor: "/data/secret_id_accessor" },
    }),
    step("issue with everything", "POST auth/approle/role/limited/secret-id", "ok", {
      body: {
        metadata: '{"team":"platform"}',
        cidr_list: ["10.1.0.0/16"],
        token_bound_cidrs: ["10.2.0.0/16"],
        num_uses: 2,
        ttl: "10m",
      },
      keep: { second: "/data/secret_id", secondAccessor: "/data/secret_id_accessor" },
    }),
    step("issue with what the role says", "POST auth/approle/role/limited/secret-id", "ok"),
    step("list the accessors", "GET auth/approle/role/ci/secret-id?list=true", "ok"),
    step("look one up", "POST auth/approle/role/ci/secret-id/lookup", "ok", { body: { secret_id: "{first}" } }),
    step("look one up by its accessor", "POST auth/approle/role/limited/secret-id-accessor/lookup", "ok", {
      body: { secret_id_accessor: "{secondAccessor}" },
    }),
    step("look up an unknown one", "POST auth/approle/role/ci/secret-id/lookup", "ok", {
      body: { secret_id: "unknown" },
    }),
    step(
      "look up an unknown accessor",
      "POST auth/approle/role/ci/secret-id-accessor/lookup",
      refused(/^404 \(POST /),
      { body: { secret_id_accessor: "unknown" } },
    ),
    step("look up the accessor of another role's", "POST auth/approle/role/ci/secret-id-accessor/lookup", "ok", {
      body: { secret_id_accessor: "{secondAccessor}" },
    }),
    step("look up nothing", "POST auth/approle/role/ci/secret-id/lookup", refused(/400 missing secret_id/), {
      body: {},
    }),
    step(
      "look up no accessor",
      "POST auth/approle/role/ci/secret-id-accessor/lookup",
      refused(/400 missing secret_id_accessor/),
      { body: {} },
    ),
    step(
      "look up one of no role",
      "POST auth/approle/role/none/secret-id/lookup",
      refused(/500 role "none" does not exist/),
      { body: { secret_id: "x" } },
    ),
    step(
      "look up an accessor of no role",
      "POST auth/approle/role/none/secret-id-accessor/lookup",
      refused(/500 role "none" does not exist/),
      { body: { secret_id_accessor: "x" } },
    ),
    step("issue one of one's own", "POST auth/approle/role/ci/custom-secret-id", "ok", {
      body: { secret_id: "chosen-by-the-operator" },
    }),
    step(
      "issue the same once more",
      "POST auth/approle/role/ci/custom-secret-id",
      refused(/500 failed to store secret_id: SecretID is already registered/),
      { body: { secret_id: "chosen-by-the-operator" } },
    ),
    step(
      "issue one of one's own that is empty",
      "POST auth/approle/role/ci/custom-secret-id",
      refused(/400 missing secret_id/),
      { body: {} },
    ),
    step("issue for no role", "POST auth/approle/role/none/secret-id", refused(/role "none" does not exist/)),
    step(
      "list those of no role",
      "GET auth/approle/role/none/secret-id?list=true",
      refused(/400 role "none" does not exist/),
    ),
    step(
      "issue where the role asks for none",
      "POST auth/approle/role/open/secret-id",
      refused(/400 bind_secret_id is not set on the role/),
    ),
    step(
      "more uses than the role allows",
      "POST auth/approle/role/limited/secret-id",
      refused(/400 num_uses cannot be higher than the role's secret_id_num_uses/),
      { body: { num_uses: 4 } },
    ),
    step(
      "unlimited uses where the role limits them",
      "POST auth/approle/role/limited/secret-id",
      refused(/400 num_uses cannot be higher/),
      { body: { num_uses: 0 } },
    ),
    step(
      "a negative number of uses",
      "POST auth/approle/role/ci/secret-id",
      refused(/400 num_uses cannot be negative/),
      { body: { num_uses: -1 } },
    ),
    step(
      "longer than the role allows",
      "POST auth/approle/role/limited/secret-id",
      refused(/400 ttl cannot be longer than the role's secret_id_ttl/),
      { body: { ttl: "2h" } },
    ),
    step(
      "addresses that are no networks",
      "POST auth/approle/role/ci/secret-id",
      refused(/500 failed to validate CIDR blocks/),
      { body: { cidr_list: ["nonsense"] } },
    ),
    step(
      "token addresses that are no networks",
      "POST auth/approle/role/ci/secret-id",
      refused(/500 failed to validate token CIDR blocks/),
      { body: { token_bound_cidrs: ["nonsense"] } },
    ),
    step(
      "addresses beyond the role's",
      "POST auth/approle/role/limited/secret-id",
      refused(/500 failed to verify subset relationship/),
      { body: { cidr_list: ["172.16.0.0/12"] } },
    ),
    step(
      "token addresses beyond the role's",
      "POST auth/approle/role/limited/secret-id",
      refused(/500 failed to verify subset relationship/),
      { body: { token_bound_cidrs: ["172.16.0.0/12"] } },
    ),
    step("metadata as pairs", "POST auth/approle/role/ci/custom-secret-id", "ok", {
      body: { secret_id: "with-pairs", metadata: "team=platform,stage=test" },
    }),
    step("what the pairs say", "POST auth/approle/role/ci/secret-id/lookup", "ok", {
      body: { secret_id: "with-pairs" },
    }),
    step("metadata that is neither", "POST auth/approle/role/ci/secret-id", refused(/400 failed to parse metadata/), {
      body: { metadata: "platform" },
    }),
    step("end one", "POST auth/approle/role/ci/secret-id/destroy", "ok", { body: { secret_id: "{first}" } }),
    step("look up the ended one", "POST auth/approle/role/ci/secret-id/lookup", "ok", {
      body: { secret_id: "{first}" },
    }),
    step(
      "look up the accessor of the ended one",
      "POST auth/approle/role/ci/secret-id-accessor/lookup",
      refused(/^404 \(POST /),
      { body: { secret_id_accessor: "{firstAccessor}" } },
    ),
    step("end it once more", "POST auth/approle/role/ci/secret-id/destroy", "ok", { body: { secret_id: "{first}" } }),
    step("end one by its accessor", "POST auth/approle/role/limited/secret-id-accessor/destroy", "ok", {
      body: { secret_id_accessor: "{secondAccessor}" },
    }),
    step(
      "end one by an unknown accessor",
      "POST auth/approle/role/limited/secret-id-accessor/destroy",
      refused(/500 failed to find accessor entry for secret_id_accessor/),
      { body: { secret_id_accessor: "{secondAccessor}" } },
    ),
  ],
});
