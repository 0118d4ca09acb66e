import type { Values } from "../../provider/core/definition.ts";
import type { WantedStep } from "../cli/preview-text.ts";

/** A file of trust tests, the stack that it is about, and how the run ends. */
export interface TrustCase {
  readonly title: string;
  readonly steps: readonly WantedStep[];
  readonly tests: string;
  readonly code: 0 | 1 | 2;
  /** What the run says. */
  readonly says?: readonly (string | RegExp)[];
  /** What the run does not say. */
  readonly omits?: readonly string[];
}

export const create = (token: string, name: string, after: Values): WantedStep => ({
  op: "create",
  token,
  name,
  after,
});

const role: Values = {
  mount: "jobs",
  name: "deploy",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["https://vault.example.com"],
  boundClaims: { project_path: "acme/*", ref: ["main", "release/1"] },
  boundClaimsType: "glob",
  tokenPolicies: ["deploy"],
  tokenTtl: "15m",
};

/** A stack as a team has it: jobs that deploy, and an engine that the embedded server does not have. */
export const stack = (changed: Values = {}): readonly WantedStep[] => [
  create("sys:AuthMount", "jobs", { path: "jobs", type: "jwt", maxLeaseTtl: "1h", pluginVersion: "v1.2.3" }),
  create("sys:SecretsMount", "secret", { path: "secret", type: "kv-v2" }),
  create("jwt:Config", "jobs", {
    mount: "jobs",
    jwksUrl: "https://git.example.com/keys",
    boundIssuer: "https://git.example.com",
  }),
  create("jwt:Role", "deploy", { ...role, ...changed }),
  create("sys:Policy", "deploy", {
    name: "deploy",
    policy:
      'path "secret/data/deploy/*" { capabilities = ["read"] }\npath "secret/data/deploy/root" { capabilities = ["deny"] }',
  }),
];

const fitting = "project_path: acme/platform, ref: main, sub: ci";
const fork = "project_path: mallory/x, ref: main, sub: ci";
const login = (claims: string, more = "") => `{ mount: jobs, role: deploy, ${more}claims: { ${claims} } }`;

/** One test with this expectation. */
export const one = (expect: string, claims = fitting, more = "") =>
  `tests:\n  - name: it\n    login: ${login(claims, more)}\n    expect: ${expect}\n`;

const passes: readonly (readonly [string, string])[] = [
  ["policies", "{ policies: [deploy] }"],
  ["a lifetime", "{ ttl: <= 15m }"],
  ["what a token may", '{ may: { "secret/data/deploy/app": [read] } }'],
  ["what a token may not", '{ mayNot: { "sys/policies/*": [read, update], "secret/data/deploy/*": [update] } }'],
];

const failures: readonly (readonly [string, string, string, string])[] = [
  ["another policy", "{ policies: [admin] }", fitting, "the token lacks policy admin"],
  ["one more policy", "{ policies: [] }", fitting, "the token also has policy deploy"],
  ["a lifetime", "{ ttl: < 15m }", fitting, "the token lives 15m, expected < 15m"],
  [
    "a path below",
    '{ may: { "secret/data/deploy/*": [read] } }',
    fitting,
    "the token may not read secret/data/deploy/*: secret/data/deploy/root",
  ],
  ["a path", '{ mayNot: { "secret/*": [read] } }', fitting, "the token may read secret/*: secret/data/deploy/"],
  [
    "a login that should fail",
    "refused",
    fitting,
    "the login is not refused: it gets policies default, deploy for 15m",
  ],
  ["a login that should not", "{}", fork, 'claim "project_path" does not match any associated bound claim values'],
];

const browser = [
  create("jwt:Config", "people", {
    mount: "people",
    oidcDiscoveryUrl: "https://login.example.com",
    oidcClientId: "v",
    oidcClientSecret: "s",
    defaultRole: "person",
  }),
  create("jwt:Role", "person", {
    mount: "people",
    name: "person",
    userClaim: "email",
    allowedRedirectUris: ["http://localhost:8250/oidc/callback"],
    boundClaims: { team: "a" },
    tokenPolicies: ["p"],
  }),
];
const person = (team: string) =>
  `tests:\n  - name: it\n    login: { mount: people, claims: { email: a@b.c, team: ${team} } }\n    expect: { policies: [p] }\n`;

const grouped = [
  create("sys:AuthMount", "people", { path: "people", type: "oidc" }),
  create("jwt:Role", "person", {
    mount: "people",
    name: "person",
    userClaim: "email",
    groupsClaim: "groups",
    allowedRedirectUris: ["http://localhost:8250/oidc/callback"],
  }),
  create("identity:Group", "platform", {
    name: "platform",
    type: "external",
    policies: ["platform"],
    alias: { mount: "people", name: "platform" },
  }),
];
const member = (groups: string) =>
  `tests:\n  - name: it\n    login: { mount: people, role: person, claims: { email: a@b.c, groups: [[${groups}]] } }\n    expect: { policies: [platform] }\n`;

