import { defineScenario, refused, step } from "../../scenario.mts";

/** Auth methods: enable, read, tune, disable. */
export const sysAuth = defineScenario({
  topic: "sys-auth",
  steps: [
    step("list the built-in methods", "GET sys/auth", "ok"),
    step("enable", "POST sys/auth/jwt", "ok", { body: { type: "jwt" } }),
    step("read", "GET sys/auth/jwt", "ok"),
    // @covers beyond: Endpoints > POST sys/auth/{path}
    step("enable with everything that the provider sends", "POST sys/auth/team/oidc", "ok", {
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
    }),
    step("read with everything", "GET sys/auth/team/oidc", {
      found: { type: "oidc", config: { token_type: "default-batch", listing_visibility: "unauth" } },
    }),
    step("read the tuning with everything", "GET sys/auth/team/oidc/tune", "ok"),
    // @covers beyond: Endpoints > GET sys/auth
    step("list", "GET sys/auth", "ok"),
    step("read a method that is not there", "GET sys/auth/none", refused(/400 No auth engine at none\//)),
    step("read the tuning of none", "GET sys/auth/none/tune", refused(/400 .*none\//)),
    // @covers beyond: Endpoints > POST sys/auth/{path}
    step("enable at a path in use", "POST sys/auth/jwt", refused(/path is already in use at/), {
      body: { type: "jwt" },
    }),
    step("enable below a path in use", "POST sys/auth/jwt/b", refused(/path is already in use at/), {
      body: { type: "jwt" },
    }),
    step("enable without a type", "POST sys/auth/a", refused(/backend type must be specified as a string/), {
      body: {},
    }),
    step("enable an unknown type", "POST sys/auth/a", refused(/plugin not found in the catalog: nonsense/), {
      body: { type: "nonsense" },
    }),
    // @covers beyond: Mounts > type
    step("enable an engine as a method", "POST sys/auth/a", refused(/plugin not found in the catalog: kv/), {
      servers: ["vault-1.21", "vault-1.19"],
      body: { type: "kv" },
    }),
    step(
      "enable a method that OpenBao does not have",
      "POST sys/auth/a",
      refused(/plugin not found in the catalog: aws/),
      { servers: ["openbao"], body: { type: "aws" } },
    ),
    step("enable the token method", "POST sys/auth/a", refused(/token credential backend cannot be instantiated/), {
      body: { type: "token" },
    }),
    // @covers beyond: Mounts > token_type
    step("enable with a bad token type", "POST sys/auth/a", refused(/invalid value for 'token_type'/), {
      body: { type: "jwt", config: { token_type: "x" } },
    }),
    step(
      "enable with a TTL that is no text",
      "POST sys/auth/a",
      refused(/unable to convert given auth config information/),
      { body: { type: "jwt", config: { default_lease_ttl: {} } } },
    ),
    step("enable with a bad default", "POST sys/auth/a", refused(/unable to parse default TTL of x/), {
      body: { type: "jwt", config: { default_lease_ttl: "x" } },
    }),
    step(
      "enable with a default over the maximum",
      "POST sys/auth/a",
      refused(/given default lease TTL greater than given max lease TTL/),
      { body: { type: "jwt", config: { default_lease_ttl: "2h", max_lease_ttl: "1h" } } },
    ),
    step("tune", "POST sys/auth/jwt/tune", "ok", {
      body: { default_lease_ttl: "90m", max_lease_ttl: 7200, description: "Tuned", token_type: "batch" },
    }),
    // @covers beyond: Endpoints > POST sys/auth/{path}/tune
    step("read what was tuned", "GET sys/auth/jwt", "ok"),
    step("read the tuning", "GET sys/auth/jwt/tune", "ok"),
    step("tune back", "POST sys/auth/jwt/tune", "ok", {
      body: { default_lease_ttl: "system", max_lease_ttl: "system", description: "", token_type: "default-service" },
    }),
    // @covers beyond: Endpoints > POST sys/auth/{path}/tune
    step("read what was tuned back", "GET sys/auth/jwt", "ok"),
    // @covers beyond: Mounts > token_type
    step("tune a bad token type", "POST sys/auth/jwt/tune", refused(/400 invalid value for 'token_type'/), {
      body: { token_type: "x" },
    }),
    // @covers beyond: Endpoints > POST sys/auth/{path}/tune
    step("tune a method that is not there", "POST sys/auth/none/tune", refused(/no mount entry found/), {
      body: { description: "x" },
    }),
    step(
      "tune a default over the maximum",
      "POST sys/auth/jwt/tune",
      refused(/would be less than backend default lease TTL/),
      { body: { default_lease_ttl: "3h", max_lease_ttl: "2h" } },
    ),
    step("disable", "DELETE sys/auth/team/oidc", "ok"),
    // @covers beyond: Endpoints > DELETE sys/auth/{path}
    step("disable once more", "DELETE sys/auth/team/oidc", "ok"),
    step(
      "disable the token method",
      "DELETE sys/auth/token",
      refused(/400 token credential backend cannot be disabled/),
    ),
    step("list after all", "GET sys/auth", "ok"),
  ],
});
