import { generateKeyPairSync } from "node:crypto";
import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";

const rsa = (bits: number) =>
  generateKeyPairSync("rsa", { modulusLength: bits }).publicKey.export({ type: "spki", format: "pem" }).toString();
const ec = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();
const bounded = (Condition: object) => ({ Effect: "Allow", Action: "iam:AttachUserPolicy", Resource: "*", Condition });
const policy = (statement: unknown) => JSON.stringify({ Version: "2012-10-17", Statement: statement });
/** A role that is bound to somebody. */
export const bound = { boundSubject: "x" };
const onGitHub = { mount: "gh" };
const west = { peer: "west" };

/** Values, and the properties that a rule names in them. */
export type LintCase = readonly [rule: string, token: string, values: Values, properties: readonly string[]];

export const CASES: readonly LintCase[] = [
  ["any-token", "jwt:Role", { roleType: "jwt", boundAudiences: ["a"] }, ["boundSubject"]],
  ["any-token", "jwt:Role", { boundAudiences: ["a"], tokenPolicies: ["deploy"] }, ["boundSubject"]],
  ["any-token", "jwt:Role", { mount: "google", groupsClaim: "groups" }, ["boundSubject"]],
  // What everybody at a private provider gets is left to groups.
  ["any-token", "jwt:Role", { groupsClaim: "groups" }, []],
  ["any-token", "jwt:Role", { roleType: "jwt", boundClaims: { ref: "*" }, boundClaimsType: "glob" }, ["boundClaims"]],
  [
    "any-token",
    "jwt:Role",
    { roleType: "jwt", boundClaims: { ref: ["main", "**"] }, boundClaimsType: "glob" },
    ["boundClaims"],
  ],
  ["literal-star", "jwt:Role", { boundClaims: { ref: "*" }, boundClaimsType: "string" }, ["boundClaims.ref"]],
  // https://github.com/hashicorp/vault-plugin-auth-jwt/issues/218
  ["literal-star", "jwt:Role", { boundSubject: "repo:acme/x:*" }, ["boundSubject"]],
  ["literal-star", "jwt:Role", { ...bound, boundClaims: { ref: ["main", "v*"] } }, ["boundClaims.ref[1]"]],
  ["literal-star", "jwt:Role", { ...bound, boundClaims: { ref: "v.*" }, boundClaimsType: "glob" }, ["boundClaims.ref"]],
  [
    "literal-star",
    "jwt:Role",
    { ...bound, boundClaims: { ref: ["^refs/heads/main$", "v.+", "v*"] }, boundClaimsType: "glob" },
    ["boundClaims.ref[0]", "boundClaims.ref[1]"],
  ],
  ["literal-star", "jwt:Role", { ...bound, boundClaims: { ref: "v*" }, boundClaimsType: UNKNOWN }, []],
  ["any-token", "jwt:Role", { boundClaims: { ref: "*", project: "a" }, boundClaimsType: "glob" }, []],
  ["any-token", "jwt:Role", { boundSubject: "repo:acme/platform" }, []],
  ["any-token", "jwt:Role", { boundSubject: UNKNOWN }, []],
  ["any-token", "jwt:Role", { boundClaims: { ref: UNKNOWN } }, []],
  // https://github.com/prowler-cloud/prowler/issues/12845: what anybody can choose at an issuer that everybody shares.
  ["no-owner", "jwt:Role", { ...onGitHub, boundClaims: { ref: "refs/heads/main" } }, ["boundClaims"]],
  [
    "no-owner",
    "jwt:Role",
    { ...onGitHub, boundClaims: { environment: "production", event_name: "push" } },
    ["boundClaims"],
  ],
  [
    "no-owner",
    "jwt:Role",
    { ...onGitHub, boundClaims: { "/ref": "main", repository: ["acme/app", "*"] }, boundClaimsType: "glob" },
    ["boundClaims"],
  ],
  ["no-owner", "jwt:Role", { ...onGitHub, boundClaims: { sub: "repo:*" }, boundClaimsType: "glob" }, ["boundClaims"]],
  [
    "no-owner",
    "jwt:Role",
    { ...onGitHub, boundClaims: { sub: "repo:acme*" }, boundClaimsType: "glob" },
    ["boundClaims"],
  ],
  ["no-owner", "jwt:Role", { ...onGitHub, boundSubject: "repo:acme/app:ref:refs/heads/main" }, []],
  ["no-owner", "jwt:Role", { ...onGitHub, boundClaims: { ref: UNKNOWN } }, []],
  ["no-owner", "jwt:Role", { mount: "own", boundClaims: { ref: "main" } }, []],
  [
    "leading-glob",
    "jwt:Role",
    { ...bound, boundClaims: { ref: ["main", "*-release"] }, boundClaimsType: "glob" },
    ["boundClaims.ref[1]"],
  ],
  ["leading-glob", "jwt:Role", { ...bound, boundClaims: { ref: "release/*" }, boundClaimsType: "glob" }, []],
  ["literal-star", "jwt:Role", { ...bound, boundClaims: { ref: "*-release" } }, ["boundClaims.ref"]],
  [
    "admin-policy",
    "jwt:Role",
    { ...bound, tokenPolicies: ["deploy", "root", "ci-admin", "team/admins"] },
    ["tokenPolicies[1]", "tokenPolicies[2]", "tokenPolicies[3]"],
  ],
  ["admin-policy", "jwt:Role", { ...bound, tokenPolicies: ["badminton", "rootless", UNKNOWN] }, []],
  ["admin-policy", "identity:Group", { name: "all", policies: ["read", "admin"] }, ["policies[1]"]],
  // https://github.com/hashicorp/web-unified-docs/pull/1942
  [
    "group-name",
    "identity:Group",
    { name: "all", type: "external", alias: { mount: "entra", name: "Admins" } },
    ["alias.name"],
  ],
  [
    "group-name",
    "identity:Group",
    { name: "all", type: "external", alias: { mount: "entra", name: "02f4a1c0-7f0e-4c4e-9a55-0d2b6b7f1a11" } },
    [],
  ],
  ["group-name", "identity:Group", { name: "all", type: "external", alias: { mount: "own", name: "Admins" } }, []],
  ["unknown-policy", "identity:Group", { name: "all", policies: ["elsewhere", "gone"] }, ["policies[1]"]],
  ["unknown-policy", "jwt:Role", { ...bound, tokenPolicies: ["elsewhere", "gone", UNKNOWN] }, ["tokenPolicies[1]"]],
  ["admin-policy", "cloud:Role", { policyArns: ["arn:aws:iam::aws:policy/AdministratorAccess"] }, ["policyArns[0]"]],
  ["admin-policy", "cloud:Role", { arn: "arn:aws:iam::aws:policy/AdministratorAccess" }, ["arn"]],
  [
    "admin-policy",
    "cloud:Role",
    { roleArns: ["arn:aws:iam::123456789012:role/team/Admin"], iamGroups: ["admins", "deployers"] },
    ["iamGroups[0]", "roleArns[0]"],
  ],
  ["admin-policy", "cloud:Role", { roleArns: ["arn:aws:iam::123456789012:role/deploy"], arn: UNKNOWN }, []],
  ["long-ttl", "jwt:Role", { ...bound, tokenTtl: "25h", tokenMaxTtl: 86_400 }, ["tokenTtl"]],
  ["long-ttl", "jwt:Role", { ...bound, tokenTtl: UNKNOWN, tokenMaxTtl: 0 }, []],
  ["long-ttl", "jwt:Role", { ...bound, clockSkewLeeway: "48h", expirationLeeway: -1 }, ["clockSkewLeeway"]],
  [
    "plain-http",
    "jwt:Config",
    { jwksUrl: "http://git.example.com/keys", jwksPairs: [{ jwksUrl: "http://a.example/k" }] },
    ["jwksPairs[0].jwksUrl", "jwksUrl"],
  ],
  ["plain-http", "jwt:Config", { jwksUrl: "http://127.0.0.1:8080/keys", oidcDiscoveryUrl: "https://a" }, []],
  ["plain-http", "jwt:Config", { oidcDiscoveryUrl: "http://localhost.example.com" }, ["oidcDiscoveryUrl"]],
  [
    "plain-http",
    "jwt:Role",
    { ...bound, allowedRedirectUris: ["http://localhost:8250/cb", "http://vault.example.com/cb"] },
    ["allowedRedirectUris[1]"],
  ],
  ["login-log", "jwt:Role", { ...bound, verboseOidcLogging: true }, ["verboseOidcLogging"]],
  ["login-log", "jwt:Role", { ...bound, verboseOidcLogging: UNKNOWN }, []],
  ["slow-rotation", "cloud:StaticRole", { rotationPeriod: "91d" }, ["rotationPeriod"]],
  ["slow-rotation", "cloud:StaticRole", { rotationPeriod: 7_776_000 }, []],
  ["slow-rotation", "cloud:RootConfig", { rotationPeriod: "365d" }, ["rotationPeriod"]],
  ["long-ttl", "cloud:Role", { maxStsTtl: "7d" }, ["maxStsTtl"]],
  ["long-ttl", "cloud:LeaseConfig", { lease: "1h", leaseMax: "48h" }, ["leaseMax"]],
  ["long-ttl", "sys:AuthMount", { maxLeaseTtl: "768h" }, ["maxLeaseTtl"]],
  ["long-ttl", "sys:SecretsMount", { defaultLeaseTtl: "768h" }, ["defaultLeaseTtl"]],
  ["endless-token", "jwt:Role", { ...bound, tokenPeriod: "1h" }, ["tokenPeriod"]],
  ["endless-token", "jwt:Role", { ...bound, tokenPeriod: "1h", tokenExplicitMaxTtl: "8h" }, []],
  ["endless-token", "jwt:Role", { ...bound, tokenPeriod: 0 }, []],
  [
    "wildcard-redirect",
    "jwt:Role",
    { ...bound, allowedRedirectUris: ["https://a.example/cb", "https://*.example/cb"] },
    ["allowedRedirectUris[1]"],
  ],
  [
    "no-lockout",
    "sys:AuthMount",
    { userLockoutConfig: { lockoutDisable: true } },
    ["userLockoutConfig.lockoutDisable"],
  ],
  ["no-lockout", "sys:AuthMount", { userLockoutConfig: { lockoutDisable: false, lockoutThreshold: 3 } }, []],
  ["no-lockout", "sys:AuthMount", { userLockoutConfig: { lockoutDisable: UNKNOWN } }, []],
  ["short-key", "jwt:Config", { jwtValidationPubkeys: [rsa(2048), rsa(1024), ec] }, ["jwtValidationPubkeys[1]"]],
  [
    "any-action",
    "cloud:Role",
    { policyDocument: policy([{ Effect: "Allow", Action: ["s3:GetObject", "*"] }]) },
    ["policyDocument.Statement[0].Action[1]"],
  ],
  [
    "any-action",
    "cloud:Role",
    { policyDocument: policy({ Effect: "Allow", Action: "iam:*" }) },
    ["policyDocument.Statement.Action"],
  ],
  [
    "any-action",
    "cloud:Role",
    { policyDocument: { Statement: [{ Effect: "Allow", NotAction: "iam:*" }] } },
    ["policyDocument.Statement[0].NotAction"],
  ],
  [
    "any-action",
    "cloud:Role",
    { policyDocument: '{"Statement":{"Effect":"Allow","Effect":"Deny","Action":"*","Action":"s3:Get"}}' },
    ["policyDocument.Statement.Action[0]"],
  ],
  ["any-action", "cloud:Role", { policyDocument: policy([{ Effect: "Deny", Action: "*" }]) }, []],
  ...[
    "iam:PutRolePolicy",
    "iam:Attach*",
    "IAM:CreateAccessKey",
    "iam:PassRole",
    "iam:UpdateAssumeRolePolicy",
    "sts:AssumeRole",
  ].map(
    (Action): LintCase => [
      "own-rights",
      "cloud:Role",
      { policyDocument: policy([{ Effect: "Allow", Action: ["s3:GetObject", Action], Resource: ["*"] }]) },
      ["policyDocument.Statement[0].Action[1]"],
    ],
  ),
  ...[
    { Effect: "Allow", Action: "sts:AssumeRole", Resource: "arn:aws:iam::123456789012:role/deploy" },
    { Effect: "Allow", Action: ["iam:GetUser", "iam:ListRoles"], Resource: "*" },
    { Effect: "Deny", Action: "iam:PutRolePolicy", Resource: "*" },
    // As https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html delegates it.
    bounded({ StringEquals: { "iam:PermissionsBoundary": "arn:aws:iam::123456789012:policy/Boundary" } }),
    bounded({ ArnLike: { "iam:permissionsboundary": ["arn:aws:iam::123456789012:policy/Boundary"] } }),
  ].map((statement): LintCase => ["own-rights", "cloud:Role", { policyDocument: policy(statement) }, []]),
  ...[
    { StringLike: { "iam:PermissionsBoundary": "arn:aws:iam::123456789012:policy/*" } },
    { StringEqualsIfExists: { "iam:PermissionsBoundary": "arn:aws:iam::123456789012:policy/Boundary" } },
    { StringNotEquals: { "iam:PermissionsBoundary": "arn:aws:iam::123456789012:policy/Boundary" } },
    { StringLike: { "iam:PolicyARN": "arn:aws:iam::aws:policy/*" } },
    { Bool: { "aws:MultiFactorAuthPresent": "true" } },
  ].map(
    (condition): LintCase => [
      "own-rights",
      "cloud:Role",
      { policyDocument: policy(bounded(condition)) },
      ["policyDocument.Statement.Action"],
    ],
  ),
  ["any-action", "cloud:Role", { policyDocument: UNKNOWN }, []],
  [
    "any-service",
    "cluster:ExportedServices",
    {
      services: [
        { name: "web", consumers: [west] },
        { name: "*", consumers: [west] },
      ],
    },
    ["services[1].name"],
  ],
  ["any-service", "cluster:ExportedServices", { services: [{ name: UNKNOWN, consumers: [west] }] }, []],
  [
    "any-service",
    "cluster:Intention",
    {
      sources: [
        { name: "*", action: "allow", ...west },
        { name: "*", action: "allow" },
        { name: "a", action: "allow" },
      ],
    },
    ["sources[0].name", "sources[1].name"],
  ],
  [
    "any-service",
    "cluster:Intention",
    {
      sources: [
        { name: "*", action: "deny" },
        { name: "*", ...west, permissions: [{ action: "allow" }] },
      ],
    },
    [],
  ],
];
