import { type Call, defineScenario, type Outcome, refused, type Step, step } from "../../scenario.mts";

const config = { JWTValidationPubKeys: ["{publicKey}"], BoundAudiences: ["trustplane"], BoundIssuer: "{issuer}" };
const method = { Name: "{ci}", Type: "jwt", Config: config };

/** Consul's own JWT auth method: its configuration, binding rules, the login and the logout. */
export const clusterLogin = defineScenario({
  topic: "login",
  service: "cluster",
  names: ["ci", "remote", "discovered", "unbound", "mapped", "peers", "team"],
  before: [
    { request: "PUT acl/policy", body: { Name: "{peers}", Rules: 'peering = "write"' }, keep: { policyId: "/ID" } },
    { request: "PUT acl/role", body: { Name: "{team}", Policies: [{ Name: "{peers}" }] }, keep: { roleId: "/ID" } },
  ],
  steps: [
    step("create a method", "PUT acl/auth-method", "ok", { body: method }),
    step("read it", "GET acl/auth-method/{ci}", "ok"),
    step("change it", "PUT acl/auth-method/{ci}", "ok", {
      body: { ...method, DisplayName: "CI", Description: "Jobs", MaxTokenTTL: "5m", TokenLocality: "local" },
    }),
    step(
      "read what is not there",
      "GET acl/auth-method/{unbound}",
      refused(/404 Requested auth method does not exist/),
    ),
    step("create one without a name", "PUT acl/auth-method", refused(/500 Invalid Auth Method: no Name is set/), {
      body: { ...method, Name: "" },
    }),
    step(
      "create one with a name that is none",
      "PUT acl/auth-method",
      refused(/500 Invalid Auth Method: invalid Name/),
      { body: { ...method, Name: "a b" } },
    ),
    step(
      "create one of a type that there is not",
      "PUT acl/auth-method",
      refused(/500 Invalid Auth Method: Type should be one of/),
      { body: { ...method, Name: "{unbound}", Type: "paper" } },
    ),
    step("change its type", "PUT acl/auth-method/{ci}", refused(/500 the Type field of an Auth Method is immutable/), {
      body: { ...method, Type: "kubernetes" },
    }),
    step(
      "another name than that of the address",
      "PUT acl/auth-method/{unbound}",
      refused(/400 AuthMethod Name in URL and payload do not match/),
      { body: method },
    ),
    step("tokens that last too short", "PUT acl/auth-method", refused(/500 MaxTokenTTL 5s cannot be less than 1m0s/), {
      body: { ...method, MaxTokenTTL: "5s" },
    }),
    step(
      "a locality that there is not",
      "PUT acl/auth-method",
      refused(/500 Invalid Auth Method: TokenLocality should be one of/),
      { body: { ...method, TokenLocality: "here" } },
    ),
    refusedConfig("no keys", {}, /exactly one of 'JWTValidationPubKeys', 'JWKSURL', or 'OIDCDiscoveryURL'/),
    refusedConfig("a key that is none", { JWTValidationPubKeys: ["x"] }, /error parsing public key/),
    refusedConfig(
      "an algorithm that there is not",
      { ...config, JWTSupportedAlgs: ["HS256"] },
      /Invalid supported alg/,
    ),
    refusedConfig("keys that are not there", { JWKSURL: "{issuer}/none" }, /error checking JWKSURL/),
    refusedConfig("a discovery that is not there", { OIDCDiscoveryURL: "{issuer}/none" }, /error checking OIDC/),
    refusedConfig("a field of the other type", { ...config, OIDCClientID: "x" }, /OIDCClientID/),
    refusedConfig("a field that there is not", { ...config, Nonsense: "x" }, /Nonsense/),
    step("create one without the right", "PUT acl/auth-method", refused(/403 ACL not found/), {
      body: method,
      as: "stranger",
    }),
    loggingIn("log in where no rule binds", "jwt", refused(/403 Permission denied/)),
    step("bind the role", "PUT acl/binding-rule", "ok", {
      body: { AuthMethod: "{ci}", BindType: "role", BindName: "{team}", Description: "Jobs" },
      keep: { rule: "/ID" },
    }),
    step("read the rule", "GET acl/binding-rule/{rule}", "ok"),
    step("list the rules of the method", "GET acl/binding-rules?authmethod={ci}", "document"),
    step("a rule of no method", "PUT acl/binding-rule", refused(/500 cannot find auth method with name/), {
      body: { AuthMethod: "{unbound}", BindType: "role", BindName: "x" },
    }),
    step("a rule without a method", "PUT acl/binding-rule", refused(/500 Invalid Binding Rule: no AuthMethod is set/), {
      body: { BindType: "role", BindName: "x" },
    }),
    step("a rule without a type", "PUT acl/binding-rule", refused(/500 Invalid Binding Rule: no BindType is set/), {
      body: { AuthMethod: "{ci}", BindName: "x" },
    }),
    step("a rule without a name", "PUT acl/binding-rule", refused(/500 Invalid Binding Rule: no BindName is set/), {
      body: { AuthMethod: "{ci}", BindType: "policy" },
    }),
    step("a rule of a type that there is not", "PUT acl/binding-rule", refused(/500 .*unknown BindType "paper"/), {
      body: { AuthMethod: "{ci}", BindType: "paper", BindName: "x" },
    }),
    { ...loggingIn("log in", "jwt", "ok"), keep: { job: "/SecretID" } },
    step("what the token may do", "GET peerings", "ok", { as: "job" }),
    step("what it may not do", "PUT acl/policy", refused(/403 Permission denied: token with/), {
      as: "job",
      body: { Name: "x" },
    }),
    step("log out", "POST acl/logout", "ok", { as: "job" }),
    step("log out once more", "POST acl/logout", refused(/403 ACL not found/), { as: "job" }),
    step("what the token may do then", "GET peerings", refused(/403 ACL not found/), { as: "job" }),
    step("log out as nobody", "POST acl/logout", refused(/401 Supplied token does not exist/), { as: "nobody" }),
    step("log out with a token that no login has made", "POST acl/logout", refused(/403/)),
    step("log in and say what for", "POST acl/login", "ok", {
      as: "nobody",
      body: { AuthMethod: "{ci}", BearerToken: "{jwt}", Meta: { run: "1" } },
    }),
    loggingIn("log in with a JWT for somebody else", "jwtAudienceOther", refused(/audience/)),
    loggingIn("log in without an audience", "jwtNoAudience", refused(/audience/)),
    loggingIn("log in with an expired JWT", "jwtExpired", refused(/expired/)),
    loggingIn("log in too early", "jwtEarly", refused(/not valid yet|nbf/)),
    loggingIn("log in with the JWT of another issuer", "jwtOtherIssuer", refused(/issuer/)),
    loggingIn("log in with a JWT by somebody else", "jwtStranger", refused(/no known key successfully validated/)),
    loggingIn("log in with a JWT without times", "jwtUntimed", refused(/no issue time/)),
    step("log in with what is no JWT", "POST acl/login", refused(/error parsing token/), {
      as: "nobody",
      body: { AuthMethod: "{ci}", BearerToken: "x" },
    }),
    step("log in without a JWT", "POST acl/login", refused(/missing jwt/), {
      as: "nobody",
      body: { AuthMethod: "{ci}" },
    }),
    step("log in at no method", "POST acl/login", refused(/auth method .* not found/), {
      as: "nobody",
      body: { AuthMethod: "{unbound}", BearerToken: "x" },
    }),
    step("log in with a member that there is not", "POST acl/login", refused(/400 Failed to decode request body/), {
      as: "nobody",
      body: { Nonsense: "x" },
    }),
    ...withKeysOf("remote", "keys at an address", { JWKSURL: "{issuer}/jwks", BoundAudiences: ["trustplane"] }),
    loggingIn("log in by keys at an address with an expired JWT", "jwtExpired", refused(/expired/), "remote"),
    ...withKeysOf("discovered", "a discovery", { OIDCDiscoveryURL: "{issuer}" }),
    step("create a method that maps claims", "PUT acl/auth-method", "ok", {
      body: {
        Name: "{mapped}",
        Type: "jwt",
        Config: { ...config, ClaimMappings: { email: "who" }, ListClaimMappings: { groups: "groups" } },
      },
    }),
    step(
      "bind by a claim that is not mapped",
      "PUT acl/binding-rule",
      refused(/500 Invalid Binding Rule: invalid BindName/),
      { body: { AuthMethod: "{mapped}", BindType: "policy", BindName: "$\u007bvalue.other}" } },
    ),
    step("delete the rule", "DELETE acl/binding-rule/{rule}", "ok"),
    step(
      "delete the rule once more",
      "DELETE acl/binding-rule/{rule}",
      refused(/404 Cannot find binding rule to delete/),
    ),
    step(
      "read the rule after the deletion",
      "GET acl/binding-rule/{rule}",
      refused(/404 Requested binding rule does not exist/),
    ),
    step("delete the method", "DELETE acl/auth-method/{ci}", "ok"),
    step(
      "delete the method once more",
      "DELETE acl/auth-method/{ci}",
      refused(/404 Cannot find auth method to delete/),
    ),
  ],
});

