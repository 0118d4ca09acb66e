import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../cli/facts/lint/lint.ts";
import { LINT_RULES } from "../../cli/facts/lint/rules.ts";
import type { Values } from "../../provider/core/definition.ts";
import { asSecret } from "../../provider/core/secret-envelope.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { fileOfTest } from "../support/temporary-folder.ts";
import { bound } from "./lint-cases.ts";
import { previewEvents, previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const step = (token: string, values: Values, name = "it"): WantedStep => ({
  op: "create",
  token,
  name,
  after: { name, ...values },
});
const stateOf = (inputs: Values) => {
  const urn = "urn:pulumi:dev::story::pulumi-nodejs:dynamic/trustplane/jwt:Role::open";
  const resource = { urn, type: urn.split("::")[2], custom: true, id: "auth/jwt/role/open", inputs };
  return JSON.stringify({ deployment: { resources: [resource] } });
};
const findingsIn = (out: string): readonly Finding[] => JSON.parse(out).findings;
const scratch = (content: unknown) => {
  return fileOfTest("exceptions.json", typeof content === "string" ? content : JSON.stringify(content));
};
const COMMENT = ["comment", "--dry-run"];
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

describe("lint", () => {
  const open = step("jwt:Role", { roleType: "jwt", boundAudiences: ["a"], tokenTtl: "48h" }, "open");

  it("says where, what, and why", async () => {
    const { code, out } = await runCli(["lint"], previewJson({ steps: [open] }));
    expect(code).toBe(2);
    expect(out).toMatch(
      /^error: jwt\.Role open: boundSubject binds nobody in particular\n {4}every token .* \[any-token: docs\/lint\.md#any-token\]\n/,
    );
    expect(out).toMatch(/1 resource looked at: 2 notes\n$/);
  });

  it.each([
    ["refs/tags/v1.*", "has .*, which is a dot and any text"],
    ["^refs/tags/v1.*$", "looks like a regular expression, and is none"],
  ])("says of the glob %s that it %s", async (ref, what) => {
    const values = { ...bound, boundClaims: { ref }, boundClaimsType: "glob" };
    const { out } = await runCli(["lint"], previewJson({ steps: [step("jwt:Role", values)] }));
    expect(out).toContain(`boundClaims.ref ${what}: ${JSON.stringify(ref)}`);
  });

  it("names what it finds of a resource in the order of the rules", async () => {
    const values = {
      ...bound,
      allowedRedirectUris: ["https://*.example/cb"],
      tokenPolicies: ["root"],
      tokenTtl: "48h",
    };
    const { out } = await runCli(["lint", "--json"], previewJson({ steps: [step("jwt:Role", values)] }));
    expect(findingsIn(out).map(({ rule }) => rule)).toEqual(["admin-policy", "long-ttl", "wildcard-redirect"]);
  });

  it("says the same of a preview, its event log, and a state", async () => {
    const preview = await runCli(["lint"], previewJson({ steps: [open] }));
    const events = await runCli(["lint"], previewEvents({ steps: [open] }));
    const state = await runCli(["lint"], stateOf(open.after ?? {}));
    expect(events).toEqual(preview);
    expect(state).toEqual(preview);
  });

  it("leaves out what a preview deletes, and looks at what stays", async () => {
    const input = previewJson({
      steps: [
        { op: "delete", token: "jwt:Role", name: "gone", before: open.after ?? {} },
        { op: "same", token: "jwt:Role", name: "stays", before: open.after ?? {}, after: open.after ?? {} },
      ],
    });
    const { out } = await runCli(["lint", "--json"], input);
    expect(new Set(findingsIn(out).map(({ name }) => name))).toEqual(new Set(["stays"]));
  });

  it.each([
    ["http://jo:needle@keys.example.com/keys?sig=needle#needle", "http://keys.example.com/keys"],
    ["http://needle:@keys.example.com:8080", "http://keys.example.com:8080"],
    ["http://jo:needle/needle@keys.example.com/", "http://…"],
  ])("shows no credentials of the address %s", async (address, shown) => {
    const stays = { mount: "jobs", name: "stays", roleType: "jwt", ...bound, tokenPolicies: ["deploy"] };
    const browser = step("jwt:Role", { ...stays, roleType: "oidc", name: "browser" }, "browser");
    const config = (values: Values) => ({ token: "jwt:Config", name: "it", after: { mount: "jobs", ...values } });
    const other = config({ oidcDiscoveryUrl: "https://new:needle@idp.example.com" });
    for (const named of [{ jwksUrl: address }, { oidcDiscoveryUrl: address }, { jwksPairs: [{ jwksUrl: address }] }]) {
      const input = previewJson({ steps: [{ op: "create", ...config(named) }, step("jwt:Role", stays), browser] });
      for (const words of [["lint"], ["lint", "--json"], ["lint", "--sarif"], ["map", "--json"], COMMENT]) {
        const { out } = await runCli(words, input);
        expect(JSON.stringify(out)).toContain(shown);
        expect(out).not.toContain("needle");
      }
      const moved: WantedStep = { op: "update", ...other, before: config(named).after };
      const { out } = await runCli(COMMENT, previewJson({ steps: [moved, browser] }));
      expect(out).toContain("https://idp.example.com");
      expect(out).not.toContain("needle");
    }
  });

  it("shows no secret", async () => {
    const secret = step("jwt:Role", {
      ...bound,
      tokenPolicies: asSecret(["needle-admin"]),
      boundClaims: { a: asSecret("*needle") },
    });
    const { out } = await runCli(["lint", "--json"], previewJson({ steps: [secret] }));
    expect(out).not.toContain("needle");
    // `pulumi stack export --show-secrets` puts JSON text into the envelope.
    const opened = { ...Object(asSecret("")), value: undefined, plaintext: JSON.stringify(["needle-admin"]) };
    const state = await runCli(["lint", "--json"], stateOf({ ...open.after, tokenPolicies: opened }));
    expect(findingsIn(state.out).map(({ rule }) => rule)).toEqual(["any-token", "long-ttl"]);
    expect(state.out).not.toContain("needle");
  });

  const encrypted = { ...Object(asSecret("")), value: undefined, ciphertext: "v1:…" };

  it.each([
    ["its claims", { boundClaims: asSecret({ ref: "main" }) }, "boundClaims"],
    ["one of its claims", { boundClaims: { ref: asSecret("main") } }, "boundClaims"],
    ["its claims, of which Pulumi shows the word", { boundClaims: "[secret]" }, "boundClaims"],
    ["the kind of its claims", { boundClaims: { ref: "*" }, boundClaimsType: asSecret("glob") }, "boundClaimsType"],
    ["its subject", { boundSubject: asSecret("x") }, "boundSubject"],
    [
      "its longest lifetime",
      { ...bound, tokenPeriod: "1h", tokenExplicitMaxTtl: asSecret("8h") },
      "tokenExplicitMaxTtl",
    ],
  ])(
    "says of a role that keeps %s secret that it cannot be checked, and nothing else",
    async (_what, values, property) => {
      const inputs: readonly (readonly [string, string])[] = [
        ["preview", previewJson({ steps: [step("jwt:Role", values)] })],
        ["state", stateOf({ name: "it", ...values })],
        ["encrypted state", stateOf({ name: "it", ...values, [property]: encrypted })],
      ];
      for (const [form, input] of inputs) {
        const { code, out } = await runCli(["lint"], input);
        expect([form, code]).toEqual([form, 0]);
        expect(out).toContain(`${property} cannot be checked: the program keeps it secret`);
      }
      const { out } = await runCli(["comment", "--dry-run"], inputs[0]?.[1]);
      expect(out).toContain(`**Not reviewed**\n\n* \`jwt.Role\` \`it\`: \`${property}\` cannot be checked`);
      expect(out).not.toContain("**Review notes**");
    },
  );

  it.each([
    ["its claims", { boundClaims: UNKNOWN }],
    ["one of its claims", { boundClaims: { ref: ["x", UNKNOWN] } }],
    ["its policies", { ...bound, tokenPolicies: [UNKNOWN] }],
  ])("says of a role of which %s are not known yet that they cannot be checked", async (_, values) => {
    const property = Object.keys(values).at(-1);
    const input = previewJson({ steps: [step("jwt:Role", { name: UNKNOWN, mount: UNKNOWN, ...values })] });
    const { out } = await runCli(["lint"], input);
    expect(out).toMatch(new RegExp(`: ${property} cannot be checked: it is known after the update only\n`));
    expect(out.match(/cannot be checked/g)).toHaveLength(1);
    const set = { mount: "jobs", roles: { ci: values, all: UNKNOWN } };
    const ofSet = await runCli(["lint"], previewJson({ steps: [step("jwt:RoleSet", set)] }));
    expect(ofSet.out).toContain(
      `roles.ci.${property}, roles.all cannot be checked: it is known after the update only\n`,
    );
    const comment = await runCli(["comment", "--dry-run"], input);
    expect(comment.out).toMatch(/\*\*Not reviewed\*\*\n\n.* cannot be checked: it is known after/);
  });

  it("takes what is encrypted for set", async () => {
    expect(await runCli(["lint"], stateOf({ name: "ci", boundSubject: encrypted }))).toMatchObject({ code: 0 });
  });

  it.each([
    ["no input", "", /no state of a stack/],
    ["something else", "hello", /no state of a stack/],
    ["a preview that failed", previewJson({ steps: [open], errors: ["boom"] }), /the preview failed/],
  ])("cannot tell from %s", async (_what, input, message) => {
    expect(await runCli(["lint"], input)).toMatchObject({ code: 1, out: "", err: expect.stringMatching(message) });
  });

  const noted = (values: Values) => previewJson({ steps: [step("jwt:Role", { ...bound, ...values })] });
  const error = noted({ roleType: "jwt", userClaim: "sub", groupsClaim: "ref" });
  const note = noted({ tokenTtl: "48h" });

  it.each([
    ["an error", error, { error: 2, warning: 2, note: 2, never: 0 }],
    ["a warning", noted({ tokenPolicies: ["root"] }), { error: 0, warning: 2, note: 2, never: 0 }],
    ["a note", note, { error: 0, warning: 0, note: 2, never: 0 }],
  ])("ends with 2 for %s that --fail-on counts, and shows it all the same", async (_what, input, codes) => {
    for (const [severity, code] of Object.entries(codes)) {
      const found = await runCli(["lint", "--fail-on", severity], input);
      expect([severity, found.code]).toEqual([severity, code]);
      expect(found.out).toMatch(/: 1 note\n$/);
    }
    expect((await runCli(["lint"], input)).code).toBe(2);
  });

  it("writes SARIF with the severity of each note, and what the page says of its rule", async () => {
    const [run] = JSON.parse((await runCli(["lint", "--sarif"], error)).out).runs;
    expect(run.results).toMatchObject([{ ruleId: "chosen-groups", level: "error" }]);
    expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe("Pulumi.yaml");
    const page = readFileSync("docs/lint.md", "utf8");
    for (const rule of run.tool.driver.rules) {
      expect(page).toContain(`## ${rule.id}\n\n${rule.help.markdown}\n`);
      expect(rule.fullDescription.text).toContain(rule.shortDescription.text.replace(/\.$/, ""));
      expect(new URL(rule.helpUri).protocol).toBe("https:");
      expect(["error", "warning", "note"]).toContain(rule.defaultConfiguration.level);
    }
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(LINT_RULES.map(({ name }) => name));
    const file = scratch("");
    const both = await runCli(["lint", "--json", "--sarif", file], error);
    expect(findingsIn(both.out)).toMatchObject([{ severity: "error" }]);
    expect(JSON.parse(readFileSync(file, "utf8")).runs[0].results).toEqual(run.results);
    expect((await runCli(["lint", "--json", "--sarif"], error)).err).toMatch(/only one report/);
  });

  it("has the worst first in the comment", async () => {
    const values = { ...bound, tokenTtl: "48h", tokenPolicies: ["root"], groupsClaim: "ref", name: "it" };
    const { out } = await runCli(
      ["comment", "--dry-run"],
      previewJson({ steps: [step("jwt:Role", { ...bound, tokenTtl: "48h" }, "a"), step("jwt:Role", values)] }),
    );
    expect([...out.matchAll(/\((error|warning|note): `/g)].map(([, each]) => each)).toEqual([
      "error",
      "warning",
      "note",
      "note",
    ]);
  });

  it.each([[["--max-ttl", "soon"]], [["--fail-on", "none"]], [["--nothing"]], [["a", "b"]]])(
    "ends with 1 for the command line %j, as 2 says that there are notes",
    async (words) => {
      expect((await runCli(["lint", ...words])).code).toBe(1);
    },
  );

  it("has help that says the rules and the exit codes", async () => {
    const { code, out } = await runCli(["lint", "--help"]);
    expect(code).toBe(0);
    for (const { name } of LINT_RULES) expect(out).toContain(name);
    expect(out).toMatch(/0 {2}no notes.*\n {2}1 {2}could not look.*\n {2}2 {2}notes/);
  });
});

describe("an exception", () => {
  const input = previewJson({ steps: [step("jwt:Role", { roleType: "jwt", boundAudiences: ["a"] }, "open")] });
  const silence = { resource: "jwt.Role open", rule: "any-token", reason: "OPS-12", expires: day(2) };

  it.each([
    ["by class and name", {}],
    ["by URN", { resource: "urn:*::open" }],
    ["of every rule", { rule: "*" }],
  ])("silences a note, in lint and in the comment, %s", async (_what, change) => {
    const file = scratch({ silence: [{ ...silence, ...change }] });
    expect(await runCli(["lint", "--ignore", file], input)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/0 notes, 1 silenced/),
    });
    const [alert, suppressed] = await Promise.all(
      [[], ["--ignore", file]].map(async (words) =>
        JSON.parse((await runCli(["lint", "--sarif", ...words], input)).out),
      ),
    ).then((logs) => logs.map(({ runs }) => runs[0].results[0]));
    expect(suppressed).toEqual({ ...alert, suppressions: [expect.objectContaining({ justification: "OPS-12" })] });
    expect((await runCli(["comment", "--dry-run"], input)).out).toContain("**Review notes**");
    expect((await runCli(["comment", "--dry-run", "--ignore", file], input)).out).not.toContain("**Review notes**");
  });

  it.each([
    ["has expired", { expires: day(0) }, 2, /has expired on/],
    ["is of another resource", { resource: "jwt.Role other" }, 2, /silences nothing/],
    ["is of another rule", { rule: "long-ttl" }, 2, /silences nothing/],
  ])("that %s silences nothing and is reported", async (_what, change, code, message) => {
    const file = scratch({ silence: [{ ...silence, ...change }] });
    expect(await runCli(["lint", "--ignore", file], input)).toMatchObject({
      code,
      out: expect.stringMatching(message),
    });
  });

  it.each([
    ["without a reason", { silence: [{ ...silence, reason: " " }] }, /silence\.0\.reason must say why/],
    ["without a day", { silence: [{ ...silence, expires: "soon" }] }, /silence\.0\.expires must be a day/],
    ["with a slip of the pen", { silences: [] }, /Unrecognized key/],
    ["that is no YAML", "{", /is no YAML/],
  ])("%s is refused", async (_what, content, message) => {
    expect(await runCli(["lint", "--ignore", scratch(content)], input)).toMatchObject({
      code: 1,
      err: expect.stringMatching(message),
    });
  });
});
