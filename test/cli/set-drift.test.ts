import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { defaultPolicySet } from "../../server/serve.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { type DriftOptions, openStack, role, type Wanted } from "./drift-harness.ts";

const body = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };
const defaults = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://aud.example"], tokenTtl: "15m" };
const set = (args: Values = {}, more: Partial<Wanted> = {}): Wanted => ({
  resource: "jwtRoleSet",
  name: "all",
  args: { defaults, roles: { ci: {}, "deploy-web": { tokenPolicies: ["b", "a"] } }, ...args },
  ...more,
});
type Stack = Awaited<ReturnType<typeof openStack>>;
const write = (name: string, change: object) => (stack: Stack) =>
  stack.raw("secrets").call(`POST auth/jwt/role/${name}`, { ...body, token_ttl: 900, ...change });
const remove = (name: string) => (stack: Stack) => stack.raw("secrets").call(`DELETE auth/jwt/role/${name}`);

/** What is reported of the set after a change by another hand. */
async function reportAfter(
  wanted: Wanted,
  changes: readonly ((stack: Stack) => Promise<unknown>)[],
  ...flags: string[]
) {
  const stack = await openStack([wanted]);
  for (const change of changes) await change(stack);
  const { code, report } = await stack.drift("--json", ...flags);
  return { code, report: report(), properties: report().resources[0]?.properties ?? [] };
}

