import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Finding, LintResult } from "../../cli/facts/lint/lint.ts";
import type { Values } from "../../provider/core/definition.ts";
import { asSecret } from "../../provider/core/secret-envelope.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { terraformPlan } from "../support/sentence-plans.ts";
import type { SentenceStep } from "../support/sentence-steps.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { previewJson } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const bound = { boundSubject: "x" };
const urn = "urn:pulumi:dev::story::pulumi-nodejs:dynamic/trustplane/jwt:RoleSet::all";
const stateOf = (inputs: Values) =>
  JSON.stringify({
    deployment: { resources: [{ urn, type: urn.split("::")[2], custom: true, id: "auth/jwt/role", inputs }] },
  });
const previewOf = (after: Values, token = "jwt:RoleSet") =>
  previewJson({ steps: [{ op: "create", token, name: "all", after: { mount: "jwt", ...after } }] });
const linted = async (input: string, ...words: string[]): Promise<LintResult> =>
  JSON.parse((await runCli(["lint", "--json", ...words], input)).out);
const short = ({ rule, property, records }: Finding) => [rule, property, records];

const silencing = (...resources: readonly string[]) => {
  const folder = folderOfTest();
  const file = join(folder, "exceptions.json");
  const rest = { rule: "long-ttl", reason: "OPS-12", expires: "2999-01-01" };
  const silence = resources.map((resource) => ({ resource, ...rest }));
  writeFileSync(file, JSON.stringify({ silence }));
  return file;
};

const CASES: readonly (readonly [what: string, values: Values, notes: readonly unknown[][]])[] = [
  [
    "a record's own settings",
    { roles: { ci: { ...bound, tokenTtl: "48h" }, "ci-web": { roleType: "jwt", boundAudiences: ["a"] } } },
    [
      ["any-token", 'roles["ci-web"].boundSubject', ["ci-web"]],
      ["long-ttl", "roles.ci.tokenTtl", ["ci"]],
    ],
  ],
  [
    "a default once, for the records that have it",
    { defaults: { ...bound, tokenTtl: "48h" }, roles: { a: {}, b: {}, c: { tokenTtl: "1h" } } },
    [["long-ttl", "defaults.tokenTtl", ["a", "b"]]],
  ],
  [
    "the same own setting of many records once",
    { roles: { a: { ...bound, tokenTtl: "48h" }, b: { ...bound, tokenTtl: "48h" }, c: { ...bound, tokenTtl: "49h" } } },
    [
      ["long-ttl", "roles.a.tokenTtl", ["a", "b"]],
      ["long-ttl", "roles.c.tokenTtl", ["c"]],
    ],
  ],
  [
    "what defaults and own settings make together",
    {
      defaults: { roleType: "jwt", boundClaimsType: "glob", boundClaims: { ref: "main" } },
      roles: { a: { boundClaims: { ref: "*" } } },
    },
    [["any-token", "roles.a.boundClaims", ["a"]]],
  ],
  ["nothing of records that are not known yet", { roles: UNKNOWN }, []],
  ["nothing of settings that are not known yet", { roles: { a: UNKNOWN, b: { boundSubject: UNKNOWN } } }, []],
  ["nothing of defaults that are not known yet", { defaults: UNKNOWN, roles: { a: {} } }, []],
];

