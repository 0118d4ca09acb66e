import type { Values } from "../../provider/core/definition.ts";
import { create } from "./trust-cases.ts";

export const ISSUER = "https://git.example.com";
export const config = create("jwt:Config", "jobs", { mount: "jobs", boundIssuer: ISSUER });
export const deployRole = (changed: Values = {}) =>
  create("jwt:Role", "deploy", {
    mount: "jobs",
    name: "deploy",
    roleType: "jwt",
    userClaim: "sub",
    boundAudiences: ["vault"],
    boundClaims: { project_path: "acme/*", "/job/ref": ["main", "release"] },
    boundClaimsType: "glob",
    tokenBoundCidrs: ["127.2.0.0/16"],
    tokenPolicies: ["deploy"],
    tokenTtl: "15m",
    ...changed,
  });
export const policy = create("sys:Policy", "deploy", {
  name: "deploy",
  policy: 'path "secret/*" { capabilities = ["read", "list"] }',
});
export const explainSteps = [config, deployRole(), policy];

const now = Math.floor(Date.now() / 1000);
export const rightClaims = {
  iss: ISSUER,
  aud: "vault",
  sub: "ci",
  project_path: "acme/x",
  job: { ref: "main" },
  iat: now,
  exp: now + 3600,
};

/** A token, the role that it is explained against, and the demands that it misses. */
export interface ExplainCase {
  readonly title: string;
  readonly steps?: typeof explainSteps;
  /** What differs in the token; undefined for a claim that is not there. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly address?: string;
  readonly misses?: readonly string[];
  readonly wouldLogIn: boolean;
}

const missing = (property: string, claims: ExplainCase["claims"] & {}): ExplainCase => ({
  title: `says that a token with ${JSON.stringify(claims)} misses ${property}`,
  claims,
  misses: [property],
  wouldLogIn: false,
});

/** They are played on the embedded server, and on real ones. */
export const explainCases: readonly ExplainCase[] = [
  { title: "says that a token would log in", wouldLogIn: true },
  missing("boundIssuer", { iss: "https://other.example.com" }),
  missing("boundIssuer", { iss: undefined }),
  missing("exp", { exp: now - 3600 }),
  missing("nbf", { nbf: now + 3000 }),
  missing("iat", { iat: now + 3000 }),
  missing("boundAudiences", { aud: "consul" }),
  missing("boundClaims.project_path", { project_path: "mallory/x" }),
  missing("boundClaims./job/ref", { job: { ref: "x/main" } }),
  missing("boundClaims./job/ref", { job: null }),
  {
    title: "says that a token comes from another network",
    address: "127.0.0.1",
    misses: ["tokenBoundCidrs"],
    wouldLogIn: false,
  },
  {
    title: "says that a token without any time would not log in",
    claims: { iat: undefined, exp: undefined },
    misses: ["iat"],
    wouldLogIn: false,
  },
  {
    title: "says that a token without the user's claim would not log in",
    claims: { sub: undefined },
    misses: ["userClaim"],
    wouldLogIn: false,
  },
  {
    title: "says that the claim of the groups is not there",
    steps: [config, deployRole({ groupsClaim: "groups" }), policy],
    misses: ["groupsClaim"],
    wouldLogIn: false,
  },
  {
    title: "says that a claim to copy is no text",
    steps: [config, deployRole({ claimMappings: { n: "n" } }), policy],
    claims: { n: 7 },
    misses: ["claimMappings.n"],
    wouldLogIn: false,
  },
  // https://github.com/openbao/openbao/issues/3003
  {
    title: "does not miss a claim that is only copied",
    steps: [config, deployRole({ claimMappings: { "/dummy": "dummy" } }), policy],
    wouldLogIn: true,
  },
  {
    title: "says that the role binds no audience",
    steps: [config, deployRole({ boundAudiences: undefined }), policy],
    misses: ["boundAudiences"],
    wouldLogIn: false,
  },
  {
    title: "says that a token begins to count only before its end",
    claims: { iat: undefined },
    misses: ["nbf"],
    wouldLogIn: false,
  },
  {
    title: "says that a token without an end counts no longer",
    claims: { iat: now - 3600, exp: undefined },
    misses: ["exp"],
    wouldLogIn: false,
  },
  {
    title: "takes the address of the keys for no issuer that a token must name",
    steps: [create("jwt:Config", "jobs", { mount: "jobs", jwksUrl: `${ISSUER}/keys` }), deployRole(), policy],
    claims: { iss: "https://any.example.com" },
    wouldLogIn: true,
  },
  {
    title: "takes the discovery URL for no issuer that a token must name",
    steps: [create("jwt:Config", "jobs", { mount: "jobs", oidcDiscoveryUrl: ISSUER }), deployRole(), policy],
    claims: { iss: "https://any.example.com" },
    wouldLogIn: true,
  },
  {
    title: "counts the leeway of the role",
    steps: [config, deployRole({ clockSkewLeeway: "1h" }), policy],
    claims: { exp: now - 30, nbf: now - 60 },
    wouldLogIn: true,
  },
  {
    title: "counts no leeway where the role has none",
    steps: [config, deployRole({ clockSkewLeeway: -1 }), policy],
    claims: { exp: now - 30, nbf: now - 60 },
    misses: ["exp"],
    wouldLogIn: false,
  },
  {
    title: "finds a bound on a claim that the server itself reads",
    steps: [config, deployRole({ userClaim: "aud", boundClaims: { aud: "vault", iss: ISSUER } }), policy],
    wouldLogIn: true,
  },
  {
    title: "takes an empty text for a value",
    steps: [config, deployRole({ boundClaims: { ref: "" } }), policy],
    claims: { ref: "" },
    wouldLogIn: true,
  },
];

const method = { mount: "jobs", oidcDiscoveryUrl: ISSUER, oidcClientId: "app", oidcClientSecret: "s" };
export const browserSteps = [
  create("jwt:Config", "jobs", { ...method, jwtSupportedAlgs: ["ES256"] }),
  deployRole({
    ...{ roleType: "oidc", maxAge: "1h", allowedRedirectUris: ["http://localhost:8250/oidc/callback"] },
    boundAudiences: undefined,
  }),
  policy,
];
const idToken = (title: string, claims: ExplainCase["claims"] & {}, misses: readonly string[] = []): ExplainCase => ({
  title: `judges ${title}`,
  steps: browserSteps,
  claims: { auth_time: now, aud: "app", ...claims },
  misses,
  wouldLogIn: misses.length === 0,
});

/** Vault looks at what an ID token must be where a login through a browser ends: a login with a JWT does not. */
export const idTokenExplainCases: readonly ExplainCase[] = [
  idToken("an ID token for the client", {}),
  {
    ...idToken("an ID token and a bound claim, where tokens for other roles have another issuer", { ref: "main" }),
    steps: [
      create("jwt:Config", "jobs", { ...method, jwtSupportedAlgs: ["ES256"], boundIssuer: "https://other.example" }),
      ...browserSteps.slice(1),
    ],
  },
  idToken("an ID token for another audience", { aud: "vault" }, ["oidcClientId"]),
  idToken("an ID token for another authorized party", { azp: "other" }, ["oidcClientId"]),
  idToken("an ID token of another issuer", { iss: "https://other.example" }, ["oidcDiscoveryUrl"]),
  idToken("an ID token that is over", { exp: now - 3600 }, ["exp"]),
  idToken("an ID token without an end", { exp: undefined }, ["exp"]),
  idToken("an ID token of later", { nbf: now + 3600, iat: now + 3600 }, ["nbf", "iat"]),
  idToken("an ID token of an old login", { auth_time: 1 }, ["maxAge"]),
  idToken("an ID token without a subject", { sub: undefined }, ["sub", "userClaim"]),
];
