import { defineScenario } from "../../scenario.mts";
import { type LoginCase, loginCases } from "./jwt-login-cases.mts";

type Role = NonNullable<LoginCase["role"]>;
const bound = (bound_claims: object): Role => ({ bound_claims });
const glob = (bound_claims: object): Role => ({ bound_claims, bound_claims_type: "glob" });
const unmatched = /400 error validating claims: claim ".*" does not match any associated bound claim values/;

/** What a role makes of the claims of a token that is signed and in time. */
const cases: readonly LoginCase[] = [
  { title: "the subject is the bound one", role: { bound_subject: "repo:acme/site" } },
  // @covers jwt: Role > bound_subject
  {
    title: "the subject is another one",
    role: { bound_subject: "other" },
    says: /400 error validating token: invalid subject \(sub\) claim/,
  },
  {
    title: "no subject, but one is bound",
    jwt: "jwtNoSubject",
    role: { bound_subject: "x", user_claim: "iss" },
    says: /400 error validating token: invalid subject/,
  },
  {
    title: "a subject whose name is in upper case",
    jwt: "jwtUpperSubject",
    role: { bound_subject: "repo:acme/site", user_claim: "SUB" },
  },
  { title: "one audience of many", jwt: "jwtAudienceList" },
  {
    title: "another audience",
    jwt: "jwtAudienceOther",
    says: /400 .*audience claim does not match any expected audience/,
  },
  { title: "no audience", jwt: "jwtNoAudience", says: /400 .*audience claim does not match any expected audience/ },
  { title: "an audience of null", jwt: "jwtAudienceNull", says: /400 .*to unmarshal to Audience/ },
  { title: "a number as audience", jwt: "jwtAudienceNumber", says: /400 .*to unmarshal to Audience/ },
  { title: "a number among the audiences", jwt: "jwtAudienceMixed", says: /400 .*to unmarshal to Audience/ },
  ...[
    // @covers jwt: Role > bound_audiences
    {
      title: "an audience, and none is bound",
      says: /400 audience claim found in JWT but no audiences bound to the role/,
    },
    { title: "audiences, and none is bound", jwt: "jwtAudienceList", says: /400 audience claim found in JWT/ },
    {
      title: "an empty audience in a list, and none is bound",
      jwt: "jwtAudienceOfEmpty",
      says: /400 audience claim found/,
    },
    { title: "an empty audience, and none is bound", jwt: "jwtAudienceEmptyText" },
    { title: "an empty list of audiences, and none is bound", jwt: "jwtAudienceEmptyList" },
    { title: "no audience, and none is bound", jwt: "jwtNoAudience" },
  ].map((each) => ({ ...each, role: { bound_audiences: [], bound_subject: "repo:acme/site" } })),
  {
    title: "the issuer is a number",
    jwt: "jwtNumberIssuer",
    says: /400 .*cannot unmarshal number into Go struct field Claims.iss/,
  },
  { title: "the user claim is missing", role: { user_claim: "email" }, says: /400 claim "email" not found in token/ },
  { title: "the user claim is null", jwt: "jwtRich", role: { user_claim: "none" }, says: /400 claim "none" not found/ },
  // @covers jwt: Role > user_claim
  {
    title: "the user claim is a number",
    jwt: "jwtRich",
    role: { user_claim: "level" },
    says: /400 claim "level" could not be converted to string/,
  },
  {
    title: "the user claim is a list",
    jwt: "jwtListSubject",
    says: /400 .*cannot unmarshal array into Go struct field/,
  },
  {
    title: "the user claim is an object",
    jwt: "jwtObjectSubject",
    says: /400 .*cannot unmarshal object into Go struct field/,
  },
  // @covers jwt: What the service does > entity alias
  { title: "the user claim is empty", jwt: "jwtEmptySubject", says: /500 missing name in alias/ },
  {
    title: "the user claim is a pointer",
    jwt: "jwtRich",
    role: { user_claim: "/team/name", user_claim_json_pointer: true },
  },
  // @covers beyond: jwt.Role > user_claim_json_pointer
  {
    title: "the user claim is a pointer, and pointers are off",
    jwt: "jwtRich",
    role: { user_claim: "/team/name" },
    says: /400 claim "\/team\/name" not found/,
  },
  { title: "the user claim begins with a slash", jwt: "jwtRich", role: { user_claim: "/odd" } },
  {
    title: "the user claim is a pointer to nothing",
    jwt: "jwtRich",
    role: { user_claim: "/odd", user_claim_json_pointer: true },
    says: /400 claim "\/odd" not found/,
  },
  // @covers beyond: Answer of a login > metadata
  {
    title: "claims as metadata",
    jwt: "jwtRich",
    role: { claim_mappings: { email: "mail", "/team/name": "team", none: "n", absent: "a" } },
  },
  // @covers jwt: Role > claim_mappings
  {
    title: "a number as metadata",
    jwt: "jwtRich",
    role: { claim_mappings: { level: "l" } },
    says: /400 error converting claim 'level' to string/,
  },
  {
    title: "a list as metadata",
    jwt: "jwtRich",
    role: { claim_mappings: { refs: "r" } },
    says: /400 error converting claim 'refs' to string/,
  },
  { title: "groups", jwt: "jwtRich", role: { groups_claim: "groups" } },
  // @covers jwt: Role > groups_claim
  { title: "groups by pointer", jwt: "jwtRich", role: { groups_claim: "/team/ids" } },
  { title: "one group as text", jwt: "jwtGroupsText", role: { groups_claim: "groups" } },
  {
    title: "no groups",
    role: { groups_claim: "groups" },
    says: /400 failed to fetch groups: "groups" claim not found in token/,
  },
  {
    title: "groups as an object",
    jwt: "jwtGroupsObject",
    role: { groups_claim: "groups" },
    says: /400 "groups" claim could not be converted to string list/,
  },
  // @covers jwt: Role > groups_claim
  {
    title: "a number among the groups",
    jwt: "jwtGroupsNumber",
    role: { groups_claim: "groups" },
    says: /400 value 5 in groups claim could not be parsed as string/,
  },
  {
    title: "groups that are true",
    jwt: "jwtGroupsBool",
    role: { groups_claim: "groups" },
    says: /400 value true in groups claim/,
  },
  { title: "a bound text", jwt: "jwtRich", role: bound({ email: "a@b.example" }) },
  { title: "a bound text in other case", jwt: "jwtRich", role: bound({ email: "A@b.example" }), says: unmatched },
  {
    title: "a bound text that is a glob, but globs are off",
    jwt: "jwtRich",
    role: bound({ email: "a@*" }),
    says: unmatched,
  },
  { title: "one of bound texts", jwt: "jwtRich", role: bound({ email: ["x", "a@b.example"] }) },
  { title: "a claim with one of the bound texts", jwt: "jwtRich", role: bound({ refs: ["x", "dev"] }) },
  { title: "lists with nothing in common", jwt: "jwtRich", role: bound({ refs: ["x", "y"] }), says: unmatched },
  { title: "an empty list is bound", jwt: "jwtRich", role: bound({ refs: [] }), says: unmatched },
  { title: "the claim is an empty list", jwt: "jwtRich", role: bound({ nothing: ["a"] }), says: unmatched },
  // @covers jwt: Role > bound_claims
  {
    title: "the bound claim is missing",
    role: bound({ ref: "main" }),
    says: /400 error validating claims: claim "ref" is missing/,
  },
  {
    title: "the bound claim is null",
    jwt: "jwtRich",
    role: bound({ none: "x" }),
    says: /400 error validating claims: claim "none" is missing/,
  },
  {
    title: "the bound claim is an object",
    jwt: "jwtRich",
    role: bound({ "/team/x~1y": "z" }),
    says: /400 .*received claim is not a string, bool, int or list: map\[m~n:deep\]/,
  },
  {
    title: "an object is bound",
    jwt: "jwtRich",
    role: bound({ email: { a: 1 } }),
    says: /400 .*bound claim is not a string, bool, int or list: map\[a:1\]/,
  },
  {
    title: "null is bound",
    jwt: "jwtRich",
    role: bound({ email: null }),
    says: /400 .*bound claim is not a string, bool, int or list: <nil>/,
  },
  // @covers jwt: Role > bound_claims
  { title: "a bound pointer", jwt: "jwtRich", role: bound({ "/team/x~1y/m~0n": "deep", "/team/ids/1": "b" }) },
  {
    title: "a bound pointer beyond the list",
    jwt: "jwtRich",
    role: bound({ "/team/ids/2": "b" }),
    says: /400 .*claim "\/team\/ids\/2" is missing/,
  },
  {
    title: "a bound pointer past a list",
    jwt: "jwtRich",
    role: bound({ "/team/ids/-": "b" }),
    says: /400 .*is missing/,
  },
  { title: "a bound number", jwt: "jwtRich", role: bound({ level: 3 }) },
  { title: "a bound number as text", jwt: "jwtRich", role: bound({ level: "3" }), says: unmatched },
  { title: "a number is cut down to an integer", jwt: "jwtRich", role: bound({ part: 1 }) },
  { title: "a number with a fraction never matches", jwt: "jwtRich", role: bound({ part: 1.9 }), says: unmatched },
  {
    title: "numbers inside of a list match nothing",
    jwt: "jwtRich",
    role: bound({ numbers: [1, 2] }),
    says: unmatched,
  },
  { title: "a number of a list by pointer", jwt: "jwtRich", role: bound({ "/numbers/1": 2 }) },
  { title: "a bound bool", jwt: "jwtRich", role: bound({ isBot: true }) },
  { title: "another bool is bound", jwt: "jwtRich", role: bound({ isBot: false }), says: unmatched },
  { title: "a bound bool as text", jwt: "jwtRich", role: bound({ isBot: "true" }), says: unmatched },
  { title: "a glob", jwt: "jwtRich", role: glob({ email: "a@*.example" }) },
  { title: "a glob for one of a list", jwt: "jwtRich", role: glob({ refs: ["x*", "d*v"] }) },
  { title: "a glob that is anchored", jwt: "jwtRich", role: glob({ email: "@b*" }), says: unmatched },
  { title: "a glob that overlaps with itself", jwt: "jwtRich", role: glob({ "/team/name": "we*eb" }), says: unmatched },
  { title: "a glob of two stars", jwt: "jwtRich", role: glob({ "/team/name": "w**b" }) },
  { title: "a question mark is literal", jwt: "jwtRich", role: glob({ "/team/name": "w?b" }), says: unmatched },
  { title: "a glob for a number", jwt: "jwtRich", role: glob({ level: "*" }), says: unmatched },
  { title: "an empty glob", jwt: "jwtRich", role: glob({ email: "" }), says: unmatched },
];

const { roles, steps } = loginCases("claims", cases);

/** Logging in with the claims that roles look at. */
export const jwtLoginClaims = defineScenario({
  topic: "jwt-login-claims",
  before: [
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "POST auth/jwt/config", body: { jwt_validation_pubkeys: ["{publicKey}"] } },
    ...roles,
  ],
  steps,
});
