import { defineScenario, refused } from "../../scenario.mts";

const everything = {
  role_type: "jwt",
  bound_audiences: ["b", "a", "a"],
  bound_subject: "repo:acme/*",
  bound_claims_type: "glob",
  bound_claims: { ref: ["refs/heads/*", "refs/tags/*"], owner: "acme" },
  user_claim: "sub",
  user_claim_json_pointer: true,
  groups_claim: "groups",
  claim_mappings: { "/ref": "ref", actor: "actor" },
  oidc_scopes: ["email", "profile"],
  allowed_redirect_uris: ["http://localhost:8250/oidc/callback"],
  expiration_leeway: "2m",
  not_before_leeway: -1,
  clock_skew_leeway: "30s",
  max_age: 3600,
  verbose_oidc_logging: false,
  token_bound_cidrs: ["10.0.0.1/32", "10.1.2.3/16", "2001:DB8::1/128"],
  token_policies: ["Reader", "deploy", "deploy"],
  token_ttl: "15m",
  token_max_ttl: "1h",
  token_period: 0,
  token_explicit_max_ttl: "1d",
  token_no_default_policy: true,
  token_num_uses: 3,
  token_type: "service",
};

/** A role of the JWT method through its life. */
export const jwtRole = defineScenario({
  topic: "jwt-role",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  before: [{ request: "POST sys/auth/jwt", body: { type: "jwt" } }],
  steps: [
    // @covers jwt: Endpoints > GET auth/{mount}/role?list=true
    { title: "list none", request: "GET auth/jwt/role?list=true", outcome: "absent" },
    // @covers jwt: Endpoints > GET auth/{mount}/role/{name}
    { title: "read one that is not there", request: "GET auth/jwt/role/ci", outcome: "absent" },
    // @covers jwt: Endpoints > DELETE auth/{mount}/role/{name}
    { title: "delete one that is not there", request: "DELETE auth/jwt/role/ci", outcome: "ok" },
    {
      title: "create with the least",
      request: "POST auth/jwt/role/CI",
      body: { role_type: "jwt", user_claim: "sub", bound_subject: "x" },
      outcome: "ok",
    },
    // @covers jwt: Endpoints > GET auth/{mount}/role/{name}
    {
      title: "read the least",
      request: "GET auth/jwt/role/ci",
      outcome: {
        found: { role_type: "jwt", bound_claims_type: "string", bound_audiences: null, token_type: "default" },
      },
    },
    // @covers jwt: Role > name
    { title: "read by the name in capitals", request: "GET auth/jwt/role/CI", outcome: "ok" },
    { title: "create with everything", request: "POST auth/jwt/role/all", body: everything, outcome: "ok" },
    // @covers jwt: Endpoints > POST auth/{mount}/role/{name}
    {
      title: "read everything",
      request: "GET auth/jwt/role/all",
      outcome: {
        found: {
          token_ttl: 900,
          token_bound_cidrs: ["10.0.0.1", "10.1.2.3/16", "2001:db8::1"],
          claim_mappings: { "/ref": "ref" },
        },
      },
    },
    {
      title: "reset everything",
      request: "POST auth/jwt/role/all",
      body: { ...emptied(), user_claim: "sub", allowed_redirect_uris: ["http://localhost"] },
      outcome: "ok",
    },
    // @covers jwt: Endpoints > POST auth/{mount}/role/{name}
    {
      title: "read everything reset",
      request: "GET auth/jwt/role/all",
      outcome: { found: { role_type: "oidc", bound_audiences: [], claim_mappings: {}, token_ttl: 0 } },
    },
    // @covers jwt: What the service does > two role types
    {
      title: "create for people",
      request: "POST auth/jwt/role/people",
      body: {
        user_claim: "email",
        allowed_redirect_uris: "http://localhost:8250/oidc/callback, https://ui.example/callback",
      },
      outcome: "ok",
    },
    { title: "read for people", request: "GET auth/jwt/role/people", outcome: "ok" },
    {
      title: "update one field",
      request: "POST auth/jwt/role/people",
      body: { groups_claim: "groups" },
      outcome: "ok",
    },
    // @covers jwt: Endpoints > POST auth/{mount}/role/{name}
    { title: "read the updated field", request: "GET auth/jwt/role/people", outcome: "ok" },
    // @covers jwt: Role > verbose_oidc_logging
    {
      title: "create with logging on",
      request: "POST auth/jwt/role/loud",
      body: { user_claim: "sub", allowed_redirect_uris: ["http://localhost"], verbose_oidc_logging: true },
      outcome: "ok",
    },
    // @covers jwt: Token fields of a role > token_max_ttl
    {
      title: "create with a lifetime beyond the mount's",
      request: "POST auth/jwt/role/long",
      body: { role_type: "jwt", user_claim: "sub", bound_subject: "x", token_max_ttl: "1000h" },
      outcome: "ok",
    },
    {
      title: "create with unknown members",
      request: "POST auth/jwt/role/odd",
      body: { role_type: "jwt", user_claim: "sub", bound_subject: "x", nmae: 1 },
      outcome: "ok",
    },
    {
      title: "create with unknown members and a warning",
      request: "POST auth/jwt/role/odd",
      body: {
        role_type: "jwt",
        user_claim: "sub",
        bound_subject: "x",
        nmae: 1,
        name: "other",
        verbose_oidc_logging: true,
      },
      outcome: "ok",
    },
    {
      title: "create with the deprecated names",
      request: "POST auth/jwt/role/old",
      body: {
        role_type: "jwt",
        user_claim: "sub",
        bound_subject: "x",
        policies: ["B", "a", "a"],
        ttl: "10m",
        max_ttl: "20m",
        num_uses: 2,
        bound_cidrs: ["10.0.0.0/8"],
      },
      outcome: "ok",
    },
    { title: "read the deprecated names", request: "GET auth/jwt/role/old", outcome: "ok" },
    {
      title: "move to the new names",
      request: "POST auth/jwt/role/old",
      body: {
        role_type: "jwt",
        token_policies: ["a"],
        token_ttl: 60,
        token_max_ttl: 120,
        token_num_uses: 0,
        token_bound_cidrs: [],
      },
      outcome: "ok",
    },
    { title: "read the new names", request: "GET auth/jwt/role/old", outcome: "ok" },
    {
      title: "create with claims of every type",
      request: "POST auth/jwt/role/claims",
      body: {
        role_type: "jwt",
        user_claim: "sub",
        bound_claims: { text: "a", number: 25, flag: true, list: ["a", 1] },
      },
      outcome: "ok",
    },
    {
      title: "read claims of every type",
      request: "GET auth/jwt/role/claims",
      outcome: { found: { bound_claims: { text: "a", number: 25, flag: true, list: ["a", 1] } } },
    },
    {
      title: "write values as other types",
      request: "POST auth/jwt/role/types",
      body: {
        role_type: "jwt",
        user_claim: 5,
        bound_audiences: 7,
        user_claim_json_pointer: "true",
        token_num_uses: "0x10",
        token_ttl: "1.5h",
        max_age: null,
        bound_claims: [],
        claim_mappings: ["a=b", "c=d"],
      },
      outcome: "ok",
    },
    { title: "read values of other types", request: "GET auth/jwt/role/types", outcome: "ok" },
    {
      title: "write nulls",
      request: "POST auth/jwt/role/types",
      body: {
        role_type: "jwt",
        bound_audiences: ["x"],
        user_claim_json_pointer: null,
        token_num_uses: null,
        token_ttl: null,
        claim_mappings: null,
      },
      outcome: "ok",
    },
    // @covers jwt: Role > max_age
    { title: "read nulls", request: "GET auth/jwt/role/types", outcome: "ok" },
    // @covers jwt: Endpoints > GET auth/{mount}/role?list=true
    {
      title: "list by GET",
      request: "GET auth/jwt/role?list=true",
      outcome: { found: { keys: ["all", "ci", "claims", "long", "loud", "odd", "old", "people", "types"] } },
    },
    // @covers jwt: Endpoints > GET auth/{mount}/role?list=true
    { title: "list by LIST", request: "LIST auth/jwt/role", outcome: "unasked" },
    { title: "list by LIST with a final slash", request: "LIST auth/jwt/role/", outcome: "unasked" },
    { title: "read the collection", request: "GET auth/jwt/role", outcome: refused(/405 unsupported operation/) },
    {
      title: "write the collection",
      request: "POST auth/jwt/role",
      body: {},
      outcome: refused(/405 unsupported operation/),
    },
    { title: "delete the collection", request: "DELETE auth/jwt/role", outcome: refused(/405 unsupported operation/) },
    // @covers jwt: Endpoints > DELETE auth/{mount}/role/{name}
    { title: "delete", request: "DELETE auth/jwt/role/ci", outcome: "ok" },
    { title: "read what was deleted", request: "GET auth/jwt/role/ci", outcome: "absent" },
    { title: "take the method away", request: "DELETE sys/auth/jwt", outcome: "ok" },
    { title: "the methods that are left", request: "GET sys/auth", outcome: "ok" },
    { title: "read of a method that was taken away", request: "GET auth/jwt/role/all", outcome: "absent" },
    { title: "list of a method that was taken away", request: "GET auth/jwt/role?list=true", outcome: "absent" },
    { title: "delete of a method that was taken away", request: "DELETE auth/jwt/role/all", outcome: "absent" },
    {
      title: "write to a method that was taken away",
      request: "POST auth/jwt/role/all",
      body: everything,
      outcome: refused(/404 no handler for route/),
    },
  ],
});

function emptied(): Record<string, unknown> {
  const empty = (value: unknown) => {
    if (Array.isArray(value)) return [];
    if (typeof value === "object") return {};
    return typeof value === "boolean" ? false : 0;
  };
  const texts = { role_type: "", bound_subject: "", groups_claim: "", bound_claims_type: "string", token_type: "" };
  const names = Object.entries(everything).map(([name, value]) => [name, empty(value)] as const);
  return { ...Object.fromEntries(names), ...texts };
}
