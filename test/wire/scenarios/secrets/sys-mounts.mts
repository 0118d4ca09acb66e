import { defineScenario, refused, step } from "../../scenario.mts";

/** Secrets engines: enable, read, tune, disable. */
export const sysMounts = defineScenario({
  topic: "sys-mounts",
  steps: [
    step("list the built-in mounts", "GET sys/mounts", "ok"),
    step("enable", "POST sys/mounts/cloud", "ok", { body: { type: "aws" } }),
    step("read", "GET sys/mounts/cloud", "ok"),
    // @covers beyond: Endpoints > GET sys/mounts
    step("list", "GET sys/mounts", { found: { "cloud/": { type: "aws" } } }),
    // @covers beyond: Endpoints > POST sys/mounts/{path}
    step("enable with everything that the provider sends", "POST sys/mounts/clouds/second", "ok", {
      body: {
        type: "aws",
        description: "Second <account> & more",
        config: { default_lease_ttl: "1h", max_lease_ttl: "24h", force_no_cache: true, listing_visibility: "unauth" },
        options: {},
        local: true,
        seal_wrap: false,
      },
    }),
    // @covers beyond: Mounts > local
    // @covers beyond: Mounts > seal_wrap
    // @covers beyond: Mounts > force_no_cache
    step("read with everything", "GET sys/mounts/clouds/second", {
      found: { type: "aws", local: true, config: { default_lease_ttl: 3600, max_lease_ttl: 86_400 } },
    }),
    step("read the tuning with everything", "GET sys/mounts/clouds/second/tune", "ok"),
    step("read the tuning", "GET sys/mounts/cloud/tune", "ok"),
    step("read a mount that is not there", "GET sys/mounts/none", refused(/400 No secret engine mount at none\//)),
    step("read the tuning of none", "GET sys/mounts/none/tune", refused(/400 .*none\//)),
    step("enable at a path in use", "POST sys/mounts/cloud", refused(/path is already in use at cloud\//), {
      body: { type: "aws" },
    }),
    // @covers beyond: Endpoints > POST sys/mounts/{path}
    step("enable below a path in use", "POST sys/mounts/cloud/b", refused(/path is already in use at cloud\//), {
      body: { type: "aws" },
    }),
    step(
      "enable above a path in use",
      "POST sys/mounts/clouds",
      refused(/path is already in use at clouds\/second\//),
      { body: { type: "aws" } },
    ),
    step("enable over sys", "POST sys/mounts/sys", refused(/400 cannot mount "sys\/"/), { body: { type: "aws" } }),
    step("enable over the audit devices", "POST sys/mounts/audit", refused(/400 cannot mount "audit\/"/), {
      body: { type: "aws" },
    }),
    step("enable over the identities", "POST sys/mounts/identity/a", refused(/400 cannot mount "identity\/a\/"/), {
      body: { type: "aws" },
    }),
    step("enable over the methods", "POST sys/mounts/auth/a", refused(/400 cannot mount "auth\/a\/"/), {
      body: { type: "aws" },
    }),
    step("enable over the cubbyhole", "POST sys/mounts/cubbyhole", refused(/400 cannot mount "cubbyhole\/"/), {
      body: { type: "aws" },
    }),
    // @covers beyond: Mounts > type
    step("enable without a type", "POST sys/mounts/a", refused(/backend type must be specified as a string/), {
      body: {},
    }),
    step("enable an unknown type", "POST sys/mounts/a", refused(/plugin not found in the catalog: nonsense/), {
      body: { type: "nonsense" },
    }),
    step("enable an auth method as an engine", "POST sys/mounts/a", refused(/plugin not found in the catalog: jwt/), {
      body: { type: "jwt" },
    }),
    step("enable a built-in type", "POST sys/mounts/a", refused(/not mountable/), { body: { type: "cubbyhole" } }),
    // @covers beyond: Mounts > default_lease_ttl
    step("enable with a bad default", "POST sys/mounts/a", refused(/unable to parse default TTL of x/), {
      body: { type: "aws", config: { default_lease_ttl: "x" } },
    }),
    // @covers beyond: Mounts > max_lease_ttl
    step("enable with a bad maximum", "POST sys/mounts/a", refused(/unable to parse max TTL of x/), {
      body: { type: "aws", config: { max_lease_ttl: "x" } },
    }),
    step(
      "enable with a TTL that is no text",
      "POST sys/mounts/a",
      refused(/unable to convert given mount config information/),
      { body: { type: "aws", config: { max_lease_ttl: true } } },
    ),
    // @covers beyond: Mounts > default_lease_ttl
    step(
      "enable with a default over the maximum",
      "POST sys/mounts/a",
      refused(/given default lease TTL greater than given max lease TTL/),
      { body: { type: "aws", config: { default_lease_ttl: "2h", max_lease_ttl: "1h" } } },
    ),
    step("enable with a default over the system's", "POST sys/mounts/a", refused(/greater than system max lease TTL/), {
      body: { type: "aws", config: { default_lease_ttl: "1000h" } },
    }),
    // @covers beyond: Mounts > listing_visibility
    step("enable with a bad visibility", "POST sys/mounts/a", refused(/invalid listing_visibility x/), {
      body: { type: "aws", config: { listing_visibility: "x" } },
    }),
    // @covers beyond: Mounts > options
    step(
      "enable with a version that the engine has not",
      "POST sys/mounts/a",
      refused(/does not allow setting a version/),
      { body: { type: "aws", options: { version: "2" } } },
    ),
    step("tune", "POST sys/mounts/cloud/tune", "ok", {
      body: { default_lease_ttl: "90m", max_lease_ttl: "2h", description: "Tuned" },
    }),
    // @covers beyond: Endpoints > POST sys/mounts/{path}/tune
    step("read what was tuned", "GET sys/mounts/cloud", "ok"),
    step("tune back", "POST sys/mounts/cloud/tune", "ok", {
      body: { default_lease_ttl: "system", max_lease_ttl: "system", description: "" },
    }),
    // @covers beyond: Mounts > description
    step("read what was tuned back", "GET sys/mounts/cloud", "ok"),
    // @covers beyond: Endpoints > POST sys/mounts/{path}/tune
    step("tune nothing", "POST sys/mounts/cloud/tune", "ok", { body: {} }),
    // @covers beyond: Mounts > listing_visibility
    step("tune lists and visibility", "POST sys/mounts/cloud/tune", "ok", {
      body: {
        listing_visibility: "hidden",
        audit_non_hmac_request_keys: ["a", "b"],
        passthrough_request_headers: "X-One,X-Two",
      },
    }),
    // @covers beyond: Mounts > passthrough_request_headers
    // @covers beyond: Mounts > audit_non_hmac_request_keys
    step("read tuned lists", "GET sys/mounts/cloud/tune", "ok"),
    step("tune a mount that is not there", "POST sys/mounts/none/tune", refused(/no mount entry found/), {
      body: { description: "x" },
    }),
    // @covers beyond: Endpoints > POST sys/mounts/{path}/tune
    step("tune with a bad duration", "POST sys/mounts/cloud/tune", refused(/invalid duration/), {
      body: { default_lease_ttl: "abc" },
    }),
    step(
      "tune a default over the maximum",
      "POST sys/mounts/cloud/tune",
      refused(/would be less than backend default lease TTL/),
      { body: { default_lease_ttl: "3h", max_lease_ttl: "2h" } },
    ),
    // @covers beyond: Mounts > listing_visibility
    step("tune with a bad visibility", "POST sys/mounts/cloud/tune", refused(/invalid listing_visibility x/), {
      body: { listing_visibility: "x" },
    }),
    step(
      "tune a token type",
      "POST sys/mounts/cloud/tune",
      refused(/'token_type' can only be modified on auth mounts/),
      { body: { token_type: "service" } },
    ),
    step("tune sys", "POST sys/mounts/sys/tune", refused(/400 cannot tune "sys\/"/), { body: { description: "x" } }),
    step("tune the cubbyhole", "POST sys/mounts/cubbyhole/tune", refused(/400 cannot tune "cubbyhole\/"/), {
      body: { description: "x" },
    }),
    step("tune the identities", "POST sys/mounts/identity/tune", "ok", { body: { description: "Who" } }),
    step("disable", "DELETE sys/mounts/clouds/second", "ok"),
    // @covers beyond: Endpoints > DELETE sys/mounts/{path}
    step("disable once more", "DELETE sys/mounts/clouds/second", "ok"),
    step("disable the audit devices, where nothing is mounted", "DELETE sys/mounts/audit", "ok"),
    step("disable what is below the cubbyhole, where nothing is mounted", "DELETE sys/mounts/cubbyhole/a", "ok"),
    step(
      "disable a method among the engines",
      "DELETE sys/mounts/auth/token",
      refused(/400 cannot unmount "auth\/token\/"/),
    ),
    step("disable sys", "DELETE sys/mounts/sys", refused(/400 cannot unmount "sys\/"/)),
    step("list after all", "GET sys/mounts", "ok"),
    step("read the mount table by LIST", "LIST sys/mounts", "unasked"),
  ],
});
