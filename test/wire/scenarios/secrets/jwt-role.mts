import { defineScenario, refused, step } from "../../scenario.mts";

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
  before: [{ request: "POST sys/auth/jwt", body: { type: "jwt" } }],
  steps: [
    // @covers jwt: Endpoints > GET auth/{mount}/role?list=true
    step("list none", "GET auth/jwt/role?list=true", "absent"),
    // @covers jwt: Endpoints > GET auth/{mount}/role/{name}
    step("read one that is not there", "GET auth/jwt/role/ci", "absent"),
    // @covers jwt: Endpoints > DELETE auth/{mount}/role/{name}
    step("delete one that is not there", "DELETE auth/jwt/role/ci", "ok"),
    step("create with the least", "POST auth/jwt/role/CI", "ok", {
      body: { role_type: "jwt", user_claim: "sub", bound_subject: "x" },
    }),
    // @covers jwt: Endpoints > GET auth/{mount}/role/{name}
    step("read the least", "GET auth/jwt/role/ci", {
      found: { role_type: "jwt", bound_claims_type: "string", bound_audiences: null, token_type: "default" },
    }),
    // @covers jwt: Role > name
    step("read by the name in capitals", "GET auth/jwt/role/CI", "ok"),
    step("create with everything", "POST auth/jwt/role/all", "ok", { body: everything }),
    // @covers jwt: Endpoints > POST auth/{mount}/role/{name}
    step("read everything", "GET auth/jwt/role/all", {
      found: {
        token_ttl: 900,
        token_bound_cidrs: ["10.0.0.1", "10.1.2.3/16", "2001:db8::1"],
        claim_mappings: { "/ref": "ref" },
      },
    }),
    step("reset everything", "POST auth/jwt/role/all", "ok", {
      body: { ...emptied(), user_claim: "sub", allowed_redirect_uris: ["http://localhost"] },
    }),
    // @covers jwt: Endpoints > POST auth/{mount}/role/{name}
    step("read everything reset", "GET auth/jwt/role/all", {
      found: { role_type: "oidc", bound_audiences: [], claim_mappings: {}, token_ttl: 0 },
    }),
    // @covers jwt: What the service does > two role types
    step("create for people", "POST auth/jwt/role/people", "ok", {
      body: {
        user_claim: "email",
        allowed_redirect_uris: "http://localhost:8250/oidc/callback, https://ui.example/callback",
      },
    }),
    step("read for people", "GET auth/jwt/role/people", "ok"),
    step("update one field", "POST auth/jwt/role/people", "ok", { body: { groups_claim: "groups" } }),
    // @covers jwt: Endpoints > POST auth/{mount}/role/{name}
    step("read the updated field", "GET auth/jwt/role/people", "ok"),
    // @covers jwt: Role > verbose_oidc_logging
    step("create with logging on", "POST auth/jwt/role/loud", "ok", {
      body: { user_claim: "sub", allowed_redirect_uris: ["http://localhost"], verbose_oidc_logging: true },
    }),
    // @covers jwt: Token fields of a role > token_max_ttl
    step("create with a lifetime beyond the mount's", "POST auth/jwt/role/long", "ok", {
      body: { role_type: "jwt", user_claim: "sub", bound_subject: "x", token_max_ttl: "1000h" },
    }),
    step("create with unknown members", "POST auth/jwt/role/odd", "ok", {
      body: { role_type: "jwt", user_claim: "sub", bound_subject: "x", nmae: 1 },
    }),
    step("create with unknown members and a warning", "POST auth/jwt/role/odd", "ok", {
      body: {
        role_type: "jwt",
        user_claim: "sub",
        bound_subject: "x",
        nmae: 1,
        name: "other",
        verbose_oidc_logging: true,
      },
    }),
    step("create with the deprecated names", "POST auth/jwt/role/old", "ok", {
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
    }),
    step("read the deprecated names", "GET auth/jwt/role/old", "ok"),
    step("move to the new names", "POST auth/jwt/role/old", "ok", {
      body: {
        role_type: "jwt",
        token_policies: ["a"],
        token_ttl: 60,
        token_max_ttl: 120,
        token_num_uses: 0,
        token_bound_cidrs: [],
      },
    }),
    step("read the new names", "GET auth/jwt/role/old", "ok"),
    step("create with claims of every type", "POST auth/jwt/role/claims", "ok", {
      body: {
        role_type: "jwt",
        user_claim: "sub",
        bound_claims: { text: "a", number: 25, flag: true, list: ["a", 1] },
      },
    }),
    step("read claims of every type", "GET auth/jwt/role/claims", {
      found: { bound_claims: { text: "a", number: 25, flag: true, list: ["a", 1] } },
    }),
    step("write values as other types", "POST auth/jwt/role/types", "ok", {
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
    }),
    step("read values of other types", "GET auth/jwt/role/types", "ok"),
    step("write nulls", "POST auth/jwt/role/types", "ok", {
      body: {
        role_type: "jwt",
        bound_audiences: ["x"],
        user_claim_json_pointer: null,
        token_num_uses: null,
        token_ttl: null,
        claim_mappings: null,
      },
    }),
    // @covers jwt: Role > max_age
    step("read nulls", "GET auth/jwt/role/types", "ok"),
    // @covers jwt: Endpoints > GET auth/{mount}/role?list=true
    step("list by GET", "GET auth/jwt/role?list=true", {
      found: { keys: ["all", "ci", "claims", "long", "loud", "odd", "old", "people", "types"] },
    }),
    // @covers jwt: Endpoints > GET auth/{mount}/role?list=true
    step("list by LIST", "LIST auth/jwt/role", "unasked"),
    step("list by LIST with a final slash", "LIST auth/jwt/role/", "unasked"),
    step("read the collection", "GET auth/jwt/role", refused(/405 unsupported operation/)),
    step("write the collection", "POST auth/jwt/role", refused(/405 unsupported operation/), { body: {} }),
    step("delete the collection", "DELETE auth/jwt/role", refused(/405 unsupported operation/)),
    // @covers jwt: Endpoints > DELETE auth/{mount}/role/{name}
    step("delete", "DELETE auth/jwt/role/ci", "ok"),
    step("read what was deleted", "GET auth/jwt/role/ci", "absent"),
    step("take the method away", "DELETE sys/auth/jwt", "ok"),
    step("the methods that are left", "GET sys/auth", "ok"),
    step("read of a method that was taken away", "GET auth/jwt/role/all", "absent"),
    step("list of a method that was taken away", "GET auth/jwt/role?list=true", "absent"),
    step("delete of a method that was taken away", "DELETE auth/jwt/role/all", "absent"),
    step("write to a method that was taken away", "POST auth/jwt/role/all", refused(/404 no handler for route/), {
      body: everything,
    }),
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
