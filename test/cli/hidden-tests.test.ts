// @run test: it searches for tokens

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runTrustTests } from "../../cli/commands/test/tests-in-code.ts";
import type { TrustTests } from "../../cli/facts/trust/trust-tests.ts";
import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const read = 'path "secret/*" { capabilities = ["read"] }';
const role = (mount: string, name: string) => ({
  mount,
  name,
  roleType: "jwt",
  userClaim: "sub",
  boundSubject: "ci",
  tokenPolicies: [name],
});
const records: Readonly<Record<string, readonly [token: string, values: Values]>> = {
  mount: ["sys:AuthMount", { path: "jobs", type: "jwt", maxLeaseTtl: "1h" }],
  method: ["jwt:Config", { mount: "jobs", boundIssuer: "https://git.example.com" }],
  deploy: ["jwt:Role", role("jobs", "deploy")],
  build: ["jwt:Role", role("jobs", "build")],
  other: ["jwt:Role", role("people", "other")],
  policy: ["sys:Policy", { name: "deploy", policy: read }],
  policy2: ["sys:Policy", { name: "build", policy: read }],
  policy3: ["sys:Policy", { name: "other", policy: read }],
  team: [
    "identity:Group",
    { name: "team", type: "external", policies: ["deploy"], alias: { mount: "jobs", name: "x" } },
  ],
  services: ["cluster:ExportedServices", { services: [{ name: "shop", consumers: [{ peer: "west" }] }] }],
  cloud: [
    "cloud:Role",
    { mount: "aws", name: "deploy", credentialType: "iam_user", policyArns: ["arn:aws:iam::aws:policy/x"] },
  ],
};

const login = (mount: string, name: string): TrustTests["tests"][number] => ({
  name,
  login: { mount, role: name, claims: { sub: "ci" } },
  expect: { policies: [name], may: { "secret/x": ["read"] } },
});
const tests: TrustTests = {
  tests: [
    login("jobs", "deploy"),
    login("jobs", "build"),
    login("people", "other"),
    { name: "never", never: { mount: "jobs", policy: "other" } },
    { name: "peer", peer: { name: "west" }, expect: { services: ["shop"] } },
    { name: "cloud", cloudRole: { mount: "aws", role: "deploy" }, expect: { policies: [] } },
  ],
};

/** A preview of the stack where one record has other values. */
const preview = (which: string, changed: Values) =>
  previewJson({
    steps: Object.entries(records).map(([name, [token, values]]): WantedStep => {
      const after = name === which ? { ...values, ...changed } : values;
      return { op: "create", token, name, after };
    }),
  });

/** The problems of the tests that did not pass, by their names. */
async function failing(which: string, changed: Values): Promise<Record<string, readonly string[]>> {
  const { tests: outcomes } = await runTrustTests(preview(which, changed), tests);
  return Object.fromEntries(outcomes.filter(({ passed }) => !passed).map(({ name, problems }) => [name, problems]));
}

describe("where a record has a hidden property, only the tests that it may decide fail", () => {
  it("none, where nothing is hidden", async () => {
    expect(await failing("", {})).toEqual({});
  });

  const hides = (title: string, names: string) => [`${title} cannot be tested: ${names} secret, or not known yet.`];
  const all = (names: readonly string[], problems: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, problems]));
  it.each<[string, string, Values, Record<string, readonly string[]>]>([
    [
      "a claim of a role",
      "deploy",
      { boundSubject: UNKNOWN, boundClaims: { ref: UNKNOWN } },
      all(["deploy", "never"], hides("jwt.Role deploy", "boundSubject and boundClaims are")),
    ],
    [
      "the policies of a role",
      "other",
      { tokenPolicies: UNKNOWN },
      {
        ...all(["other"], hides("jwt.Role other", "tokenPolicies is")),
        cloud: [expect.stringContaining("who gets the credentials cannot be told")],
      },
    ],
    [
      "the name of a role",
      "deploy",
      { name: UNKNOWN },
      all(["deploy", "never"], hides("jwt.Role (secret, or not known yet)", "name is")),
    ],
    ["the mount of a role", "other", { mount: UNKNOWN }, all(["other", "never"], hides("jwt.Role other", "mount is"))],
    [
      "the issuer of an auth method",
      "method",
      { boundIssuer: UNKNOWN },
      all(["deploy", "build", "never"], hides("jwt.Config jobs", "boundIssuer is")),
    ],
    [
      "a lifetime of a mount",
      "mount",
      { maxLeaseTtl: UNKNOWN },
      all(["deploy", "build", "never"], hides("sys.AuthMount jobs", "maxLeaseTtl is")),
    ],
    [
      "the alias of a group",
      "team",
      { alias: UNKNOWN },
      all(["deploy", "build", "other", "never"], hides("identity.Group team", "alias is")),
    ],
    [
      "the name in the alias of a group",
      "team",
      { alias: { mount: "jobs", name: UNKNOWN } },
      all(["deploy", "build", "never"], hides("identity.Group team", "alias is")),
    ],
    [
      "the text of a policy",
      "policy2",
      { policy: UNKNOWN },
      all(["build", "cloud"], [expect.stringMatching(/^nobody knows what policy build allows: .* hides its text/)]),
    ],
    [
      "exported services",
      "services",
      { services: UNKNOWN },
      all(["peer"], hides("cluster.ExportedServices", "services is")),
    ],
    [
      "exported services elsewhere",
      "services",
      { partition: "x", services: UNKNOWN },
      { peer: [expect.stringContaining("no peer")] },
    ],
  ])("%s", async (_what, which, changed, expected) => {
    expect(await failing(which, changed)).toEqual(expected);
  });

  it.each(["jwtValidationPubkeys", "oidcClientSecret"])("none for %s of an auth method", async (property) => {
    expect(await failing("method", { [property]: UNKNOWN })).toEqual({});
  });
});

describe("explain token", () => {
  it("refuses a role with a hidden property, and no other one", async () => {
    const claims = Buffer.from(JSON.stringify({ sub: "ci" })).toString("base64url");
    const jwt = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims}.`;
    const words = ["explain", "token", "--mount", "jobs", "--token-env", "HIDDEN_JWT", "--state", "-", "--role"];
    vi.stubEnv("HIDDEN_JWT", jwt);
    onTestFinished(() => void vi.unstubAllEnvs());
    const text = preview("deploy", { boundClaims: UNKNOWN });
    expect(await runCli([...words, "deploy"], text)).toEqual({
      code: 1,
      out: "",
      err: "trustplane: jwt.Role deploy cannot be tested: boundClaims is secret, or not known yet.\n",
    });
    expect(await runCli([...words, "build"], text)).toMatchObject({ err: "" });
  });
});
