import { defineScenario, refused } from "../../scenario.mts";

const policy = [
  'path "auth/jwt/role/*" { capabilities = ["read", "list"] }',
  'path "auth/jwt/role/new" { capabilities = ["create"] }',
  'path "auth/gone/*" { capabilities = ["read", "delete"] }',
  'path "sys/mounts" { capabilities = ["read"] }',
].join("\n");

/** Who may do what: policies, tokens, and the refusals that a client meets. */
export const tokensAndPolicies = defineScenario({
  topic: "tokens-and-policies",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  before: [{ request: "POST sys/auth/jwt", body: { type: "jwt" } }],
  steps: [
    { title: "write a policy", request: "POST sys/policies/acl/reader", body: { policy }, outcome: "ok" },
    { title: "read a policy", request: "GET sys/policies/acl/reader", outcome: "ok" },
    { title: "read a policy that is not there", request: "GET sys/policies/acl/none", outcome: "absent" },
    {
      title: "list policies",
      request: "GET sys/policies/acl?list=true",
      outcome: { found: { keys: ["default", "reader", "root"] } },
    },
    {
      title: "write a policy without text",
      request: "POST sys/policies/acl/empty",
      body: {},
      outcome: refused(/400 .*policy/),
    },
    {
      title: "write a policy with an unknown capability",
      request: "POST sys/policies/acl/bad",
      body: { policy: 'path "a" { capabilities = ["fly"] }' },
      outcome: refused(/400 .*invalid capability/),
    },
    {
      title: "create a token",
      request: "POST auth/token/create",
      body: { policies: ["reader"], ttl: "1h" },
      keep: { limited: "/auth/client_token" },
      outcome: "ok",
    },
    { title: "look up the root token", request: "GET auth/token/lookup-self", outcome: "ok" },
    { title: "look up a limited token", request: "GET auth/token/lookup-self", as: "limited", outcome: "ok" },
    {
      title: "look up without a token",
      request: "GET auth/token/lookup-self",
      as: "nobody",
      outcome: refused(/403 permission denied/),
    },
    {
      title: "look up with an invalid token",
      request: "GET auth/token/lookup-self",
      as: "stranger",
      outcome: refused(/403 permission denied; invalid token .*give a new one in \S+\./),
    },
    {
      title: "renew the root token",
      request: "POST auth/token/renew-self",
      body: {},
      outcome: refused(/400 invalid lease ID/),
    },
    {
      title: "renew a limited token",
      request: "POST auth/token/renew-self",
      body: { increment: "30m" },
      as: "limited",
      outcome: "ok",
    },
    {
      title: "create a token that ends",
      request: "POST auth/token/create",
      body: { policies: ["default"], ttl: "1h", renewable: false },
      keep: { ending: "/auth/client_token" },
      outcome: "ok",
    },
    {
      title: "renew a token that ends",
      request: "POST auth/token/renew-self",
      as: "ending",
      outcome: refused(/400 lease is not renewable/),
    },
    {
      title: "what the root token may do",
      request: "POST sys/capabilities-self",
      body: { paths: ["auth/jwt/config", "sys/mounts"] },
      outcome: "ok",
    },
    {
      title: "what a limited token may do",
      request: "POST sys/capabilities-self",
      body: { paths: ["auth/jwt/role/ci", "auth/jwt/config", "sys/mounts"] },
      as: "limited",
      outcome: "ok",
    },
    {
      title: "what nobody may do",
      request: "POST sys/capabilities-self",
      body: { paths: ["sys/mounts"] },
      as: "nobody",
      outcome: refused(/403 permission denied/),
    },
    { title: "read what the policy allows", request: "GET auth/jwt/role/ci", as: "limited", outcome: "absent" },
    { title: "read the mounts as the policy allows", request: "GET sys/mounts", as: "limited", outcome: "ok" },
    // @covers jwt: Authentication > callers of configuration and roles
    {
      title: "write what the policy does not allow",
      request: "POST auth/jwt/role/ci",
      body: { user_claim: "sub" },
      as: "limited",
      outcome: refused(/403 permission denied .*The token needs "create and update" on auth\/jwt\/role\/ci/),
    },
    {
      title: "write badly what the policy does not allow",
      request: "POST auth/jwt/role/ci",
      body: { user_claim: {} },
      as: "limited",
      outcome: refused(/400 error converting input .*for field "user_claim"/),
    },
    {
      title: "read a configuration that the policy does not allow",
      request: "GET auth/jwt/config",
      as: "limited",
      outcome: refused(/403 permission denied .*"read" on auth\/jwt\/config/),
    },
    // @covers cloud: Authentication > callers of the endpoints
    {
      title: "delete what the policy does not allow",
      request: "DELETE auth/jwt/role/ci",
      as: "limited",
      outcome: refused(/403 permission denied .*"delete"/),
    },
    {
      title: "read an unmounted path without permission",
      request: "GET none/roles/a",
      as: "limited",
      outcome: refused(/403 permission denied/),
    },
    {
      title: "read the auth methods without permission",
      request: "GET sys/auth",
      as: "limited",
      outcome: refused(/403 permission denied/),
    },
    {
      title: "read of a method that is not there, where the methods may not be read",
      request: "GET auth/gone/role/ci",
      as: "limited",
      outcome: refused(
        /404 no handler for route .*Nothing is mounted there for this token: check the mount path and the namespace/,
      ),
    },
    {
      title: "delete of a method that is not there, where the methods may not be read",
      request: "DELETE auth/gone/role/ci",
      as: "limited",
      outcome: refused(/404 no handler for route .*Nothing is mounted there for this token/),
    },
    // @covers jwt: Authentication > callers of configuration and roles
    {
      title: "create where creating is all that is allowed",
      request: "POST auth/jwt/role/new",
      body: { role_type: "jwt", user_claim: "sub", bound_subject: "x" },
      as: "limited",
      outcome: "ok",
    },
    {
      title: "update where creating is all that is allowed",
      request: "POST auth/jwt/role/new",
      body: { role_type: "jwt", user_claim: "sub", bound_subject: "y" },
      as: "limited",
      outcome: refused(/403 permission denied .*"create and update" on auth\/jwt\/role\/new/),
    },
    {
      title: "enable without permission",
      request: "POST sys/mounts/a",
      body: { type: "aws" },
      as: "limited",
      outcome: refused(/403 permission denied/),
    },
    // @covers jwt: Authentication > callers of configuration and roles
    {
      title: "read a role without a token",
      request: "GET auth/jwt/role/ci",
      as: "nobody",
      outcome: refused(/403 permission denied/),
    },
    // @covers cloud: Authentication > callers of the endpoints
    {
      title: "read a role with an invalid token",
      request: "GET auth/jwt/role/ci",
      as: "stranger",
      outcome: refused(/The token is unknown, expired or revoked; give a new one in \S+\./),
    },
    {
      title: "write a role with an invalid token",
      request: "POST auth/jwt/role/ci",
      body: { user_claim: {} },
      as: "stranger",
      outcome: refused(/403 permission denied; invalid token/),
    },
    { title: "revoke the own token", request: "POST auth/token/revoke-self", as: "limited", outcome: "ok" },
    {
      title: "use a revoked token",
      request: "GET auth/jwt/role/ci",
      as: "limited",
      outcome: refused(/403 permission denied; invalid token/),
    },
    { title: "delete a policy", request: "DELETE sys/policies/acl/reader", outcome: "ok" },
    { title: "delete a policy once more", request: "DELETE sys/policies/acl/reader", outcome: "ok" },
    {
      title: "delete the root policy",
      request: "DELETE sys/policies/acl/root",
      outcome: refused(/400 cannot delete "root" policy/),
    },
  ],
});