function refusedConfig(title: string, Config: object, says: RegExp): Step {
  return {
    title: `create one with ${title}`,
    request: "PUT acl/auth-method",
    body: { Name: "{unbound}", Type: "jwt", Config },
    outcome: refused(says),
  };
}

function loggingIn(title: string, jwt: string, outcome: Outcome, name = "ci"): Step {
  return {
    title,
    request: "POST acl/login",
    as: "nobody",
    body: { AuthMethod: `{${name}}`, BearerToken: `{${jwt}}` },
    outcome,
  };
}

/** A method whose keys are elsewhere, and a login that it takes, and one that it does not. */
function withKeysOf(name: string, what: string, Config: object): Step[] {
  const bind: Call = {
    request: "PUT acl/binding-rule",
    body: { AuthMethod: `{${name}}`, BindType: "policy", BindName: "{peers}" },
  };
  return [
    step(`create a method with ${what}`, "PUT acl/auth-method", "ok", {
      body: { Name: `{${name}}`, Type: "jwt", Config },
    }),
    { title: `bind a policy to ${what}`, ...bind, outcome: "ok" },
    loggingIn(`log in by ${what}`, "jwt", "ok", name),
    loggingIn(`log in by ${what} with a JWT by somebody else`, "jwtStranger", refused(/verif|signature/), name),
  ];
}
