import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lint } from "../../cli/facts/lint/lint.ts";
import { powersOf, writesPoliciesAt } from "../../cli/facts/lint/policy-reach.ts";
import { readStack } from "../../cli/sources/read-stack.ts";
import { placeOf } from "../../cli/stack/known-policies.ts";
import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { vault } from "../../server/profiles/vault.ts";
import { createAccessList } from "../../server/secrets/access-list.ts";
import { readPolicy } from "../../server/secrets/policy-text.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";

const rule = (path: string, ...capabilities: string[]) =>
  `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(capabilities)} }`;

describe("a policy may write policies", () => {
  it.each([
    [rule("*", "create", "update"), "*"],
    [rule("sys/*", "update"), "sys/*"],
    [rule("sys/policies/acl/team-*", "create", "update"), "sys/policies/acl/team-*"],
    [rule("sys/policies/acl/team", "update"), "sys/policies/acl/team"],
    [rule("sys/policies/acl/team/ci", "update"), "sys/policies/acl/team/ci"],
    [rule("sys/policy/+", "update"), "sys/policy/+"],
    [rule("+/policies/acl/*", "update"), "+/policies/acl/*"],
    ['path "sys/poli*" { policy = "write" }', "sys/poli*"],
    [rule("sys/*", "update") + rule("sys/policies/acl/*", "deny"), "sys/*"],
    [rule("sys/policies/acl/*", "deny") + rule("sys/policies/acl/own", "update"), "sys/policies/acl/own"],
    [
      rule("sys/policies/acl/*", "update") + [..."abcxyz"].map((name) => rule(`sys/policies/acl/${name}*`, "deny")),
      "sys/policies/acl/*",
    ],
    [rule("+/+/+/*", "update") + rule("sys/+/+/+", "deny") + rule("sys/policy/*", "deny"), "+/+/+/*"],
  ])("%s, at %s", (text, path) => {
    expect(writesPoliciesAt(text)).toBe(path);
  });

  it.each([
    [rule("*", "read", "list", "sudo")],
    [rule("secret/*", "create", "update")],
    // Asked of Vault 1.21.1: policies know neither.
    [rule("sys/policies/acl/*", "create", "patch", "sudo")],
    [rule("sys/policies/acl", "update")],
    [rule("sys/policies/acl/", "update")],
    [rule("sys/policies/rgp/*", "update")],
    [rule("sys/*", "update", "deny")],
    [rule("sys/*", "update") + rule("sys/policies/*", "read") + rule("sys/policy/*", "deny")],
    [rule("sys/policies/acl/a", "update") + rule("sys/policies/acl/a", "deny")],
    ["# nothing"],
  ])("never: %s", (text) => {
    expect(writesPoliciesAt(text)).toBe("");
  });

  it("is found in time in the longest policies", () => {
    const many = Array.from({ length: 20_000 }, (_, at) => rule(`sys/policies/acl/${at}*`, "update"));
    const none = Array.from({ length: 20_000 }, (_, at) => rule(`sys/policies/acl/${at}*`, "deny"));
    const start = performance.now();
    expect(writesPoliciesAt(many.join("\n"))).toBe("sys/policies/acl/0*");
    expect(writesPoliciesAt(none.join("\n"))).toBe("");
    expect(powersOf(none.join("\n"))).toEqual([]);
    expect(writesPoliciesAt(rule(`sys/policies/acl/${"+/".repeat(100_000)}*`, "update"))).not.toBe("");
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it("is not known of a text that cannot be read", () => {
    expect(writesPoliciesAt("no policy")).toBeUndefined();
  });

  it("where the embedded server lets it", () => {
    const ends = ["*", "+", "a", "a*", "+/*", "a/+", ""];
    const beginnings = [
      "",
      "sys/",
      "+/",
      "sys/policies/",
      "sys/+/",
      "sys/policies/acl/",
      "sys/+/+/",
      "+/policies/+/",
      "sys/policy/",
      "+/+/",
    ];
    const path = fc.tuple(fc.constantFrom(...beginnings), fc.constantFrom(...ends)).map((parts) => parts.join(""));
    const capability = fc.constantFrom("read", "update", "deny", "create");
    // No path of these has a b.
    const names = ["a", "b", "ab"];
    const deeper = (paths: readonly string[]) => paths.flatMap((path) => names.map((name) => `${path}/${name}`));
    const candidates = [...names, ...deeper(names), ...deeper(deeper(names))];
    fc.assert(
      fc.property(fc.array(fc.tuple(path, capability), { minLength: 1, maxLength: 5 }), (rules) => {
        const text = rules.map(([at, may]) => rule(at, may)).join("\n");
        const access = createAccessList(readPolicy(text, vault.policies));
        const may = ["sys/policies/acl/", "sys/policy/"].some((folder) =>
          candidates.some((name) =>
            [...(access.grantOn(folder + name, { isList: false })?.capabilities ?? [])].includes("update"),
          ),
        );
        expect(writesPoliciesAt(text) !== "", text).toBe(may);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("the powers of a policy", () => {
  const ROLES = "may write any role of an auth method";
  const MEMBERS = "may give any group or entity policies";
  const TOKENS = "may make tokens with any policy";
  const METHODS = "may enable any auth method";
  const MOUNTS = "may write any mount";
  const PLUGINS = "may register any plugin";
  const DATA = "may replace all data";

  it.each([
    [rule("*", "update", "sudo"), ["may write policies", ROLES, MEMBERS, TOKENS, METHODS, MOUNTS, PLUGINS, DATA]],
    [rule("auth/+/role/*", "create", "update"), [ROLES]],
    [rule("auth/jobs/role/*", "create"), [ROLES]],
    [rule("auth/jobs/role/+", "update"), [ROLES]],
    [rule("auth/team/jobs/role/ci-*", "update"), [ROLES]],
    [rule("auth/*", "update"), [ROLES]],
    [rule("auth/*", "create", "update", "sudo"), [ROLES, TOKENS]],
    [rule("auth/userpass/users/*", "update"), [ROLES]],
    [rule("auth/token/roles/*", "create"), [ROLES]],
    [rule("identity/group", "update"), [MEMBERS]],
    [rule("identity/*", "update"), [MEMBERS]],
    [rule("identity/group*", "update"), [MEMBERS]],
    [rule("identity/group/id/+", "update"), [MEMBERS]],
    [rule("identity/entity/name/*", "update"), [MEMBERS]],
    [rule("identity/entity-alias", "update"), [MEMBERS]],
    [rule("auth/token/create", "create", "update", "sudo"), [TOKENS]],
    [rule("auth/token/create*", "update", "sudo"), [TOKENS]],
    [rule("sys/auth/*", "update", "sudo"), [METHODS]],
    [rule("sys/auth*", "update", "sudo"), [METHODS]],
    [rule("sys/mounts*", "update"), [MOUNTS]],
    [rule("sys/mounts/+", "update"), [MOUNTS]],
    [rule("auth/+/role/*", "update") + rule("auth/jobs/role/*", "deny"), [ROLES]],
    [rule("sys/plugins/catalog/*", "update", "sudo"), [PLUGINS]],
    [rule("sys/plugins/catalog/secret/+", "update", "sudo"), [PLUGINS]],
    [rule("sys/storage/raft/*", "update"), [DATA]],
    [rule("sys/raw*", "read", "sudo"), ["may read the storage itself"]],
    [rule("sys/audit/*", "delete", "sudo"), ["may stop the audit log"]],
    [rule("*", "read", "list"), ["may read every path"]],
    [rule("+/*", "read"), ["may read every path"]],
  ])("%s: %j", (text, may) => {
    expect(powersOf(text)?.map((power) => power.may)).toEqual(may);
  });

  it.each([
    // What `trustplane permissions` prints for a stack: records that it names.
    [rule("auth/jobs/role/deploy", "create", "read", "update", "delete") + rule("sys/auth", "read")],
    [rule("sys/auth/jobs", "update", "delete", "sudo") + rule("auth/jobs/*", "list")],
    [rule("sys/mounts/cloud", "update", "delete") + rule("sys/mounts", "read") + rule("+/*", "list")],
    [rule("identity/group/name/ops", "read", "update") + rule("identity/group/id/+", "read")],
    [rule("identity/group-alias", "update") + rule("identity/group-alias/id/+", "delete")],
    [rule("secret/*", "read", "list") + rule("+/metadata/*", "list") + rule("*", "list")],
    [rule("*", "read") + rule("*", "deny")],
    // What the server asks more for.
    [rule("sys/plugins/catalog/*", "update") + rule("sys/audit/*", "delete") + rule("sys/raw/*", "read")],
    [rule("identity/group/*", "create", "read", "sudo")],
    [rule("auth/token/create", "create", "update")],
    [rule("sys/auth/*", "create", "update")],
    [rule("auth/+/role/+/secret-id", "update") + rule("auth/+/login", "update")],
    [rule("auth/+/role/*", "read", "list", "patch", "delete")],
    // https://developer.hashicorp.com/vault/docs/auth/approle: secret ids of roles that are there.
    [rule("auth/approle/role/+/secret*", "create", "read", "update") + rule("auth/approle/role/ci/*", "update")],
    [
      rule("auth/userpass/users/jo/*", "update") +
        rule("auth/aws/config/*", "update") +
        rule("auth/jwt/login/*", "update"),
    ],
    [rule("identity/*", "update") + rule("identity/group*", "deny") + rule("identity/entity*", "deny")],
  ])("none: %s", (text) => {
    expect(powersOf(text)).toEqual([]);
  });
});

const policy = (name: string, text: string | undefined, more: Partial<WantedStep> = {}): WantedStep => {
  const after = { name, policy: text };
  return { op: "create", token: "sys:Policy", name, after, ...more };
};
const role = (tokenPolicies: readonly string[], more: Values = {}): WantedStep => ({
  op: "create",
  token: "jwt:Role",
  name: "ci",
  after: { mount: "jwt", name: "ci", boundSubject: "x", tokenPolicies, ...more },
});

/** The notes of a rule, as `property what`. */
function notes(steps: readonly WantedStep[], name: string, live?: ReadonlyMap<string, readonly string[]>): string[] {
  const { resources, before } = readStack(previewJson({ steps }));
  const policies = { before, ...(live ? { live } : {}) };
  const { findings } = lint(resources, { limits: { ttlSeconds: 1 }, exceptions: [], policies, today: "2027-01-01" });
  return findings.filter((each) => each.rule === name).map(({ property, what }) => `${property} ${what}`);
}

describe("the policy of a role", () => {
  const admin = rule("*", "create", "read", "update", "delete", "list", "sudo");

  it("is an administrator's by what it allows, whatever its name is", () => {
    expect(
      notes([policy("ops", admin), policy("ci-admin", rule("a", "read")), role(["ops", "ci-admin"])], "admin-policy"),
    ).toEqual(['tokenPolicies[0] names a policy that may write policies: "ops" by "*"']);
    expect(notes([policy("ops", admin), role([" OPS "])], "admin-policy")).toHaveLength(1);
  });

  it("is judged by its name where its text is not known", () => {
    const named = ['tokenPolicies[0] is named like an administrator\'s: "admin"'];
    for (const text of [undefined, UNKNOWN, "no policy"])
      expect(notes([policy("admin", text), role(["admin"])], "admin-policy")).toEqual(named);
    expect(notes([role(["admin"])], "admin-policy")).toEqual(named);
    const elsewhere = policy("admin", rule("a", "read"), {
      after: { name: "admin", policy: "# none", connection: "east" },
    });
    expect(notes([elsewhere, role(["admin"])], "admin-policy")).toEqual(named);
    expect(notes([elsewhere, role(["admin"], { connection: "east" })], "admin-policy")).toEqual([]);
    const inTeam = policy("admin", "", { after: { name: "admin", policy: "# none", namespace: "team" } });
    expect(notes([inTeam, role(["admin"])], "admin-policy")).toEqual(named);
    expect(notes([inTeam, role(["admin"], { namespace: "/team/" })], "admin-policy")).toEqual([]);
  });

  it("is missing where the preview deletes it", () => {
    const before = { name: "old", policy: admin };
    const removal: WantedStep = { op: "delete", token: "sys:Policy", name: "old", before };
    const missing = ['tokenPolicies[1] names a policy that this preview deletes: "Old"'];
    expect(notes([removal, role(["ci", "Old"])], "unknown-policy")).toEqual(missing);
    const renamed = { ...removal, op: "replace", after: { name: "new", policy: admin } };
    expect(notes([renamed, role(["new", "Old"])], "unknown-policy")).toEqual(missing);
    expect(notes([removal, policy("old", "# again"), role(["ci", "Old"])], "unknown-policy")).toEqual([]);
    expect(notes([{ ...renamed, after: { name: UNKNOWN } }, role(["ci", "Old"])], "unknown-policy")).toEqual([]);
    const builtIn = { ...removal, before: { name: "default", policy: "# x" } };
    expect(notes([builtIn, role(["default"])], "unknown-policy")).toEqual([]);
  });

  it("is never missing only because the program does not declare it", () => {
    expect(notes([policy("ci", admin), role(["ci", "made-elsewhere"])], "unknown-policy")).toEqual([]);
  });

  it("is missing where the server was asked and has none of that name", () => {
    const here = placeOf({ provider: undefined, connection: undefined });
    const live = new Map([[here, ["default", "root", "made-elsewhere"]]]);
    const names = ["ci", "made-elsewhere", "default", "nowhere", UNKNOWN];
    expect(notes([policy("ci", admin), role(names)], "unknown-policy", live)).toEqual([
      'tokenPolicies[3] names a policy that neither the program nor the server has: "nowhere"',
    ]);
    for (const place of [{ connection: "east" }, { namespace: "team" }, { namespace: UNKNOWN }])
      expect(notes([role(["nowhere"], place)], "unknown-policy", live)).toEqual([]);
    const templates = { tokenPoliciesTemplateClaims: true };
    expect(notes([role(["team-{{ .team }}"], templates)], "unknown-policy", live)).toEqual([]);
  });
});
