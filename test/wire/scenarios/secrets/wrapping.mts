import { defineScenario, refused, step } from "../../scenario.mts";

const wrapped = { "x-vault-wrap-ttl": "2m" };

/** Answers that are wrapped in a token of one use. */
export const wrapping = defineScenario({
  topic: "wrapping",
  servers: ["vault-1.21", "vault-1.19"],
  before: [
    { request: "POST sys/auth/approle", body: { type: "approle" } },
    { request: "POST auth/approle/role/ci", body: { role_id: "ci-role" } },
    { request: "POST auth/approle/role/bare", body: {} },
    { request: "POST auth/approle/role/ci/custom-secret-id", body: { secret_id: "usual" } },
    {
      request: "POST sys/policies/acl/reader",
      body: { policy: 'path "auth/approle/role/ci/role-id" { capabilities = ["read"] }' },
    },
    {
      request: "POST auth/token/create",
      body: { policies: ["reader"], no_default_policy: true },
      keep: { reader: "/auth/client_token" },
    },
    {
      request: "POST auth/token/create",
      body: { policies: ["default"] },
      keep: { plain: "/auth/client_token" },
    },
  ],
  steps: [
    step("have a secret ID wrapped", "POST auth/approle/role/ci/secret-id", "ok", {
      headers: wrapped,
      keep: { first: "/wrap_info/token" },
    }),
    step("look up what is wrapped", "POST sys/wrapping/lookup", "ok", { body: { token: "{first}" }, as: "nobody" }),
    step("unwrap it with its own token", "POST sys/wrapping/unwrap", "ok", { as: "first" }),
    step(
      "unwrap it once more",
      "POST sys/wrapping/unwrap",
      refused(/400 wrapping token is not valid or does not exist/),
      { as: "first" },
    ),
    step(
      "look up what was unwrapped",
      "POST sys/wrapping/lookup",
      refused(/400 wrapping token is not valid or does not exist/),
      { body: { token: "{first}" } },
    ),
    step("have a record wrapped", "GET auth/approle/role/ci/role-id", "document", {
      headers: wrapped,
      as: "reader",
      keep: { second: "/wrap_info/token" },
    }),
    step("use its token for something else", "GET auth/token/lookup-self", refused(/403/), { as: "second" }),
    step(
      "what it wrapped is gone",
      "POST sys/wrapping/unwrap",
      refused(/400 wrapping token is not valid or does not exist/),
      { body: {}, as: "second" },
    ),
    step("have another one wrapped", "GET auth/approle/role/ci/role-id", "document", {
      headers: wrapped,
      keep: { third: "/wrap_info/token" },
    }),
    step("unwrap it for its owner", "POST sys/wrapping/unwrap", "ok", { body: { token: "{third}" }, as: "plain" }),
    step(
      "unwrap it for its owner once more",
      "POST sys/wrapping/unwrap",
      refused(/400 wrapping token is not valid or does not exist/),
      { body: { token: "{third}" }, as: "plain" },
    ),
    step(
      "unwrap a token that wraps nothing",
      "POST sys/wrapping/unwrap",
      refused(/400 wrapping token is not valid or does not exist/),
      { body: { token: "{plain}" } },
    ),
    step(
      "unwrap an unknown token",
      "POST sys/wrapping/unwrap",
      refused(/400 wrapping token is not valid or does not exist/),
      { as: "stranger" },
    ),
    step("unwrap nothing", "POST sys/wrapping/unwrap", refused(/token is empty/), { as: "nobody" }),
    step("unwrap a number", "POST sys/wrapping/unwrap", refused(/could not decode token in request body/), {
      body: { token: 1 },
    }),
    step("unwrap an empty token", "POST sys/wrapping/unwrap", refused(/empty token in request body/), {
      body: { token: "" },
    }),
    step("have a login wrapped", "POST auth/approle/login", "ok", {
      body: { role_id: "ci-role", secret_id: "usual" },
      headers: wrapped,
      as: "nobody",
      keep: { login: "/wrap_info/token" },
    }),
    step("unwrap the login", "POST sys/wrapping/unwrap", "ok", { as: "login" }),
    step("have a text of one's own wrapped", "POST sys/wrapping/wrap", "ok", {
      body: { a: "b", c: 1 },
      headers: wrapped,
      keep: { own: "/wrap_info/token" },
    }),
    step("wrap it anew", "POST sys/wrapping/rewrap", "ok", {
      body: { token: "{own}" },
      keep: { anew: "/wrap_info/token" },
    }),
    step(
      "unwrap what was wrapped anew",
      "POST sys/wrapping/unwrap",
      refused(/400 wrapping token is not valid or does not exist/),
      { body: { token: "{own}" } },
    ),
    step("look up the new one", "POST sys/wrapping/lookup", "ok", { body: { token: "{anew}" } }),
    step("unwrap the new one", "POST sys/wrapping/unwrap", "ok", { as: "anew", body: {} }),
    step(
      "wrap without a time",
      "POST sys/wrapping/wrap",
      refused(/400 endpoint requires response wrapping to be used/),
      { body: { a: "b" } },
    ),
    step("have nothing wrapped", "POST auth/approle/role/ci", "ok", { body: {}, headers: wrapped }),
    step("have a record wrapped that is not there", "GET auth/approle/role/none", "absent", { headers: wrapped }),
    step("have a refusal wrapped", "POST auth/approle/role/none/secret-id", refused(/404 role "none" does not exist/), {
      headers: wrapped,
    }),
    step(
      "have an empty list wrapped",
      "GET auth/approle/role/bare/secret-id?list=true",
      refused(/404 unsupported path/),
      { headers: wrapped },
    ),
    step("have a list wrapped", "GET auth/approle/role?list=true", "document", {
      headers: wrapped,
      keep: { names: "/wrap_info/token" },
    }),
    step("unwrap the list", "POST sys/wrapping/unwrap", "ok", { as: "names" }),
    step(
      "a time that is none",
      "GET auth/approle/role/ci/role-id",
      refused(/400 error parsing X-Vault-Wrap-TTL header/),
      { headers: { "x-vault-wrap-ttl": "soon" } },
    ),
    step(
      "a time below nothing",
      "GET auth/approle/role/ci/role-id",
      refused(/400 error parsing X-Vault-Wrap-TTL header/),
      { headers: { "x-vault-wrap-ttl": "-1s" } },
    ),
    step(
      "no time at all",
      "GET auth/approle/role/ci/role-id",
      { found: { role_id: "ci-role" } },
      { headers: { "x-vault-wrap-ttl": "0" } },
    ),
  ],
});
