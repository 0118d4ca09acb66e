import type { Values } from "../../provider/core/definition.ts";
import { create, stack, type TrustCase } from "./trust-cases.ts";

const ARN = "arn:aws:iam::123456789012:role/deploy";
const cloud = (changed: Values = {}) => [
  ...stack(),
  create("cloud:Role", "admin", {
    mount: "aws",
    name: "admin",
    credentialType: "assumed_role",
    roleArns: [ARN],
    ...changed,
  }),
  create("cloud:StaticRole", "robot", { mount: "aws", name: "robot", username: "robot", rotationPeriod: "1h" }),
  create("sys:Policy", "ops", {
    name: "ops",
    policy: 'path "aws/*" { capabilities = ["read"] }\npath "aws/static-creds/+" { capabilities = ["deny"] }',
  }),
];
const role = (name: string, expect: string) =>
  `tests:\n  - name: it\n    cloudRole: { mount: aws, role: ${name} }\n    expect: ${expect}\n`;

/** Every case of a cloud role; policies are asked of the embedded server, and of real ones. */
export const cloudRoleCases: readonly TrustCase[] = [
  {
    title: "knows what a cloud role hands out, and to whom",
    steps: cloud(),
    tests: role("admin", `{ credentialType: assumed_role, roleArns: ["${ARN}"], policyArns: [], policies: [ops] }`),
    code: 0,
  },
  {
    title: "knows who may ask for the credentials of a static role",
    steps: cloud(),
    tests: role("robot", "{ policies: [] }"),
    code: 0,
  },
  {
    title: "knows that sudo alone gets no credentials",
    steps: [
      ...cloud(),
      create("sys:Policy", "raise", { name: "raise", policy: 'path "aws/*" { capabilities = ["sudo"] }' }),
    ],
    tests: role("admin", "{ policies: [ops] }").replace("mount: aws", "mount: aws/"),
    code: 0,
  },
  {
    title: "cannot tell who gets credentials by a path that the server fills in",
    steps: [
      ...cloud(),
      create("sys:Policy", "own", {
        name: "own",
        policy: 'path "aws/creds/{{identity.entity.name}}" { capabilities = ["read"] }',
      }),
    ],
    tests: role("admin", "{ policies: [ops] }"),
    code: 2,
    says: ["it cannot be told whether a token gets the credentials with policy own"],
  },
  {
    title: "says what else a cloud role hands out, and to whom else",
    steps: cloud({ iamGroups: ["staff"] }),
    tests: role(
      "admin",
      '{ credentialType: iam_user, roleArns: ["arn:aws:iam::1:role/x"], iamGroups: [], policies: [deploy] }',
    ),
    code: 2,
    says: [
      "it hands out assumed_role, expected iam_user",
      "it does not hand out the role arn:aws:iam::1:role/x",
      `it also hands out the role ${ARN}`,
      "it also hands out the cloud group staff",
      "no token gets the credentials with policy deploy",
      "a token also gets the credentials with policy ops",
    ],
  },
  ...(
    [
      ["", 2],
      [', policyDocument: { Statement: { Effect: Allow, Action: "*" } }', 0],
      [", policyDocument: {}", 2],
    ] as const
  ).map(
    ([more, code]): TrustCase => ({
      title: `knows what the document of a cloud role hands out: ${more || "not said"}`,
      steps: cloud({
        ...{ credentialType: "iam_user", roleArns: undefined },
        policyDocument: '{"Statement":{"Action":"*","Effect":"Allow"}}',
      }),
      tests: role("admin", `{ policyArns: [], iamGroups: []${more} }`),
      code,
      ...(code === 0 ? {} : { says: [/policy document/] }),
    }),
  ),
  {
    title: "reads the old form of a cloud role",
    steps: cloud({ credentialType: undefined, roleArns: undefined, arn: ARN }),
    tests: role("admin", `{ credentialType: assumed_role, roleArns: ["${ARN}"] }`),
    code: 0,
  },
  {
    title: "asks for the text of a policy that could get credentials",
    steps: [...cloud(), create("jwt:Role", "other", { mount: "jobs", name: "other", tokenPolicies: ["base"] })].filter(
      ({ name }) => name !== "ops",
    ),
    tests: role("admin", "{ policies: [] }"),
    code: 1,
  },
  {
    title: "says that there is no such cloud role",
    steps: cloud(),
    tests: role("nobody", "{ policies: [] }"),
    code: 2,
    says: ["the stack has no role nobody at aws"],
  },
];

const source = (more: Values) => ({ peer: "east", name: "*", ...more });
const clusters = (intentions: readonly (readonly [string, readonly Values[]])[] = [], names = ["web", "API"]) => [
  create("cluster:Peering", "east", { peerName: "east", peeringToken: "x" }),
  create("cluster:ExportedServices", "default", {
    services: [
      ...names.map((name) => ({ name, consumers: [{ peer: "east" }] })),
      { name: "ours", consumers: [{ peer: "west" }, { partition: "other" }] },
    ],
  }),
  ...intentions.map(([destination, sources]) =>
    create("cluster:Intention", destination, { destination, sources: [...sources] }),
  ),
];
const peer = (services: string, name = "east") =>
  `tests:\n  - name: it\n    peer: { name: ${name} }\n    expect: { services: [${services}] }\n`;
const reaches = (title: string, steps: TrustCase["steps"], services: string): TrustCase => ({
  title: `knows which services a peer may reach: ${title}`,
  steps,
  tests: peer(services),
  code: 0,
});

/** Every case of a peer. */
export const peerCases: readonly TrustCase[] = [
  reaches("those that are exported to it", clusters(), "web, api"),
  reaches("not one that denies it", clusters([["web", [source({ action: "deny" })]]]), "api"),
  reaches("not where everything denies it", clusters([["*", [source({ action: "deny" })]]]), ""),
  reaches(
    "the one that allows one of its services",
    clusters([
      ["*", [source({ action: "deny" })]],
      ["web", [source({ name: "shop", action: "allow" })]],
    ]),
    "web",
  ),
  reaches(
    "not one that denies it, although every service allows one of its services",
    clusters([
      ["*", [source({ name: "shop", action: "allow" })]],
      ["web", [source({ action: "deny" })]],
    ]),
    "api",
  ),
  reaches("one that denies another peer", clusters([["web", [source({ peer: "west", action: "deny" })]]]), "web, api"),
  reaches(
    "every service, where one of them allows it",
    clusters(
      [
        ["*", [source({ action: "deny" })]],
        ["web", [source({ action: "allow" })]],
      ],
      ["*"],
    ),
    '"*"',
  ),
  {
    title: "says which other services a peer may reach",
    steps: clusters(),
    tests: peer("web, db"),
    code: 2,
    says: ["the peer does not reach db", "the peer also reaches api"],
  },
  {
    title: "says that there is no such peer",
    steps: clusters(),
    tests: peer("", "north"),
    code: 2,
    says: ["the stack has no peer north"],
  },
];