const never = "tests:\n  - name: it\n    never: { mount: jobs, policy: deploy, unless: { project_path: acme/* } }\n";
const mayReadKv = one('{ may: { "kv/x": [read] } }');

/** Every case that logs in, or writes to a server. They are played on the embedded server, and on real ones. */
export const trustCases: readonly TrustCase[] = [
  ...passes.map(
    ([what, expected]): TrustCase => ({
      title: `passes a test of ${what}`,
      steps: stack(),
      tests: one(expected),
      code: 0,
    }),
  ),
  ...failures.map(
    ([what, expected, claims, problem]): TrustCase => ({
      title: `fails a test of ${what}, and says why`,
      steps: stack(),
      tests: one(expected, claims),
      code: 2,
      says: [problem],
    }),
  ),
  {
    title: "logs in once for each value of a claim that is a list",
    steps: stack(),
    tests: one("refused", 'project_path: acme/x, ref: [dev, "x/main", main], sub: ci'),
    code: 2,
    says: ['"ref":"main"'],
    omits: ['"ref":"dev"'],
  },
  // Loopback networks: a real server can be asked from them, too.
  ...(["127.0.0.1", "127.2.3.4"] as const).map(
    (address): TrustCase => ({
      title: `logs in from the address ${address}`,
      steps: stack({ tokenBoundCidrs: ["127.2.0.0/16"] }),
      tests: one("{ policies: [deploy] }", fitting, `address: ${address}, `),
      code: address === "127.0.0.1" ? 2 : 0,
    }),
  ),
  ...(["2020", "2030"] as const).map(
    (year): TrustCase => ({
      title: `logs in in ${year} with a token that expires in 2025`,
      steps: stack(),
      tests: one("{ policies: [deploy] }", `${fitting}, exp: 1735689600`, `at: ${year}-01-01T00:00:00Z, `),
      code: year === "2020" ? 0 : 2,
    }),
  ),
  ...(["a", "b"] as const).map(
    (team): TrustCase => ({
      title: `judges a login through a browser by the claims of its ID token: team ${team}`,
      steps: browser,
      tests: person(team),
      code: team === "a" ? 0 : 2,
    }),
  ),
  {
    title: "gives a person the policies of the groups that the provider names",
    steps: grouped,
    tests: member("platform, x"),
    code: 0,
    says: ["1 passed"],
  },
  {
    title: "gives a person no policies of other groups",
    steps: grouped,
    tests: member("x"),
    code: 2,
    says: ["the token lacks policy platform"],
  },
  {
    title: "searches for a token that gets a policy and should not",
    steps: stack(),
    tests: never,
    code: 0,
  },
  {
    title: "finds a token that gets a policy and should not",
    steps: stack({ boundClaims: { project_path: "acme*" } }),
    tests: never,
    code: 2,
    says: [/role deploy gives policy deploy to a token with the claims \{.*"project_path":"acme[^/]/],
  },
  {
    title: "searches claims that JSON pointers name",
    steps: stack({ boundClaims: { "/job/project": "acme/*" } }),
    tests: never.replace("project_path", '"/job/project"'),
    code: 0,
  },
  {
    title: "finds a token by a claim that a JSON pointer names",
    steps: stack({ boundClaims: { "/job/project": "acme*" } }),
    tests: never.replace("project_path", '"/job/project"'),
    code: 2,
    says: [/to a token with the claims \{.*"job":\{"project":"acme[^/]/],
  },
  {
    title: "names the demands of a role that no test shows to matter",
    steps: stack(),
    tests: `${one("{ policies: [deploy] }")}  - name: fork\n    login: ${login(fork)}\n    expect: refused\n`,
    code: 0,
    says: [
      "no test shows that boundClaims.ref of role deploy at auth/jobs matters",
      "no test shows that boundAudiences of role deploy",
    ],
    omits: ["boundClaims.project_path"],
  },
  {
    title: "asks for the text of a policy that the stack does not have",
    steps: stack({ tokenPolicies: ["base"] }),
    tests: mayReadKv,
    code: 2,
    says: ["nobody knows what policy base allows"],
  },
  {
    title: "takes the text of a policy that the stack does not have",
    steps: stack({ tokenPolicies: ["base"] }),
    tests: `policies: { base: 'path "kv/*" { capabilities = ["read"] }' }\n${mayReadKv}`,
    code: 0,
  },
  {
    title: "ends with 1 for a role that the server refuses",
    steps: stack({ userClaim: "" }),
    tests: one("refused"),
    code: 1,
    says: [/jwt\.Role deploy cannot be tested: the embedded server refuses it/],
  },
];
