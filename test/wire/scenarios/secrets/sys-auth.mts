import { defineScenario, refused } from "../../scenario.mts";

/** Auth methods: enable, read, tune, disable. */
export const sysAuth = defineScenario({
  topic: "sys-auth",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  steps: [
    { title: "list the built-in methods", request: "GET sys/auth", outcome: "ok" },
    { title: "enable", request: "POST sys/auth/jwt", body: { type: "jwt" }, outcome: "ok" },
    { title: "read", request: "GET sys/auth/jwt", outcome: "ok" },
    // @covers beyond: Endpoints > POST sys/auth/{path}
    {
      title: "enable with everything that the provider sends",
      request: "POST sys/auth/team/oidc",
      body: {
        type: "oidc",
        description: "People",
        config: {
          default_lease_ttl: "3600s",
          max_lease_ttl: "86400s",
          token_type: "default-batch",
          listing_visibility: "unauth",
        },
        local: true,
      },
      outcome: "ok",
    },
    {
      title: "read with everything",
      request: "GET sys/auth/team/oidc",
      outcome: { found: { type: "oidc", config: { token_type: "default-batch", listing_visibility: "unauth" } } },
    },
    { title: "read the tuning with everything", request: "GET sys/auth/team/oidc/tune", outcome: "ok" },
    // @covers beyond: Endpoints > GET sys/auth
    { title: "list", request: "GET sys/auth", outcome: "ok" },
    {
      title: "read a method that is not there",
      request: "GET sys/auth/none",
      outcome: refused(/400 No auth engine at none\//),
    },
    { title: "read the tuning of none", request: "GET sys/auth/none/tune", outcome: refused(/400 .*none\//) },
    // @covers beyond: Endpoints > POST sys/auth/{path}
    {
      title: "enable at a path in use",
      request: "POST sys/auth/jwt",
      body: { type: "jwt" },
      outcome: refused(/path is already in use at/),
    },
    {
      title: "enable below a path in use",
      request: "POST sys/auth/jwt/b",
      body: { type: "jwt" },
      outcome: refused(/path is already in use at/),
    },
    {
      title: "enable without a type",
      request: "POST sys/auth/a",
      body: {},
      outcome: refused(/backend type must be specified as a string/),
    },
    {
      title: "enable an unknown type",
      request: "POST sys/auth/a",
      body: { type: "nonsense" },
      outcome: refused(/plugin not found in the catalog: nonsense/),
    },
    // @covers beyond: Mounts > type
    {
      title: "enable an engine as a method",
      servers: ["vault-1.21", "vault-1.19"],
      request: "POST sys/auth/a",
      body: { type: "kv" },
      outcome: refused(/plugin not found in the catalog: kv/),
    },
    {
      title: "enable a method that OpenBao does not have",
      servers: ["openbao"],
      request: "POST sys/auth/a",
      body: { type: "aws" },
      outcome: refused(/plugin not found in the catalog: aws/),
    },
    {
      title: "enable the token method",
      request: "POST sys/auth/a",
      body: { type: "token" },
      outcome: refused(/token credential backend cannot be instantiated/),
    },
    // @covers beyond: Mounts > token_type
    {
      title: "enable with a bad token type",
      request: "POST sys/auth/a",
      body: { type: "jwt", config: { token_type: "x" } },
      outcome: refused(/invalid value for 'token_type'/),
    },
    {
      title: "enable with a TTL that is no text",
      request: "POST sys/auth/a",
      body: { type: "jwt", config: { default_lease_ttl: {} } },
      outcome: refused(/unable to convert given auth config information/),
    },
    {
      title: "enable with a bad default",
      request: "POST sys/auth/a",
      body: { type: "jwt", config: { default_lease_ttl: "x" } },
      outcome: refused(/unable to parse default TTL of x/),
    },
    {
      title: "enable with a default over the maximum",
      request: "POST sys/auth/a",
      body: { type: "jwt", config: { default_lease_ttl: "2h", max_lease_ttl: "1h" } },
      outcome: refused(/given default lease TTL greater than given max lease TTL/),
    },
    {
      title: "tune",
      request: "POST sys/auth/jwt/tune",
      body: { default_lease_ttl: "90m", max_lease_ttl: 7200, description: "Tuned", token_type: "batch" },
      outcome: "ok",
    },
    // @covers beyond: Endpoints > POST sys/auth/{path}/tune
    { title: "read what was tuned", request: "GET sys/auth/jwt", outcome: "ok" },
    { title: "read the tuning", request: "GET sys/auth/jwt/tune", outcome: "ok" },
    {
      title: "tune back",
      request: "POST sys/auth/jwt/tune",
      body: { default_lease_ttl: "system", max_lease_ttl: "system", description: "", token_type: "default-service" },
      outcome: "ok",
    },
    // @covers beyond: Endpoints > POST sys/auth/{path}/tune
    { title: "read what was tuned back", request: "GET sys/auth/jwt", outcome: "ok" },
    // @covers beyond: Mounts > token_type
    {
      title: "tune a bad token type",
      request: "POST sys/auth/jwt/tune",
      body: { token_type: "x" },
      outcome: refused(/400 invalid value for 'token_type'/),
    },
    // @covers beyond: Endpoints > POST sys/auth/{path}/tune
    {
      title: "tune a method that is not there",
      request: "POST sys/auth/none/tune",
      body: { description: "x" },
      outcome: refused(/no mount entry found/),
    },
    {
      title: "tune a default over the maximum",
      request: "POST sys/auth/jwt/tune",
      body: { default_lease_ttl: "3h", max_lease_ttl: "2h" },
      outcome: refused(/would be less than backend default lease TTL/),
    },
    { title: "disable", request: "DELETE sys/auth/team/oidc", outcome: "ok" },
    // @covers beyond: Endpoints > DELETE sys/auth/{path}
    { title: "disable once more", request: "DELETE sys/auth/team/oidc", outcome: "ok" },
    {
      title: "disable the token method",
      request: "DELETE sys/auth/token",
      outcome: refused(/400 token credential backend cannot be disabled/),
    },
    { title: "list after all", request: "GET sys/auth", outcome: "ok" },
  ],
});
