import { describe, expect, it } from "vitest";
import { ISSUER, jobRole, mapOf, wanted, waysOf } from "./map-harness.ts";
import type { WantedStep } from "./preview-text.ts";

const config = (mount: string, changed: object = {}) =>
  wanted("jwt:Config", mount, { mount, oidcDiscoveryUrl: ISSUER, ...changed });
const policy = (name: string, text: string, changed: object = {}) =>
  wanted("sys:Policy", name, { name, policy: text, ...changed });

const CASES: readonly (readonly [what: string, steps: readonly WantedStep[], ways: readonly string[]])[] = [
  [
    "a login from its issuer to the role, with all that is demanded",
    [
      config("jobs", { boundIssuer: ISSUER }),
      jobRole("ci", {
        boundAudiences: ["vault"],
        boundSubject: "robot",
        boundClaims: { ref: ["main", "release/*"] },
        boundClaimsType: "glob",
        tokenBoundCidrs: ["10.0.0.0/8"],
        tokenPolicies: [],
      }),
    ],
    [
      `issuer ${ISSUER} > mount auth/jobs: iss is "${ISSUER}"`,
      'mount auth/jobs > role jobs/ci: aud is "vault", sub is "robot", ref is like "main" or "release/*", from 10.0.0.0/8',
    ],
  ],
  [
    "a role without a demand",
    [jobRole("ci", { boundClaims: {}, tokenPolicies: [] })],
    ["mount auth/jobs > role jobs/ci: any token"],
  ],
  [
    "the keys that stand for an issuer",
    [
      wanted("jwt:Config", "a", {
        mount: "a",
        jwksPairs: [{ jwksUrl: "https://a/keys" }, { jwksUrl: "https://b/keys" }],
      }),
      wanted("jwt:Config", "b", { mount: "b", jwtValidationPubkeys: ["PEM"] }),
    ],
    [
      "issuer https://a/keys > mount auth/a",
      "issuer https://b/keys > mount auth/a",
      "issuer public keys in auth/b > mount auth/b",
    ],
  ],
  [
    "one issuer for several mounts, and roles of one name apart",
    [config("a"), config("b"), jobRole("ci", { mount: "a", tokenPolicies: ["x"] }), jobRole("ci", { mount: "b" })],
    [
      `issuer ${ISSUER} > mount auth/a`,
      `issuer ${ISSUER} > mount auth/b`,
      'mount auth/a > role a/ci: project is "acme/ci"',
      'mount auth/b > role b/ci: project is "acme/ci"',
      "role a/ci > policy x",
      "role b/ci > policy ci",
    ],
  ],
  [
    "namespaces and connections apart",
    [
      jobRole("ci", { namespace: "team", tokenPolicies: ["x"] }),
      jobRole("ci", { connection: "east", tokenPolicies: ["x"] }),
      policy("x", 'path "a" { capabilities = ["read"] }', { namespace: "team" }),
    ],
    [
      'mount auth/jobs (east) > role jobs/ci (east): project is "acme/ci"',
      'mount auth/jobs (team) > role jobs/ci (team): project is "acme/ci"',
      "policy x (team) > path a (team): read",
      "role jobs/ci (east) > policy x (east)",
      "role jobs/ci (team) > policy x (team)",
    ],
  ],
  [
    "every record of a set, with the defaults",
    [
      wanted("jwt:RoleSet", "all", {
        mount: "jobs",
        defaults: { roleType: "jwt", userClaim: "sub", tokenPolicies: ["shared"] },
        roles: { a: { boundSubject: "a" }, b: { boundSubject: "b", tokenPolicies: ["own"] } },
      }),
    ],
    [
      'mount auth/jobs > role jobs/a: sub is "a"',
      'mount auth/jobs > role jobs/b: sub is "b"',
      "role jobs/a > policy shared",
      "role jobs/b > policy own",
    ],
  ],
  [
    "a policy to the cloud roles whose credentials it may ask for, by the rule that counts",
    [
      policy(
        "wide",
        'path "aws/creds/*" { capabilities = ["read"] }\npath "aws/+/two" { capabilities = ["deny"] }\npath "aws/creds/two" { capabilities = ["deny"] }',
      ),
      policy("lists", 'path "aws/creds/one" { capabilities = ["list"] }'),
      policy("static", 'path "aws/static-creds/key" { capabilities = ["read"] }'),
      wanted("cloud:RoleSet", "aws", {
        mount: "aws",
        defaults: { credentialType: "iam_user" },
        roles: { one: { policyArns: ["arn:aws:iam::aws:policy/A"], iamGroups: ["ops"] }, two: {} },
      }),
      wanted("cloud:StaticRole", "key", { mount: "aws", name: "key", username: "robot", rotationPeriod: "1h" }),
    ],
    [
      "cloudRole aws/one > cloudPermission arn:aws:iam::aws:policy/A",
      "cloudRole aws/one > cloudPermission group ops",
      "cloudRole aws/key > cloudPermission user robot",
      "engine aws > cloudRole aws/one",
      "engine aws > cloudRole aws/two",
      "engine aws > cloudRole aws/key",
      "policy lists > path aws/creds/one: list",
      "policy static > cloudRole aws/key: by aws/static-creds/key, read",
      "policy static > path aws/static-creds/key: read",
      "policy wide > cloudRole aws/one: by aws/creds/*, read",
      "policy wide > path aws/creds/*: read",
    ],
  ],
  [
    "a group from the roles whose tokens name groups, and nobody else's",
    [
      jobRole("people", { groupsClaim: "groups", tokenPolicies: [] }),
      jobRole("ci", { tokenPolicies: [] }),
      wanted("identity:Group", "ops", {
        name: "ops",
        type: "external",
        policies: ["Admin "],
        alias: { mount: "jobs", name: "platform" },
      }),
      wanted("identity:Group", "staff", { name: "staff", type: "external", alias: { mount: "ldap", name: "staff" } }),
    ],
    [
      "group ops > policy admin",
      'mount auth/jobs > role jobs/ci: project is "acme/ci"',
      'mount auth/jobs > role jobs/people: project is "acme/people"',
      'mount auth/ldap > group staff: its groups have "staff"',
      'role jobs/people > group ops: groups has "platform"',
    ],
  ],
  [
    "peers, callers and services, partitions apart",
    [
      wanted("cluster:Peering", "west", { peerName: "west", peeringToken: "x" }),
      wanted("cluster:PeeredClusters", "pair", {
        acceptorConnection: "east",
        acceptorPeerName: "south",
        dialerConnection: "north",
        dialerPeerName: "east",
      }),
      wanted("cluster:ExportedServices", "default", {
        services: [{ name: "Billing", consumers: [{ peer: "west" }, { partition: "team" }] }],
      }),
      wanted("cluster:ExportedServices", "team", {
        partition: "team",
        services: [{ name: "*", namespace: "apps", consumers: [{ peer: "west" }] }],
      }),
      wanted("cluster:Intention", "billing", {
        destination: "billing",
        sources: [
          { name: "web", action: "allow" },
          { name: "shop", peer: "west", permissions: [{ action: "allow", http: {} }] },
          { name: "*", action: "deny" },
        ],
      }),
    ],
    [
      "caller partition team > service billing: exported",
      "caller web > service billing",
      "peer west (team) > service apps/* (team): exported",
      "peer west > service billing: exported, service shop, some HTTP requests only",
    ],
  ],
];

describe("the map of a stack", () => {
  it.each(CASES)("shows %s", async (_, steps, ways) => {
    expect(waysOf(await mapOf(steps)).sort()).toEqual([...ways].sort());
  });
});
