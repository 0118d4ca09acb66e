import { defineScenario, refused } from "../../scenario.mts";

/** Secrets engines: enable, read, tune, disable. */
export const sysMounts = defineScenario({
  topic: "sys-mounts",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  steps: [
    { title: "list the built-in mounts", request: "GET sys/mounts", outcome: "ok" },
    { title: "enable", request: "POST sys/mounts/cloud", body: { type: "aws" }, outcome: "ok" },
    { title: "read", request: "GET sys/mounts/cloud", outcome: "ok" },
    // @covers beyond: Endpoints > GET sys/mounts
    { title: "list", request: "GET sys/mounts", outcome: { found: { "cloud/": { type: "aws" } } } },
    // @covers beyond: Endpoints > POST sys/mounts/{path}
    {
      title: "enable with everything that the provider sends",
      request: "POST sys/mounts/clouds/second",
      body: {
        type: "aws",
        description: "Second <account> & more",
        config: { default_lease_ttl: "1h", max_lease_ttl: "24h", force_no_cache: true, listing_visibility: "unauth" },
        options: {},
        local: true,
        seal_wrap: false,
      },
      outcome: "ok",
    },
    // @covers beyond: Mounts > local
    // @covers beyond: Mounts > seal_wrap
    // @covers beyond: Mounts > force_no_cache
    {
      title: "read with everything",
      request: "GET sys/mounts/clouds/second",
      outcome: { found: { type: "aws", local: true, config: { default_lease_ttl: 3600, max_lease_ttl: 86_400 } } },
    },
    { title: "read the tuning with everything", request: "GET sys/mounts/clouds/second/tune", outcome: "ok" },
    { title: "read the tuning", request: "GET sys/mounts/cloud/tune", outcome: "ok" },
    {
      title: "read a mount that is not there",
      request: "GET sys/mounts/none",
      outcome: refused(/400 No secret engine mount at none\//),
    },
    { title: "read the tuning of none", request: "GET sys/mounts/none/tune", outcome: refused(/400 .*none\//) },
    {
      title: "enable at a path in use",
      request: "POST sys/mounts/cloud",
      body: { type: "aws" },
      outcome: refused(/path is already in use at cloud\//),
    },
    // @covers beyond: Endpoints > POST sys/mounts/{path}
    {
      title: "enable below a path in use",
      request: "POST sys/mounts/cloud/b",
      body: { type: "aws" },
      outcome: refused(/path is already in use at cloud\//),
    },
    {
      title: "enable above a path in use",
      request: "POST sys/mounts/clouds",
      body: { type: "aws" },
      outcome: refused(/path is already in use at clouds\/second\//),
    },
    {
      title: "enable over sys",
      request: "POST sys/mounts/sys",
      body: { type: "aws" },
      outcome: refused(/400 cannot mount "sys\/"/),
    },
    {
      title: "enable over the audit devices",
      request: "POST sys/mounts/audit",
      body: { type: "aws" },
      outcome: refused(/400 cannot mount "audit\/"/),
    },
    {
      title: "enable over the identities",
      request: "POST sys/mounts/identity/a",
      body: { type: "aws" },
      outcome: refused(/400 cannot mount "identity\/a\/"/),
    },
    {
      title: "enable over the methods",
      request: "POST sys/mounts/auth/a",
      body: { type: "aws" },
      outcome: refused(/400 cannot mount "auth\/a\/"/),
    },
    {
      title: "enable over the cubbyhole",
      request: "POST sys/mounts/cubbyhole",
      body: { type: "aws" },
      outcome: refused(/400 cannot mount "cubbyhole\/"/),
    },
    // @covers beyond: Mounts > type
    {
      title: "enable without a type",
      request: "POST sys/mounts/a",
      body: {},
      outcome: refused(/backend type must be specified as a string/),
    },
    {
      title: "enable an unknown type",
      request: "POST sys/mounts/a",
      body: { type: "nonsense" },
      outcome: refused(/plugin not found in the catalog: nonsense/),
    },
    {
      title: "enable an auth method as an engine",
      request: "POST sys/mounts/a",
      body: { type: "jwt" },
      outcome: refused(/plugin not found in the catalog: jwt/),
    },
    {
      title: "enable a built-in type",
      request: "POST sys/mounts/a",
      body: { type: "cubbyhole" },
      outcome: refused(/not mountable/),
    },
    // @covers beyond: Mounts > default_lease_ttl
    {
      title: "enable with a bad default",
      request: "POST sys/mounts/a",
      body: { type: "aws", config: { default_lease_ttl: "x" } },
      outcome: refused(/unable to parse default TTL of x/),
    },
    // @covers beyond: Mounts > max_lease_ttl
    {
      title: "enable with a bad maximum",
      request: "POST sys/mounts/a",
      body: { type: "aws", config: { max_lease_ttl: "x" } },
      outcome: refused(/unable to parse max TTL of x/),
    },
    {
      title: "enable with a TTL that is no text",
      request: "POST sys/mounts/a",
      body: { type: "aws", config: { max_lease_ttl: true } },
      outcome: refused(/unable to convert given mount config information/),
    },
    // @covers beyond: Mounts > default_lease_ttl
    {
      title: "enable with a default over the maximum",
      request: "POST sys/mounts/a",
      body: { type: "aws", config: { default_lease_ttl: "2h", max_lease_ttl: "1h" } },
      outcome: refused(/given default lease TTL greater than given max lease TTL/),
    },
    {
      title: "enable with a default over the system's",
      request: "POST sys/mounts/a",
      body: { type: "aws", config: { default_lease_ttl: "1000h" } },
      outcome: refused(/greater than system max lease TTL/),
    },
    // @covers beyond: Mounts > listing_visibility
    {
      title: "enable with a bad visibility",
      request: "POST sys/mounts/a",
      body: { type: "aws", config: { listing_visibility: "x" } },
      outcome: refused(/invalid listing_visibility x/),
    },
    // @covers beyond: Mounts > options
    {
      title: "enable with a version that the engine has not",
      request: "POST sys/mounts/a",
      body: { type: "aws", options: { version: "2" } },
      outcome: refused(/does not allow setting a version/),
    },
    {
      title: "tune",
      request: "POST sys/mounts/cloud/tune",
      body: { default_lease_ttl: "90m", max_lease_ttl: "2h", description: "Tuned" },
      outcome: "ok",
    },
    // @covers beyond: Endpoints > POST sys/mounts/{path}/tune
    { title: "read what was tuned", request: "GET sys/mounts/cloud", outcome: "ok" },
    {
      title: "tune back",
      request: "POST sys/mounts/cloud/tune",
      body: { default_lease_ttl: "system", max_lease_ttl: "system", description: "" },
      outcome: "ok",
    },
    // @covers beyond: Mounts > description
    { title: "read what was tuned back", request: "GET sys/mounts/cloud", outcome: "ok" },
    // @covers beyond: Endpoints > POST sys/mounts/{path}/tune
    { title: "tune nothing", request: "POST sys/mounts/cloud/tune", body: {}, outcome: "ok" },
    // @covers beyond: Mounts > listing_visibility
    {
      title: "tune lists and visibility",
      request: "POST sys/mounts/cloud/tune",
      body: {
        listing_visibility: "hidden",
        audit_non_hmac_request_keys: ["a", "b"],
        passthrough_request_headers: "X-One,X-Two",
      },
      outcome: "ok",
    },
    // @covers beyond: Mounts > passthrough_request_headers
    // @covers beyond: Mounts > audit_non_hmac_request_keys
    { title: "read tuned lists", request: "GET sys/mounts/cloud/tune", outcome: "ok" },
    {
      title: "tune a mount that is not there",
      request: "POST sys/mounts/none/tune",
      body: { description: "x" },
      outcome: refused(/no mount entry found/),
    },
    // @covers beyond: Endpoints > POST sys/mounts/{path}/tune
    {
      title: "tune with a bad duration",
      request: "POST sys/mounts/cloud/tune",
      body: { default_lease_ttl: "abc" },
      outcome: refused(/invalid duration/),
    },
    {
      title: "tune a default over the maximum",
      request: "POST sys/mounts/cloud/tune",
      body: { default_lease_ttl: "3h", max_lease_ttl: "2h" },
      outcome: refused(/would be less than backend default lease TTL/),
    },
    // @covers beyond: Mounts > listing_visibility
    {
      title: "tune with a bad visibility",
      request: "POST sys/mounts/cloud/tune",
      body: { listing_visibility: "x" },
      outcome: refused(/invalid listing_visibility x/),
    },
    {
      title: "tune a token type",
      request: "POST sys/mounts/cloud/tune",
      body: { token_type: "service" },
      outcome: refused(/'token_type' can only be modified on auth mounts/),
    },
    {
      title: "tune sys",
      request: "POST sys/mounts/sys/tune",
      body: { description: "x" },
      outcome: refused(/400 cannot tune "sys\/"/),
    },
    {
      title: "tune the cubbyhole",
      request: "POST sys/mounts/cubbyhole/tune",
      body: { description: "x" },
      outcome: refused(/400 cannot tune "cubbyhole\/"/),
    },
    {
      title: "tune the identities",
      request: "POST sys/mounts/identity/tune",
      body: { description: "Who" },
      outcome: "ok",
    },
    { title: "disable", request: "DELETE sys/mounts/clouds/second", outcome: "ok" },
    // @covers beyond: Endpoints > DELETE sys/mounts/{path}
    { title: "disable once more", request: "DELETE sys/mounts/clouds/second", outcome: "ok" },
    {
      title: "disable the audit devices, where nothing is mounted",
      request: "DELETE sys/mounts/audit",
      outcome: "ok",
    },
    {
      title: "disable what is below the cubbyhole, where nothing is mounted",
      request: "DELETE sys/mounts/cubbyhole/a",
      outcome: "ok",
    },
    {
      title: "disable a method among the engines",
      request: "DELETE sys/mounts/auth/token",
      outcome: refused(/400 cannot unmount "auth\/token\/"/),
    },
    { title: "disable sys", request: "DELETE sys/mounts/sys", outcome: refused(/400 cannot unmount "sys\/"/) },
    { title: "list after all", request: "GET sys/mounts", outcome: "ok" },
    { title: "read the mount table by LIST", request: "LIST sys/mounts", outcome: "unasked" },
  ],
});
