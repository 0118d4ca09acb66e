import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const create = (token: string, name: string, after: Values): WantedStep => ({ op: "create", token, name, after });

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
const stack = (changed: Values = {}): readonly WantedStep[] => [
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

const claims = "project_path: acme/platform, ref: main, sub: ci";
const login = (given = claims) => `{ mount: jobs, role: deploy, claims: { ${given} } }`;
const one = (expect: string, given?: string) =>
  `tests:\n  - name: it\n    login: ${login(given)}\n    expect: ${expect}\n`;

async function tested(tests: string, steps = stack(), flags: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "trust.yml");
  writeFileSync(file, tests);
  return { folder, ...(await runCli(["test", file, ...flags], previewJson({ steps }))) };
}

describe("trustplane test", () => {
  it.each([
    ["policies", "{ policies: [deploy] }"],
    ["a lifetime", "{ ttl: <= 15m }"],
    ["what a token may", '{ may: { "secret/data/deploy/app": [read] } }'],
    ["what a token may not", '{ mayNot: { "sys/*": [read, update], "secret/data/deploy/*": [update] } }'],
  ])("passes a test of %s", async (_, expected) => {
    expect(await tested(one(expected))).toMatchObject({ code: 0, err: "" });
  });

  it.each([
    ["another policy", "{ policies: [admin] }", claims, "the token lacks policy admin"],
    ["one more policy", "{ policies: [] }", claims, "the token also has policy deploy"],
    ["a lifetime", "{ ttl: < 15m }", claims, "the token lives 15m, expected < 15m"],
    [
      "a path below",
      '{ may: { "secret/data/deploy/*": [read] } }',
      claims,
      "the token may not read secret/data/deploy/*: secret/data/deploy/root",
    ],
    ["a path", '{ mayNot: { "secret/*": [read] } }', claims, "the token may read secret/*: secret/data/deploy/any"],
    [
      "a login that should fail",
      "refused",
      claims,
      "the login is not refused: it gets policies default, deploy for 15m",
    ],
    [
      "a login that should not",
      "{}",
      "project_path: mallory/x, ref: main, sub: ci",
      'claim "project_path" does not match any associated bound claim values',
    ],
  ])("fails a test of %s, and says why", async (_, expected, given, problem) => {
    const { code, out } = await tested(one(expected, given));
    expect(out).toContain(problem);
    expect(code).toBe(2);
  });

  it("logs in once for each value of a claim that is a list", async () => {
    const { code, out } = await tested(one("refused", 'project_path: acme/x, ref: [dev, "x/main", main], sub: ci'));
    expect(out).toContain('"ref":"main"');
    expect(out).not.toContain('"ref":"dev"');
    expect(code).toBe(2);
  });

  it.each([
    ["127.0.0.1", 2],
    ["10.1.2.3", 0],
  ])("logs in from the address %s", async (address, code) => {
    const tests = one("{ policies: [deploy] }").replace("role: deploy,", `role: deploy, address: ${address},`);
    expect(await tested(tests, stack({ tokenBoundCidrs: ["10.0.0.0/8"] }))).toMatchObject({ code });
  });

  it.each([
    ["2020-01-01T00:00:00Z", 0],
    ["2030-01-01T00:00:00Z", 2],
  ])("logs in at %s with a token that expires in 2025", async (at, code) => {
    const tests = one("{ policies: [deploy] }", `${claims}, exp: 1735689600`).replace(
      "role: deploy,",
      `role: deploy, at: ${at},`,
    );
    expect(await tested(tests)).toMatchObject({ code });
  });

  it("judges a login through a browser by the claims of its ID token", async () => {
    const steps = [
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
    const tests =
      "tests:\n  - name: it\n    login: { mount: people, claims: { email: a@b.c, team: a } }\n    expect: { policies: [p] }\n";
    expect(await tested(tests, steps)).toMatchObject({ code: 0 });
    expect(await tested(tests.replace("team: a", "team: b"), steps)).toMatchObject({ code: 2 });
  });

  it("gives a person the policies of the groups that the provider names", async () => {
    const steps = [
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
    const of = (groups: string, policies: string) =>
      `tests:\n  - name: it\n    login: { mount: people, role: person, claims: { email: a@b.c, groups: [[${groups}]] } }\n    expect: { policies: [${policies}] }\n`;
    expect((await tested(of("platform, x", "platform"), steps)).out).toContain("1 passed");
    expect((await tested(of("x", "platform"), steps)).out).toContain("the token lacks policy platform");
  });

  it("searches for a token that gets a policy and should not", async () => {
    const never =
      "tests:\n  - name: it\n    never: { mount: jobs, policy: deploy, unless: { project_path: acme/* } }\n";
    expect(await tested(never)).toMatchObject({ code: 0 });

    const { code, out } = await tested(never, stack({ boundClaims: { project_path: "acme*" } }));
    expect(code).toBe(2);
    expect(out).toMatch(/role deploy gives policy deploy to a token with the claims \{.*"project_path":"acme[^/]/);
  });

  it("names the demands of a role that no test shows to matter", async () => {
    const fork = `  - name: fork\n    login: ${login("project_path: mallory/x, ref: main, sub: ci")}\n    expect: refused\n`;
    const { out } = await tested(`${one("{ policies: [deploy] }")}${fork}`);
    expect(out).toContain("no test shows that boundClaims.ref of role deploy at auth/jobs matters");
    expect(out).toContain("no test shows that boundAudiences of role deploy");
    expect(out).not.toContain("boundClaims.project_path");
  });

  it.each([
    ["boundAudiences", { boundClaims: undefined }],
    ["boundClaims.ref", { boundAudiences: undefined, boundClaims: { ref: "main" } }],
    ["tokenBoundCidrs", { boundAudiences: undefined, boundClaims: undefined, tokenBoundCidrs: ["127.0.0.0/8"] }],
  ])("names %s, also where it is the only demand of a role", async (bound, changed) => {
    const { code, out, err } = await tested(one("{ policies: [deploy] }"), stack(changed));
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(`no test shows that ${bound} of role deploy`);
  });

  it("asks for the text of a policy that the stack does not have", async () => {
    const may = '{ may: { "kv/x": [read] } }';
    const steps = stack({ tokenPolicies: ["base"] });
    expect((await tested(one(may), steps)).out).toContain("nobody knows what policy base allows");
    const given = `policies: { base: 'path "kv/*" { capabilities = ["read"] }' }\n${one(may)}`;
    expect(await tested(given, steps)).toMatchObject({ code: 0 });
  });

  it("writes results for programs and for CI systems", async () => {
    const tests = one("refused").replace("name: it", 'name: "<it> & \\"more\\""');
    const { out, folder } = await tested(tests, stack(), ["--json", "--junit", join(tmpdir(), "trustplane-junit.xml")]);
    expect(JSON.parse(out)).toMatchObject({ result: "failed", tests: [{ passed: false }] });
    const xml = readFileSync(join(tmpdir(), "trustplane-junit.xml"), "utf8");
    expect(xml).toContain('name="&lt;it&gt; &amp; &quot;more&quot;"');
    expect(xml).toContain('tests="1" failures="1"');
    expect(folder).toBeDefined();
  });

  it.each([
    ["no file", undefined, /cannot be read/],
    ["another form", "tests: [{ name: x, expects: refused }]", /trust\.yml cannot be read: tests\.0/],
    ["a capability that does not exist", one('{ may: { "x": [fly] } }'), /is no capability/],
    ["no YAML", "a: [", /cannot be read/],
  ])("ends with 1 for %s", async (_, text, message) => {
    const run =
      text === undefined
        ? await runCli(["test", "/nowhere/trust.yml"], previewJson({ steps: stack() }))
        : await tested(text);
    expect(run.code).toBe(1);
    expect(run.err).toMatch(message);
    expect(run.err.trim().split("\n")).toHaveLength(1);
  });

  it.each([
    [
      "is not known yet",
      { tokenPolicies: UNKNOWN },
      /jwt\.Role deploy cannot be tested: tokenPolicies is secret, or not known/,
    ],
    ["the server refuses", { userClaim: "" }, /jwt\.Role deploy cannot be tested: the embedded server refuses it/],
  ])("ends with 1 for a role that %s", async (_, changed, message) => {
    const { code, err } = await tested(one("refused"), stack(changed));
    expect(err).toMatch(message);
    expect(code).toBe(1);
  });
});