describe("trustplane drift of a set", () => {
  it.each([
    ["nothing", set(), []],
    ["defaults that became settings of the records", set(), [write("ci", { token_ttl: "15m" })]],
    ["another order of a list without one", set(), [write("deploy-web", { token_policies: ["a", "b"] })]],
    ["an ignored record beside an exclusive set", set({ exclusive: true, ignore: ["by-*"] }), [write("by-hand", {})]],
  ])("finds none in %s", async (_, wanted, changes) => {
    const { code, report } = await reportAfter(wanted, changes);
    expect([code, report.counts.unchanged, report.resources]).toEqual([0, 1, []]);
  });

  it.each([
    [
      "a property of a record",
      set(),
      [write("ci", { token_ttl: 77 })],
      [{ property: "roles.ci.tokenTtl", expected: "15m", actual: "1m17s" }],
    ],
    [
      "an element of a list",
      set(),
      [write("deploy-web", { token_policies: ["a", "b", "c"] })],
      [{ property: 'roles["deploy-web"].tokenPolicies', changes: [{ path: 'roles["deploy-web"].tokenPolicies[]' }] }],
    ],
    ["a record that is gone", set(), [remove("ci")], [{ property: "roles.ci", record: "missing", changes: [] }]],
    [
      "a record that an exclusive set does not name",
      set({ exclusive: true }),
      [write("by-hand", {})],
      [{ property: 'roles["by-hand"]', record: "unnamed", changes: [] }],
    ],
  ])("names %s", async (_, wanted, changes, properties) => {
    const { code, report, properties: found } = await reportAfter(wanted, changes);
    expect([code, report.counts.changed, found.length]).toEqual([2, 1, properties.length]);
    expect(found).toMatchObject(properties);
  });

  it("says that all records are missing when the mount is gone", async () => {
    const { report } = await reportAfter(set(), [(stack) => stack.raw("secrets").call("DELETE sys/auth/jwt")]);
    expect(report.resources).toMatchObject([{ type: "jwt.RoleSet", name: "all", status: "missing" }]);
  });

  it("is shown in every format, record by record", async () => {
    const folder = folderOfTest();
    const stack = await openStack([set({ exclusive: true })]);
    for (const change of [write("ci", { token_ttl: 77 }), remove("deploy-web"), write("by-hand", {})])
      await change(stack);
    const formats = ["markdown", "sarif", "html"];
    const files = formats.flatMap((format) => [`--${format}`, join(folder, format)]);
    const { out } = await stack.drift(...files);
    const [markdown = "", sarif = "", html = ""] = formats.map((format) => readFileSync(join(folder, format), "utf8"));
    expect(out).toContain('changed  jwt.RoleSet all  roles.ci.tokenTtl: "15m" → "1m17s"');
    expect(out).toContain('roles["deploy-web"]: a record → (missing)');
    expect(out).toContain('roles["by-hand"]: (not in the program) → a record');
    expect(markdown).toContain('- roles.ci.tokenTtl: "15m"\n+ roles.ci.tokenTtl: "1m17s"');
    expect(markdown).toContain('- roles["deploy-web"]: a record\n+ roles["deploy-web"]: (missing)');
    const messages = JSON.parse(sarif).runs[0].results.map(
      ({ message }: { message: { text: string } }) => message.text,
    );
    expect(messages).toEqual([
      expect.stringContaining("now logs in: the role is new."),
      expect.stringContaining("the role is gone."),
      expect.stringContaining("Issued tokens now live 1m17s; before, 15m."),
      'jwt.RoleSet all: roles.ci.tokenTtl is "1m17s", expected "15m"',
      'jwt.RoleSet all: roles["deploy-web"] is (missing), expected a record',
      'jwt.RoleSet all: roles["by-hand"] is a record, expected (not in the program)',
    ]);
    for (const text of ["roles.ci.tokenTtl", "(missing)", "(not in the program)"])
      expect(html).toContain(text.replace(/[()]/g, (character) => `&#${character.charCodeAt(0)};`));
  });

  it.each([
    ["the set", { resource: "jwt.RoleSet all" }, true],
    ["the path of a property", { resource: "jwt.RoleSet all", property: 'roles["ci"].tokenTtl' }, true],
    ["the property in every record", { resource: "jwt.RoleSet all", property: "roles.*.tokenTtl" }, true],
    ["a record of the set", { resource: "jwt.RoleSet all", property: "roles.ci" }, true],
    ["a record as it would name a single role", { resource: "jwt.Role ci", property: "tokenTtl" }, true],
    ["a record by its id", { resource: "auth/jwt/role/ci" }, true],
    ["another record", { resource: "jwt.RoleSet all", property: 'roles["deploy-web"]' }, false],
    ["another property", { resource: "jwt.Role ci", property: "tokenMaxTtl" }, false],
  ])("an entry of the ignore file that names %s: it is ignored %#", async (_, entry, isIgnored) => {
    const file = join(folderOfTest(), "ignore.json");
    writeFileSync(file, JSON.stringify({ ignore: [{ ...entry, reason: "OPS-1", expires: "2999-01-01" }] }));
    const { report, properties } = await reportAfter(set(), [write("ci", { token_ttl: 77 })], "--ignore", file);
    expect(report.counts).toMatchObject({ ignored: isIgnored ? 1 : 0, changed: isIgnored ? 0 : 1 });
    expect(properties[0]?.ignored?.reason).toBe(isIgnored ? "OPS-1" : undefined);
  });

  it.each([
    ["missing", [remove("ci")], "roles.ci"],
    ["unnamed", [write("by-hand", {})], 'roles["by-hand"]'],
  ])("a record that is %s can be ignored, too", async (_, changes, property) => {
    const file = join(folderOfTest(), "ignore.json");
    const entry = { resource: "jwt.RoleSet all", property, reason: "OPS-1", expires: "2999-01-01" };
    writeFileSync(file, JSON.stringify({ ignore: [entry] }));
    const { code, report } = await reportAfter(set({ exclusive: true }), changes, "--ignore", file);
    expect([code, report.counts.ignored]).toEqual([0, 1]);
  });

  it("leaves out what the program's ignoreChanges name", async () => {
    const wanted = set({}, { ignoreChanges: ["roles.ci.tokenTtl"] });
    const { code, report } = await reportAfter(wanted, [write("ci", { token_ttl: 77 })]);
    expect([code, report.counts.ignored]).toEqual([0, 1]);
  });
});