describe("trustplane lint of a set", () => {
  it("is the same alert of code scanning when a record comes that sorts before the others, and a silenced one is suppressed", async () => {
    const resultsOf = async (names: readonly string[], ...words: string[]) => {
      const roles = Object.fromEntries(names.map((name) => [name, { ...bound, tokenTtl: "48h" }]));
      const { out } = await runCli(["lint", "--sarif", ...words], stateOf({ mount: "jwt", roles }));
      return JSON.parse(out).runs[0].results;
    };
    const many = Array.from({ length: 300 }, (_, at) => `role-${at}`);
    const [[was], [is]] = [await resultsOf(many), await resultsOf(["a", ...many])];
    expect(is.message.text).toContain("in 301 records: a, role-0, role-1, role-2, role-3 and 296 more");
    expect(is.partialFingerprints).toEqual(was.partialFingerprints);
    const file = silencing("jwt.Role a");
    const all = await resultsOf(["a", ...many], "--ignore", file);
    expect(all.map(({ suppressions }: { suppressions?: unknown }) => suppressions)).toEqual([
      undefined,
      [{ kind: "external", status: "accepted", justification: "OPS-12" }],
    ]);
    expect(all[0].partialFingerprints).toEqual(was.partialFingerprints);
    expect(all[1].partialFingerprints).not.toEqual(was.partialFingerprints);
    const both = await resultsOf(["a", ...many], "--ignore", silencing("jwt.Role a", "jwt.Role role-1"));
    const prints = both.map(({ partialFingerprints }: { partialFingerprints: object }) => partialFingerprints);
    expect(new Set(prints.map((each: object) => JSON.stringify(each))).size).toBe(3);
    expect(prints).toContainEqual(all[1].partialFingerprints);
  });

  it("names the setting in the words of Terraform, as the property", async () => {
    const step = (after: Values): SentenceStep => ({
      token: "jwt:RoleSet",
      name: "all",
      after: { mount: "jwt", ...after },
    });
    const plan = terraformPlan([
      step({ defaults: { tokenTtl: "48h" }, roles: { a: { ...bound }, b: { ...bound, tokenMaxTtl: "99h" } } }),
    ]);
    expect((await linted(plan)).findings.map(({ property, setting }) => [property, setting])).toEqual([
      ["defaults.token_ttl", "defaults.token_ttl"],
      ["roles.b.token_max_ttl", "token_max_ttl"],
    ]);
  });

  it.each(CASES)("notes %s, in a preview and in a state", async (_, values, notes) => {
    for (const input of [previewOf(values), stateOf({ mount: "jwt", ...values })]) {
      expect((await linted(input)).findings.map(short)).toEqual(notes);
    }
  });

  it.each([
    ["cloud:RoleSet", { roles: { a: { policyArns: ["arn:aws:iam::aws:policy/AdministratorAccess"] } } }],
    ["jwt:RoleSet", { roles: { a: { ...bound, tokenPolicies: ["root"] } } }],
  ])("looks at a %s, too", async (token, values) => {
    expect((await linted(previewOf(values, token))).findings).toMatchObject([{ rule: "admin-policy" }]);
  });

  it("names the first records and counts the others, in lint and in the comment", async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `r${index}`);
    const roles = Object.fromEntries(names.map((name) => [name, bound]));
    const input = previewOf({ defaults: { tokenTtl: "48h" }, roles });
    const where = "in 1000 records: ";
    const { out } = await runCli(["lint"], input);
    expect(out).toContain(
      `jwt.RoleSet all: defaults.tokenTtl is 48h, longer than 24h ${where}r0, r1, r2, r3, r4 and 995 more\n`,
    );
    expect(out).toMatch(/1 note\n$/);
    expect((await runCli(["comment", "--dry-run"], input)).out).toContain(
      `* \`jwt.RoleSet\` \`all\` \`defaults.tokenTtl\` is 48h, longer than 24h ${where}\`r0, r1, r2, r3, r4 and 995 more\``,
    );
  });

  it.each([
    ["a claim of a record", { roles: { a: { boundClaims: { ref: asSecret("*needle") } } } }, ["roles.a.boundClaims"]],
    [
      "a default",
      { defaults: { boundSubject: asSecret("needle") }, roles: { a: {}, b: {} } },
      ["defaults.boundSubject"],
    ],
    ["a record", { roles: { a: asSecret({ tokenTtl: "48h", boundSubject: "needle" }) } }, ["roles.a"]],
    [
      "all defaults",
      { defaults: asSecret({ tokenTtl: "48h", boundSubject: "needle" }), roles: { a: {} } },
      ["defaults"],
    ],
    ["all records", { roles: asSecret({ needle: {} }) }, ["roles"]],
  ])("does not judge or show %s that the program keeps secret", async (_, values, properties) => {
    // Pulumi's previews show a word for a secret, `pulumi stack export` encrypts it, and decrypts it when asked.
    const forms = [
      previewOf(values),
      previewOf(replaced(values, () => "[secret]")),
      stateOf(replaced(values, (value) => ({ ...envelope, plaintext: JSON.stringify(value) }))),
      stateOf(replaced(values, () => ({ ...envelope, ciphertext: "v1:…" }))),
    ];
    for (const input of forms) {
      const { findings, unchecked } = await linted(input);
      expect(findings).toEqual([]);
      expect(unchecked.map((each) => each.properties)).toEqual([properties]);
      expect((await runCli(["lint"], input)).out).not.toContain("needle");
    }
  });

  it.each([
    ["the set", "jwt.RoleSet all", 1, []],
    ["a record, as it would name a single role", "jwt.Role a", 1, ["b", "c"]],
    ["a record by its id", "auth/jwt/role/a", 1, ["b", "c"]],
    ["another record", "jwt.Role other", 0, ["a", "b", "c"]],
  ])("an exception that names %s fits", async (_, resource, silenced, left) => {
    const file = silencing(resource);
    const input = previewOf({ defaults: { ...bound, tokenTtl: "48h" }, roles: { a: {}, b: {}, c: {} } });
    const result = await linted(input, "--ignore", file);
    expect(result.silenced).toBe(silenced);
    expect(result.findings.flatMap(({ records }) => records)).toEqual(left);
    expect(result.idle).toHaveLength(1 - silenced);
  });
});

const envelope: object = { ...Object(asSecret("")), value: undefined };

/** The values with another form of each secret. */
function replaced(values: unknown, form: (value: unknown) => unknown): Values {
  const inside = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Object.keys(value).some((key) => Object.hasOwn(envelope, key))) return form(Reflect.get(value, "value"));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inside(each)]));
  };
  return inside(values) as Values;
}
