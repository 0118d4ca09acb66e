import { defineScenario, refused, step } from "../../scenario.mts";

const policy = [
  'path "auth/jwt/role/*" { capabilities = ["read", "list"] }',
  'path "auth/jwt/role/new" { capabilities = ["create"] }',
  'path "auth/gone/*" { capabilities = ["read", "delete"] }',
  'path "sys/mounts" { capabilities = ["read"] }',
].join("\n");

/** Where a mount was asked for by itself. */
const asked = ["vault-1.21"] as const;

/** Who may do what: policies, tokens, and the refusals that a client meets. */
export const tokensAndPolicies = defineScenario({
  topic: "tokens-and-policies",
  before: [{ request: "POST sys/auth/jwt", body: { type: "jwt" } }],
  steps: [
    step("write a policy", "POST sys/policies/acl/reader", "ok", { body: { policy } }),
    step("read a policy", "GET sys/policies/acl/reader", "ok"),
    step("read a policy that is not there", "GET sys/policies/acl/none", "absent"),
    step("list policies", "GET sys/policies/acl?list=true", { found: { keys: ["default", "reader", "root"] } }),
    step("write a policy without text", "POST sys/policies/acl/empty", refused(/400 .*policy/), { body: {} }),
    step(
      "write a policy with an unknown capability",
      "POST sys/policies/acl/bad",
      refused(/400 .*invalid capability/),
      { body: { policy: 'path "a" { capabilities = ["fly"] }' } },
    ),
    step("create a token", "POST auth/token/create", "ok", {
      body: { policies: ["reader"], ttl: "1h" },
      keep: { limited: "/auth/client_token" },
    }),
    step("look up the root token", "GET auth/token/lookup-self", "ok"),
    step("look up a limited token", "GET auth/token/lookup-self", "ok", { as: "limited" }),
    step("look up without a token", "GET auth/token/lookup-self", refused(/403 permission denied/), { as: "nobody" }),
    step(
      "look up with an invalid token",
      "GET auth/token/lookup-self",
      refused(/403 permission denied; invalid token .*give a new one in \S+\./),
      { as: "stranger" },
    ),
    step("renew the root token", "POST auth/token/renew-self", refused(/400 invalid lease ID/), { body: {} }),
    step("renew a limited token", "POST auth/token/renew-self", "ok", { body: { increment: "30m" }, as: "limited" }),
    step("create a token that ends", "POST auth/token/create", "ok", {
      body: { policies: ["default"], ttl: "1h", renewable: false },
      keep: { ending: "/auth/client_token" },
    }),
    step("renew a token that ends", "POST auth/token/renew-self", refused(/400 lease is not renewable/), {
      as: "ending",
    }),
    step("what the root token may do", "POST sys/capabilities-self", "ok", {
      body: { paths: ["auth/jwt/config", "sys/mounts"] },
    }),
    step("what a limited token may do", "POST sys/capabilities-self", "ok", {
      body: { paths: ["auth/jwt/role/ci", "auth/jwt/config", "sys/mounts"] },
      as: "limited",
    }),
    step(
      "the mount of a role, with a token that may not list mounts",
      "GET sys/internal/ui/mounts/auth/jwt",
      {
        found: { type: "jwt", path: "jwt/" },
      },
      { as: "limited", servers: asked },
    ),
    step(
      "a mount that is not there, or in which the token may do nothing",
      "GET sys/internal/ui/mounts/auth/none",
      refused(/403 .*please ensure client's policies grant access/),
      { as: "limited", servers: asked },
    ),
    step("what nobody may do", "POST sys/capabilities-self", refused(/403 permission denied/), {
      body: { paths: ["sys/mounts"] },
      as: "nobody",
    }),
    step("read what the policy allows", "GET auth/jwt/role/ci", "absent", { as: "limited" }),
    step("read the mounts as the policy allows", "GET sys/mounts", "ok", { as: "limited" }),
    // @covers jwt: Authentication > callers of configuration and roles
    step(
      "write what the policy does not allow",
      "POST auth/jwt/role/ci",
      refused(/403 permission denied .*The token needs "create and update" on auth\/jwt\/role\/ci/),
      { body: { user_claim: "sub" }, as: "limited" },
    ),
    step(
      "write badly what the policy does not allow",
      "POST auth/jwt/role/ci",
      refused(/400 error converting input .*for field "user_claim"/),
      { body: { user_claim: {} }, as: "limited" },
    ),
    step(
      "read a configuration that the policy does not allow",
      "GET auth/jwt/config",
      refused(/403 permission denied .*"read" on auth\/jwt\/config/),
      { as: "limited" },
    ),
    // @covers cloud: Authentication > callers of the endpoints
    step(
      "delete what the policy does not allow",
      "DELETE auth/jwt/role/ci",
      refused(/403 permission denied .*"delete"/),
      { as: "limited" },
    ),
    step("read an unmounted path without permission", "GET none/roles/a", refused(/403 permission denied/), {
      as: "limited",
    }),
    step("read the auth methods without permission", "GET sys/auth", refused(/403 permission denied/), {
      as: "limited",
    }),
    step(
      "read of a method that is not there, where the methods may not be read",
      "GET auth/gone/role/ci",
      refused(
        /404 no handler for route .*Nothing is mounted there for this token: check the mount path and the namespace/,
      ),
      { as: "limited" },
    ),
    step(
      "delete of a method that is not there, where the methods may not be read",
      "DELETE auth/gone/role/ci",
      refused(/404 no handler for route .*Nothing is mounted there for this token/),
      { as: "limited" },
    ),
    // @covers jwt: Authentication > callers of configuration and roles
    step("create where creating is all that is allowed", "POST auth/jwt/role/new", "ok", {
      body: { role_type: "jwt", user_claim: "sub", bound_subject: "x" },
      as: "limited",
    }),
    step(
      "update where creating is all that is allowed",
      "POST auth/jwt/role/new",
      refused(/403 permission denied .*"create and update" on auth\/jwt\/role\/new/),
      { body: { role_type: "jwt", user_claim: "sub", bound_subject: "y" }, as: "limited" },
    ),
    step("enable without permission", "POST sys/mounts/a", refused(/403 permission denied/), {
      body: { type: "aws" },
      as: "limited",
    }),
    // @covers jwt: Authentication > callers of configuration and roles
    step("read a role without a token", "GET auth/jwt/role/ci", refused(/403 permission denied/), { as: "nobody" }),
    // @covers cloud: Authentication > callers of the endpoints
    step(
      "read a role with an invalid token",
      "GET auth/jwt/role/ci",
      refused(/The token is unknown, expired or revoked; give a new one in \S+\./),
      { as: "stranger" },
    ),
    step(
      "write a role with an invalid token",
      "POST auth/jwt/role/ci",
      refused(/403 permission denied; invalid token/),
      { body: { user_claim: {} }, as: "stranger" },
    ),
    step("revoke the own token", "POST auth/token/revoke-self", "ok", { as: "limited" }),
    step("use a revoked token", "GET auth/jwt/role/ci", refused(/403 permission denied; invalid token/), {
      as: "limited",
    }),
    step("delete a policy", "DELETE sys/policies/acl/reader", "ok"),
    step("delete a policy once more", "DELETE sys/policies/acl/reader", "ok"),
    step("delete the root policy", "DELETE sys/policies/acl/root", refused(/400 cannot delete "root" policy/)),
  ],
});