describe("trustplane drift --unmanaged", () => {
  it("takes the records of a set for managed, in one list with single ones", async () => {
    const stack = await openStack([set(), role("nightly")]);
    await write("by-hand", {})(stack);
    stack.server.log.clear();
    const { report } = await stack.drift("--json", "--unmanaged");
    expect(report().unmanaged).toEqual([{ type: "jwt.Role", id: "auth/jwt/role/by-hand" }]);
    expect(stack.server.log.all().filter(({ path }) => /role$/.test(path))).toHaveLength(1);
  });

  it("names what an exclusive set ignores; what it would remove is drift of the set", async () => {
    const changes = [write("team-a", {}), write("by-hand", {})];
    const wanted = set({ exclusive: true, ignore: ["team-*"] });
    const { report, properties } = await reportAfter(wanted, changes, "--unmanaged");
    expect(report.unmanaged).toEqual([
      { type: "jwt.Role", id: "auth/jwt/role/team-a", ignored: { reason: "the set leaves it alone (ignore)" } },
    ]);
    expect(report.counts.unmanaged).toBe(0);
    expect(properties).toMatchObject([{ property: 'roles["by-hand"]', record: "unnamed" }]);
  });

  it("takes no record for unmanaged where the names of a set's records are encrypted", async () => {
    const { drift } = await openStack([set({}, { secrets: ["roles"] }), role("nightly")]);
    const { code, report } = await drift("--json", "--unmanaged");
    expect([code, report().unmanaged]).toEqual([1, []]);
    expect(report().unlisted).toMatchObject([{ path: "auth/jwt/role", reason: expect.stringMatching(/--decrypt/) }]);
  });
});

describe("what is secret in a set", () => {
  const secret = `needle-${randomBytes(8).toString("hex")}`;
  const parameters: Wanted = {
    resource: "policyParameterSet",
    name: "limits",
    args: {
      policySetId: defaultPolicySet,
      parameters: { limit: { value: secret, sensitive: true }, open: { value: "1" } },
    },
  };
  const edited = async ({ raw, resources }: Stack) => {
    const ids: Values = Object(resources.find(({ type }) => /ParameterSet/.test(type))?.outputs["parameterIds"]);
    const change = (key: string, value: string) =>
      raw("policy").call(`PATCH policy-sets/${defaultPolicySet}/parameters/${ids[key]}`, {
        data: { type: "vars", id: ids[key], attributes: { value } },
      });
    await change("open", "2");
    await change("limit", `${secret}-changed`);
  };
  const claims = (path: string): Wanted =>
    set({ roles: { ci: { boundClaims: { project: secret } }, other: {} } }, { secrets: [path] });

  it.each<[string, Wanted, DriftOptions, readonly string[]]>([
    ["a sensitive parameter", parameters, {}, ["parameters.open.value"]],
    ["a sensitive parameter", parameters, { isDecrypted: true }, ["parameters.open.value"]],
    ["a sensitive parameter", parameters, { host: "plugin" }, ["parameters.open.value"]],
    ["a claim of a record", claims("roles.ci.boundClaims"), {}, ["roles.other.tokenTtl"]],
    [
      "a claim of a record",
      claims("roles.ci.boundClaims"),
      { isDecrypted: true },
      ["roles.ci.boundClaims", "roles.other.tokenTtl"],
    ],
    ["a record", claims("roles.ci"), {}, ["roles.other.tokenTtl"]],
    ["all defaults", claims("defaults"), {}, ["roles.ci.boundClaims"]],
    ["all records", claims("roles"), { isDecrypted: true }, ["roles"]],
    ["all records", claims("roles"), {}, []],
  ])("is not shown: %s", async (_, wanted, options, properties) => {
    const stack = await openStack([wanted], options);
    if (wanted === parameters) await edited(stack);
    else {
      await write("ci", { bound_claims: { project: `${secret}-changed` } })(stack);
      await write("other", { token_ttl: 77 })(stack);
    }
    const folder = folderOfTest();
    const formats = ["json", "markdown", "sarif", "html"];
    const { out, err } = await stack.drift(...formats.flatMap((format) => [`--${format}`, join(folder, format)]));
    const files = formats.map((format) => readFileSync(join(folder, format), "utf8"));
    const [report] = JSON.parse(files[0] ?? "").resources;
    expect(report.properties.map(({ property }: { property: string }) => property)).toEqual(properties);
    const isShownAnyway = properties.includes("roles.ci.boundClaims") && !options.isDecrypted;
    for (const text of [out, err, ...files]) if (!isShownAnyway) expect(text).not.toContain("needle");
  });

  it("is named as what cannot be verified, once", async () => {
    const [ofRecord, ofDefaults] = await Promise.all(
      [parameters, claims("defaults")].map(async (wanted) => (await reportAfter(wanted, [])).report.resources[0]),
    );
    const names = (each: typeof ofRecord) => each?.writeOnly.map(({ property }) => property);
    expect(names(ofRecord)).toEqual(["parameters.limit.value"]);
    expect(names(ofDefaults)).toEqual(["defaults"]);
  });
});
