import { defineScenario, refused, type Step, step } from "../../scenario.mts";

const base = { role_type: "jwt", user_claim: "sub", bound_subject: "x" };

/** Roles that the JWT method refuses, and how it says so. */
export const jwtRoleRefused = defineScenario({
  topic: "jwt-role-refused",
  before: [{ request: "POST sys/auth/jwt", body: { type: "jwt" } }],
  steps: [...refusals(), step("none was stored", "GET auth/jwt/role?list=true", "absent")],
});

function refusals(): Step[] {
  const field = (name: string) => new RegExp(`400 error converting input .*for field "${name}"`);
  const table: readonly (readonly [title: string, body: unknown, says: RegExp])[] = [
    // @covers jwt: Role > role_type
    ["an unknown type of role", { ...base, role_type: "saml" }, /400 invalid 'role_type': saml/],
    // @covers jwt: Role > user_claim
    ["no user claim", { role_type: "jwt", bound_subject: "x" }, /400 a user claim must be defined on the role/],
    // @covers jwt: Role > a bound value
    ["nothing that is bound", { role_type: "jwt", user_claim: "sub" }, /400 must have at least one bound constraint/],
    // @covers jwt: Role > allowed_redirect_uris
    [
      "no redirect URIs",
      { user_claim: "sub" },
      /400 'allowed_redirect_uris' must be set if 'role_type' is 'oidc' or unspecified/,
    ],
    // @covers jwt: Role > bound_claims_type
    ["an unknown type of claims", { ...base, bound_claims_type: "regex" }, /400 invalid 'bound_claims_type': regex/],
    ["an empty type of claims", { ...base, bound_claims_type: "" }, /400 invalid 'bound_claims_type': /],
    // @covers jwt: Role > bound_claims_type
    [
      "a glob that is a number",
      { ...base, bound_claims_type: "glob", bound_claims: { a: 25 } },
      /400 claim is not a string: 25/,
    ],
    [
      "a glob that is a flag",
      { ...base, bound_claims_type: "glob", bound_claims: { a: true } },
      /400 claim is not a string: true/,
    ],
    [
      "a list of globs with a number",
      { ...base, bound_claims_type: "glob", bound_claims: { a: ["b", 10] } },
      /400 claim is not a string: 10/,
    ],
    [
      "a glob that is an object",
      { ...base, bound_claims_type: "glob", bound_claims: { a: { b: "c" } } },
      /400 claim is not a string or list/,
    ],
    [
      "a glob that is null",
      { ...base, bound_claims_type: "glob", bound_claims: { a: null } },
      /400 claim is not a string or list/,
    ],
    // @covers jwt: Role > claim_mappings
    ["a mapping to a reserved name", { ...base, claim_mappings: { a: "role" } }, /400 metadata key "role" is reserved/],
    // @covers jwt: Role > claim_mappings
    [
      "two mappings to one name",
      { ...base, claim_mappings: { a: "b", c: "b" } },
      /400 multiple keys are mapped to metadata key "b"/,
    ],
    ["a CIDR that is none", { ...base, token_bound_cidrs: ["x"] }, /400 error parsing address "x"/],
    // @covers jwt: Token fields of a role > token_type
    [
      "an unknown type of token",
      { ...base, token_type: "default-service" },
      /400 invalid 'token_type' value "default-service"/,
    ],
    // @covers jwt: Token fields of a role > token_num_uses
    ["a negative number of uses", { ...base, token_num_uses: -1 }, /400 'token_num_uses' cannot be negative/],
    // @covers jwt: Token fields of a role > token_period
    [
      "a batch token with a period",
      { ...base, token_type: "batch", token_period: "1h" },
      /400 'token_type' cannot be 'batch' or 'default_batch' when set to generate periodic tokens/,
    ],
    // @covers jwt: Token fields of a role > token_num_uses
    [
      "a batch token with uses",
      { ...base, token_type: "batch", token_num_uses: 1 },
      /400 'token_type' cannot be 'batch' or 'default_batch' when set to generate tokens with limited use count/,
    ],
    // @covers jwt: Token fields of a role > token_ttl
    [
      "a lifetime over its maximum",
      { ...base, token_ttl: "2h", token_max_ttl: "1h" },
      /400 'token_ttl' cannot be greater than 'token_max_ttl'/,
    ],
    ["a deprecated lifetime over its maximum", { ...base, ttl: "2h", max_ttl: "1h" }, /400 .*ttl/],
    // @covers jwt: Token fields of a role > token_period
    [
      "a period over the mount's maximum",
      { ...base, token_period: "800h" },
      /400 'period' of .* is greater than the backend's maximum lease TTL/,
    ],
    ["a negative lifetime", { ...base, token_ttl: -1 }, field("token_ttl")],
    ["a lifetime without a unit", { ...base, token_ttl: "1.5" }, field("token_ttl")],
    ["a lifetime in weeks", { ...base, token_ttl: "1w" }, field("token_ttl")],
    ["a lifetime in days and hours", { ...base, token_ttl: "1d2h" }, field("token_ttl")],
    ["a lifetime that is a flag", { ...base, token_ttl: true }, field("token_ttl")],
    ["a leeway that is a word", { ...base, expiration_leeway: "abc" }, field("expiration_leeway")],
    ["a claim that is an object", { ...base, user_claim: {} }, field("user_claim")],
    ["a claim that is a list", { ...base, user_claim: ["a"] }, field("user_claim")],
    ["a flag that is none", { ...base, verbose_oidc_logging: "yes" }, field("verbose_oidc_logging")],
    ["a flag that is two", { ...base, verbose_oidc_logging: 2 }, field("verbose_oidc_logging")],
    ["a number with a fraction", { ...base, token_num_uses: 5.5 }, field("token_num_uses")],
    ["a list in a list", { ...base, bound_audiences: [["a"]] }, field("bound_audiences")],
    ["claims that are a text", { ...base, bound_claims: "a" }, field("bound_claims")],
    ["claims that are a number", { ...base, bound_claims: 5 }, field("bound_claims")],
    ["mappings that are an empty text", { ...base, claim_mappings: "" }, field("claim_mappings")],
    ["mappings without an equals sign", { ...base, claim_mappings: ["a"] }, field("claim_mappings")],
  ];
  return table.map(([title, body, says]) => ({
    title,
    request: "POST auth/jwt/role/refused",
    body,
    outcome: refused(says),
  }));
}
