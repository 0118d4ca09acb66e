import { type Call, defineScenario, type Outcome, refused, type Step } from "../../scenario.mts";

const config = { JWTValidationPubKeys: ["{publicKey}"], BoundAudiences: ["trustplane"], BoundIssuer: "{issuer}" };
const method = { Name: "{ci}", Type: "jwt", Config: config };

/** Consul's own JWT auth method: its configuration, binding rules, the login and the logout. */
export const clusterLogin = defineScenario({
  topic: "login",
  service: "cluster",
  servers: ["consul"],
  names: ["ci", "remote", "discovered", "unbound", "mapped", "peers", "team"],
  before: [
    { request: "PUT acl/policy", body: { Name: "{peers}", Rules: 'peering = "write"' }, keep: { policyId: "/ID" } },
    { request: "PUT acl/role", body: { Name: "{team}", Policies: [{ Name: "{peers}" }] }, keep: { roleId: "/ID" } },
  ],
  steps: [
    { title: "create a method", request: "PUT acl/auth-method", body: method, outcome: "ok" },
    { title: "read it", request: "GET acl/auth-method/{ci}", outcome: "ok" },
    {
      title: "change it",
      request: "PUT acl/auth-method/{ci}",
      body: { ...method, DisplayName: "CI", Description: "Jobs", MaxTokenTTL: "5m", TokenLocality: "local" },
      outcome: "ok",
    },
    {
      title: "read what is not there",
      request: "GET acl/auth-method/{unbound}",
      outcome: refused(/404 Requested auth method does not exist/),
    },
    {
      title: "create one without a name",
      request: "PUT acl/auth-method",
      body: { ...method, Name: "" },
      outcome: refused(/500 Invalid Auth Method: no Name is set/),
    },
    {
      title: "create one with a name that is none",
      request: "PUT acl/auth-method",
      body: { ...method, Name: "a b" },
      outcome: refused(/500 Invalid Auth Method: invalid Name/),
    },
    {
      title: "create one of a type that there is not",
      request: "PUT acl/auth-method",
      body: { ...method, Name: "{unbound}", Type: "paper" },
      outcome: refused(/500 Invalid Auth Method: Type should be one of/),
    },
    {
      title: "change its type",
      request: "PUT acl/auth-method/{ci}",
      body: { ...method, Type: "kubernetes" },
      outcome: refused(/500 the Type field of an Auth Method is immutable/),
    },
    {
      title: "another name than that of the address",
      request: "PUT acl/auth-method/{unbound}",
      body: method,
      outcome: refused(/400 AuthMethod Name in URL and payload do not match/),
    },
    {
      title: "tokens that last too short",
      request: "PUT acl/auth-method",
      body: { ...method, MaxTokenTTL: "5s" },
      outcome: refused(/500 MaxTokenTTL 5s cannot be less than 1m0s/),
    },
    {
      title: "a locality that there is not",
      request: "PUT acl/auth-method",
      body: { ...method, TokenLocality: "here" },
      outcome: refused(/500 Invalid Auth Method: TokenLocality should be one of/),
    },
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
    {
      title: "create one without the right",
      request: "PUT acl/auth-method",
      body: method,
      as: "stranger",
      outcome: refused(/403 ACL not found/),
    },
    loggingIn("log in where no rule binds", "jwt", refused(/403 Permission denied/)),
    {
      title: "bind the role",
      request: "PUT acl/binding-rule",
      body: { AuthMethod: "{ci}", BindType: "role", BindName: "{team}", Description: "Jobs" },
      keep: { rule: "/ID" },
      outcome: "ok",
    },
    { title: "read the rule", request: "GET acl/binding-rule/{rule}", outcome: "ok" },
    { title: "list the rules of the method", request: "GET acl/binding-rules?authmethod={ci}", outcome: "document" },
    {
      title: "a rule of no method",
      request: "PUT acl/binding-rule",
      body: { AuthMethod: "{unbound}", BindType: "role", BindName: "x" },
      outcome: refused(/500 cannot find auth method with name/),
    },
    {
      title: "a rule without a method",
      request: "PUT acl/binding-rule",
      body: { BindType: "role", BindName: "x" },
      outcome: refused(/500 Invalid Binding Rule: no AuthMethod is set/),
    },
    {
      title: "a rule without a type",
      request: "PUT acl/binding-rule",
      body: { AuthMethod: "{ci}", BindName: "x" },
      outcome: refused(/500 Invalid Binding Rule: no BindType is set/),
    },
    {
      title: "a rule without a name",
      request: "PUT acl/binding-rule",
      body: { AuthMethod: "{ci}", BindType: "policy" },
      outcome: refused(/500 Invalid Binding Rule: no BindName is set/),
    },
    {
      title: "a rule of a type that there is not",
      request: "PUT acl/binding-rule",
      body: { AuthMethod: "{ci}", BindType: "paper", BindName: "x" },
      outcome: refused(/500 .*unknown BindType "paper"/),
    },
    { ...loggingIn("log in", "jwt", "ok"), keep: { job: "/SecretID" } },
    { title: "what the token may do", request: "GET peerings", as: "job", outcome: "ok" },
    {
      title: "what it may not do",
      request: "PUT acl/policy",
      as: "job",
      body: { Name: "x" },
      outcome: refused(/403 Permission denied: token with/),
    },
    { title: "log out", request: "POST acl/logout", as: "job", outcome: "ok" },
    { title: "log out once more", request: "POST acl/logout", as: "job", outcome: refused(/403 ACL not found/) },
    { title: "what the token may do then", request: "GET peerings", as: "job", outcome: refused(/403 ACL not found/) },
    {
      title: "log out as nobody",
      request: "POST acl/logout",
      as: "nobody",
      outcome: refused(/401 Supplied token does not exist/),
    },
    { title: "log out with a token that no login has made", request: "POST acl/logout", outcome: refused(/403/) },
    {
      title: "log in and say what for",
      request: "POST acl/login",
      as: "nobody",
      body: { AuthMethod: "{ci}", BearerToken: "{jwt}", Meta: { run: "1" } },
      outcome: "ok",
    },
    loggingIn("log in with a JWT for somebody else", "jwtAudienceOther", refused(/audience/)),
    loggingIn("log in without an audience", "jwtNoAudience", refused(/audience/)),
    loggingIn("log in with an expired JWT", "jwtExpired", refused(/expired/)),
    loggingIn("log in too early", "jwtEarly", refused(/not valid yet|nbf/)),
    loggingIn("log in with the JWT of another issuer", "jwtOtherIssuer", refused(/issuer/)),
    loggingIn("log in with a JWT by somebody else", "jwtStranger", refused(/no known key successfully validated/)),
    loggingIn("log in with a JWT without times", "jwtUntimed", refused(/no issue time/)),
    {
      title: "log in with what is no JWT",
      request: "POST acl/login",
      as: "nobody",
      body: { AuthMethod: "{ci}", BearerToken: "x" },
      outcome: refused(/error parsing token/),
    },
    {
      title: "log in without a JWT",
      request: "POST acl/login",
      as: "nobody",
      body: { AuthMethod: "{ci}" },
      outcome: refused(/missing jwt/),
    },
    {
      title: "log in at no method",
      request: "POST acl/login",
      as: "nobody",
      body: { AuthMethod: "{unbound}", BearerToken: "x" },
      outcome: refused(/auth method .* not found/),
    },
    {
      title: "log in with a member that there is not",
      request: "POST acl/login",
      as: "nobody",
      body: { Nonsense: "x" },
      outcome: refused(/400 Failed to decode request body/),
    },
    ...withKeysOf("remote", "keys at an address", { JWKSURL: "{issuer}/jwks", BoundAudiences: ["trustplane"] }),
    loggingIn("log in by keys at an address with an expired JWT", "jwtExpired", refused(/expired/), "remote"),
    ...withKeysOf("discovered", "a discovery", { OIDCDiscoveryURL: "{issuer}" }),
    {
      title: "create a method that maps claims",
      request: "PUT acl/auth-method",
      body: {
        Name: "{mapped}",
        Type: "jwt",
        Config: { ...config, ClaimMappings: { email: "who" }, ListClaimMappings: { groups: "groups" } },
      },
      outcome: "ok",
    },
    {
      title: "bind by a claim that is not mapped",
      request: "PUT acl/binding-rule",
      body: { AuthMethod: "{mapped}", BindType: "policy", BindName: "$\u007bvalue.other}" },
      outcome: refused(/500 Invalid Binding Rule: invalid BindName/),
    },
    { title: "delete the rule", request: "DELETE acl/binding-rule/{rule}", outcome: "ok" },
    {
      title: "delete the rule once more",
      request: "DELETE acl/binding-rule/{rule}",
      outcome: refused(/404 Cannot find binding rule to delete/),
    },
    {
      title: "read the rule after the deletion",
      request: "GET acl/binding-rule/{rule}",
      outcome: refused(/404 Requested binding rule does not exist/),
    },
    { title: "delete the method", request: "DELETE acl/auth-method/{ci}", outcome: "ok" },
    {
      title: "delete the method once more",
      request: "DELETE acl/auth-method/{ci}",
      outcome: refused(/404 Cannot find auth method to delete/),
    },
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
    {
      title: `create a method with ${what}`,
      request: "PUT acl/auth-method",
      body: { Name: `{${name}}`, Type: "jwt", Config },
      outcome: "ok",
    },
    { title: `bind a policy to ${what}`, ...bind, outcome: "ok" },
    loggingIn(`log in by ${what}`, "jwt", "ok", name),
    loggingIn(`log in by ${what} with a JWT by somebody else`, "jwtStranger", refused(/verif|signature/), name),
  ];
}
