import { describe, expect, it } from "vitest";
import type { Finding } from "../../cli/facts/lint/lint.ts";
import { LINT_RULES } from "../../cli/facts/lint/rules.ts";
import { ruleHelp } from "../../cli/views/lint/rule-help.ts";
import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { definitions } from "../../provider/resources/index.ts";
import { bound, CASES } from "./lint-cases.ts";
import { LOGIN_CASES } from "./lint-login-cases.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const step = (token: string, values: Values, name = "it"): WantedStep => ({
  op: "create",
  token,
  name,
  after: { name, ...values },
});
/** Every preview of the table also deletes a policy. */
const gone: WantedStep = {
  op: "delete",
  token: "sys:Policy",
  name: "gone",
  before: { name: "gone", policy: "# none" },
};
const TENANT = "https://login.microsoftonline.com/9f0e0e1a-0000-4000-8000-000000000000/v2.0";
/** And has auth methods, most of them for issuers that everybody shares. */
const configured = [
  { mount: "gh", oidcDiscoveryUrl: "https://token.actions.githubusercontent.com" },
  { mount: "entra", oidcDiscoveryUrl: TENANT, boundIssuer: TENANT },
  { mount: "unbound", oidcDiscoveryUrl: TENANT },
  { mount: "unbound-keys", jwksUrl: TENANT.replace("v2.0", "discovery/v2.0/keys") },
  { mount: "google", oidcDiscoveryUrl: "https://accounts.google.com" },
  // Of a first preview, which does not know the path of a new mount.
  { mount: UNKNOWN, oidcDiscoveryUrl: "https://token.actions.githubusercontent.com" },
  { mount: UNKNOWN, oidcDiscoveryUrl: TENANT },
  { mount: "bb", oidcDiscoveryUrl: "https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc" },
  { mount: "circle", oidcDiscoveryUrl: "https://oidc.circleci.com/org/9f0e0e1a-0000-4000-8000-000000000000" },
  {
    mount: "k8s",
    jwksUrl: "https://oidc.eks.eu-central-1.amazonaws.com/id/ABC",
    boundIssuer: "https://oidc.eks.eu-central-1.amazonaws.com/id/ABC",
  },
  { mount: "own", oidcDiscoveryUrl: "https://git.example.com" },
  { mount: "gl", oidcDiscoveryUrl: "https://gitlab.com" },
  {
    mount: "git",
    boundIssuer: "https://gitlab.example.com",
    jwksUrl: "https://gitlab.example.com/oauth/discovery/keys",
  },
  { mount: "hcp", oidcDiscoveryUrl: "https://app.terraform.io" },
  { mount: "bk", oidcDiscoveryUrl: "https://agent.buildkite.com" },
  {
    mount: "both",
    oidcDiscoveryUrl: TENANT,
    boundIssuer: "https://git.example.com",
  },
].map((values, at): WantedStep => ({ op: "create", token: "jwt:Config", name: `config-${at}`, after: values }));
const mounts = [
  { path: "plain" },
  { path: "brief", defaultLeaseTtl: "1h" },
  { path: "later", maxLeaseTtl: UNKNOWN },
].map(
  (values): WantedStep => ({
    op: "create",
    token: "sys:AuthMount",
    name: values.path,
    after: { type: "jwt", ...values },
  }),
);
const findingsIn = (out: string): readonly Finding[] => JSON.parse(out).findings;

describe("the rule", () => {
  it.each([...CASES, ...LOGIN_CASES])("%s, of a %s with %j, names %j", async (rule, token, values, properties) => {
    const { code, out } = await runCli(
      ["lint", "--json"],
      previewJson({ steps: [gone, ...configured, ...mounts, step(token, values)] }),
    );
    expect(findingsIn(out).map((finding) => [finding.rule, finding.property])).toEqual(
      properties.map((property) => [rule, property]),
    );
    expect(code).toBe(properties.length === 0 ? 0 : 2);
  });

  it.each(LINT_RULES)("$name is tried, and looks at properties that its resources have", ({ name, of }) => {
    const tried = [...CASES, ...LOGIN_CASES].filter(([rule, , , properties]) => rule === name && properties.length > 0);
    expect(new Set(tried.map(([, token]) => token))).toEqual(new Set(of));
    for (const [, token, values] of tried) {
      const definition = Object.values(definitions).find((each) => each.token === token);
      expect(Object.keys(definition?.fields ?? {})).toEqual(expect.arrayContaining(Object.keys(values)));
    }
  });

  it.each(LINT_RULES)("$name notes its bad example and leaves the good one alone", async (rule) => {
    const { name, of, severity, beside = [], deleted = [], bad, good, sources } = rule;
    const others = [
      ...beside.map(([token, values]) => step(token, values, "beside")),
      ...deleted.map(([token, before]): WantedStep => ({ op: "delete", token, name: "deleted", before })),
    ];
    for (const shown of ["Bad", "Good"])
      expect(
        ruleHelp(rule)
          .split(`${shown}:`)[1]
          ?.split("Good:")[0]
          ?.match(/new trustplane/g),
      ).toHaveLength(beside.length + 1);
    for (const [values, rules] of [
      [bad, [{ rule: name, severity }]],
      [good, []],
    ] as const) {
      const steps = [...others, step(of[0] ?? "", values)];
      const { out } = await runCli(["lint", "--json"], previewJson({ steps }));
      expect(findingsIn(out)).toMatchObject(rules);
    }
    for (const address of sources) expect(new URL(address).protocol).toBe("https:");
    expect(sources.length).toBeGreaterThan(0);
  });

  it("long-ttl takes another limit", async () => {
    const input = previewJson({ steps: [step("jwt:Role", { ...bound, tokenTtl: "2h" })] });
    expect((await runCli(["lint", "--max-ttl", "1h"], input)).out).toMatch(/tokenTtl is 2h, longer than 1h/);
    expect((await runCli(["lint", "--max-ttl", "2h"], input)).code).toBe(0);
  });
});
