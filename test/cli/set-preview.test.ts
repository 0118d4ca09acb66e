import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { previewEvents, previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

type Wanted = Omit<WantedStep, "op" | "token" | "name">;

/** The lines that differ, in the comment of both formats of a preview. */
async function linesOf(wanted: Wanted, { op = "update", token = "jwt:RoleSet" } = {}): Promise<readonly string[]> {
  const step = { op, token, name: "all", ...wanted };
  const texts = [previewJson({ steps: [step] }), previewEvents({ steps: [step] })].map(async (input) => {
    const { out } = await runCli(["comment", "--dry-run"], input);
    return /```diff\n(.*?)\n```/s.exec(out)?.[1]?.split("\n") ?? [];
  });
  const [json = [], events] = await Promise.all(texts);
  expect(events).toEqual(json);
  return json;
}
const set = (roles: unknown, more: Values = {}): Values => ({ mount: "jwt", roles, ...more });
const many = (settings: Values) => Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`r${at}`, settings]));

const CASES: readonly (readonly [what: string, before: Values, after: Values, lines: readonly string[]])[] = [
  [
    "a property of a record",
    set({ ci: { tokenTtl: "1h" }, "ci-web": { tokenPolicies: ["a"] } }),
    set({ ci: { tokenTtl: "2h" }, "ci-web": { tokenPolicies: ["a", "b"] } }),
    ['- roles.ci.tokenTtl: "1h"', '+ roles.ci.tokenTtl: "2h"', '+ roles["ci-web"].tokenPolicies[]: "b"'],
  ],
  [
    "no setting that moves into the defaults, nor another spelling",
    set({ ci: { tokenTtl: "1h", tokenMaxTtl: "60m" } }),
    set({ ci: { tokenMaxTtl: "1h" }, web: {} }, { defaults: { tokenTtl: 3600 } }),
    ["+ defaults.tokenTtl: 3600", "+ roles.web: {}"],
  ],
  [
    "a default once",
    set(many({}), { defaults: { tokenTtl: "1h" } }),
    set(many({}), { defaults: { tokenTtl: "2h" } }),
    ["-", "+"].map((sign) => {
      const value = sign === "-" ? '"1h"' : '"2h"';
      return `${sign} defaults.tokenTtl in 1000 records (r0, r1, r10, r100, r101 and 995 more): ${value}`;
    }),
  ],
  [
    "the same change of several records once",
    set({ a: { tokenTtl: "1h" }, b: { tokenTtl: "1h" }, c: { tokenTtl: "1h" } }),
    set({ a: { tokenTtl: "2h" }, b: { tokenTtl: "2h" }, c: { tokenTtl: "3h" } }),
    [
      '- roles.a.tokenTtl in 2 records (a, b): "1h"',
      '+ roles.a.tokenTtl in 2 records (a, b): "2h"',
      '- roles.c.tokenTtl: "1h"',
      '+ roles.c.tokenTtl: "3h"',
    ],
  ],
  [
    "records that are added and removed",
    set({ a: { tokenTtl: "1h" } }),
    set({ b: { boundSubject: "x" } }),
    ['- roles.a: {"tokenTtl":"1h"}', '+ roles.b: {"boundSubject":"x"}'],
  ],
  ["records that are not known yet", set({ a: {} }), set(UNKNOWN), ["+ roles: (not known yet)"]],
  ["another property of the set", set({ a: {} }), set({ a: {} }, { exclusive: true }), ["+ exclusive: true"]],
  [
    "no secret of a record",
    set({ a: { boundClaims: { ref: "[secret]" }, tokenTtl: "1h" } }),
    set({ a: { boundClaims: { ref: "[secret]" }, tokenTtl: "2h" }, b: { boundClaims: { ref: "[secret]" } } }),
    ['- roles.a.tokenTtl: "1h"', '+ roles.a.tokenTtl: "2h"', '+ roles.b: {"boundClaims":"[secret]"}'],
  ],
  ["no records that are secret", set("[secret]"), set("[secret]", { exclusive: true }), ["+ exclusive: true"]],
];

describe("the comment of a preview with a set", () => {
  it.each(CASES)("shows %s", async (_, before, after, lines) => {
    const differing = ["roles", "defaults"].filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    expect(await linesOf({ before, after, differing })).toEqual(lines);
  });

  it("shows a new set by its defaults and the settings of each record", async () => {
    const after = set({ a: {}, b: { tokenTtl: "2h" } }, { defaults: { tokenTtl: "1h" } });
    expect(await linesOf({ after }, { op: "create" })).toEqual([
      '+ defaults.tokenTtl: "1h"',
      "+ roles.a: {}",
      '+ roles.b: {"tokenTtl":"2h"}',
    ]);
  });

  it("never shows the value of a sensitive parameter", async () => {
    const values = (value: string) => ({
      policySetId: "polset-1",
      parameters: { a: { value, sensitive: true }, b: { value: "open" } },
    });
    const lines = await linesOf(
      { before: values("needle"), after: values("needle2") },
      { token: "policy:ParameterSet" },
    );
    expect(lines).toEqual(["- parameters.a.value: [secret]", "+ parameters.a.value: [secret]"]);
  });

  const roles = { a: {}, b: { tokenTtl: "1h" } };
  it.each<[string, Wanted, readonly string[]]>([
    [
      "what another hand changed, with the plugin",
      { outputs: set({ a: { tokenTtl: "9h" }, b: { tokenTtl: "1h" } }), paths: ["roles.a.tokenTtl"] },
      ['- roles.a.tokenTtl: "9h"'],
    ],
    [
      "what another hand changed, with the dynamic classes",
      { outputs: set({ a: { tokenTtl: "9h" }, b: { tokenTtl: "1h" } }), differing: ["roles"] },
      ['- roles.a.tokenTtl: "9h"'],
    ],
    [
      "a record that an exclusive set removes, and the program has never named",
      { paths: ['roles["by-hand"]'] },
      ['- roles["by-hand"]: (not in the program)'],
    ],
    [
      "what Pulumi reports without showing it",
      { paths: ["roles.b.boundClaims"] },
      ["! roles.b.boundClaims: differs, the preview does not show how"],
    ],
  ])("shows %s", async (_, wanted, lines) => {
    expect(await linesOf({ before: set(roles), after: set(roles), ...wanted })).toEqual(lines);
  });

  it("says what deleting a set breaks", async () => {
    const step = { op: "delete", token: "jwt:RoleSet", name: "all", before: set(roles) };
    expect((await runCli(["comment", "--dry-run"], previewJson({ steps: [step] }))).out).toContain(
      "For each of its records: Logins with this role fail",
    );
  });
});
