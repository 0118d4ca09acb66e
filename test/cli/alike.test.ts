import { describe, expect, it } from "vitest";
import type { DriftReport, ResourceReport } from "../../cli/facts/drift/report.ts";
import { htmlReport } from "../../cli/views/drift/html-report.ts";
import { markdownReport } from "../../cli/views/drift/markdown-report.ts";
import { terminalReport } from "../../cli/views/drift/terminal-report.ts";
import type { Values } from "../../provider/core/definition.ts";
import { report as reportText } from "./comment-harness.ts";
import { openStack, role } from "./drift-harness.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const MANY = 1000;
const names = Array.from({ length: MANY }, (_, index) => `role-${String(index).padStart(3, "0")}`);
const update = (name: string, before: Values, after: Values): WantedStep => ({
  op: "update",
  token: "jwt:Role",
  name,
  before: { name, ...before },
  after: { name, ...after },
});
const comment = async (steps: readonly WantedStep[]) =>
  (await runCli(["comment", "--dry-run"], previewJson({ steps }))).out;

describe("the same change of many resources", () => {
  it("is one block of the comment, with their names", async () => {
    const out = await comment(names.map((name) => update(name, { tokenTtl: "15m" }, { tokenTtl: "30m" })));
    expect(out.match(/<details>/g)).toHaveLength(1);
    expect(out).toContain("<details><summary>update <code>jwt.Role</code>, 1000 resources, 1 property</summary>");
    expect(out).toContain('`role-098`, `role-099` and 900 more\n\n```diff\n- tokenTtl: "15m"\n+ tokenTtl: "30m"\n```');
    expect(out).not.toContain("Shortened");
  });

  it("is apart from another change, and from the same change of another class", async () => {
    const out = await comment([
      ...["a", "b"].map((name) => update(name, { tokenTtl: "15m" }, { tokenTtl: "30m" })),
      update("c", { tokenTtl: "15m" }, { tokenTtl: "1h" }),
      { ...update("d", { tokenTtl: "15m" }, { tokenTtl: "30m" }), token: "cloud:Role" },
    ]);
    expect([...out.matchAll(/<summary>(.*)<\/summary>/g)].map(([, title]) => title)).toEqual([
      "update <code>cloud.Role</code> <code>d</code>, 1 property",
      "update <code>jwt.Role</code>, 2 resources, 1 property",
      "update <code>jwt.Role</code> <code>c</code>, 1 property",
    ]);
  });

  it("shows names as code, whatever is in them", async () => {
    const out = await comment(["`@team`", "<b>"].map((name) => update(name, { tokenTtl: 1 }, { tokenTtl: 2 })));
    expect(out).toContain("`` `@team` ``");
    expect(out.replace(/`<b>`/g, "")).not.toContain("<b>");
  });
});

describe("the same drift of many resources", () => {
  const [drifted] = JSON.parse(reportText("drift", 1)).resources as ResourceReport[];
  const whole: DriftReport = {
    ...(JSON.parse(reportText("drift", 1)) as DriftReport),
    resources: names.map((name) => ({
      ...(drifted as ResourceReport),
      urn: `urn:${name}`,
      name,
      id: `auth/jwt/role/${name}`,
    })),
  };

  it("is one row in the terminal", () => {
    const out = terminalReport(whole, { columns: undefined, hasColours: false });
    expect(out.split("\n").filter((line) => line.startsWith("changed"))).toEqual([
      'changed  jwt.Role role-000, role-001, role-002, role-003, role-004 and 995 more  tokenTtl: "15m" → "12h"',
      "changed  jwt.Role role-000, role-001, role-002, role-003, role-004 and 995 more  value: [secret, fingerprint aaaa] → [secret, fingerprint bbbb]",
    ]);
  });

  it("is one block in Markdown, and in the comment", async () => {
    const { out } = await runCli(["comment", "--dry-run"], JSON.stringify(whole));
    for (const text of [markdownReport(whole), out]) {
      expect(text.match(/<details/g)).toHaveLength(1);
      expect(text).toContain("`role-099` and 900 more\n\n```diff\n- tokenTtl");
    }
  });

  it("is one card in HTML, which has all names and counts them", () => {
    const out = htmlReport(whole);
    expect(out.match(/<article/g)).toHaveLength(1);
    expect(out).toContain("1000 changed");
    for (const name of ["role-000", "role-999"])
      expect(out).toContain(`<li><code>${name}</code> auth/jwt/role/${name}`);
  });

  it("is one line in a set, and all of them in JSON", async () => {
    const set = (roles: Values) => ({ resource: "jwtRoleSet" as const, name: "all", args: { mount: "jwt", roles } });
    const { args } = role("x");
    const { name: _, ...settings } = args as Values & { name: string };
    const { drift, raw } = await openStack([set({ a: settings, b: settings, c: settings })]);
    for (const name of ["a", "b", "c"])
      await raw("secrets").call(`POST auth/jwt/role/${name}`, { role_type: "jwt", token_ttl: 60 });
    const { out } = await drift();
    expect(out.match(/tokenTtl/g)).toHaveLength(1);
    expect(out).toContain('roles.a.tokenTtl in 3 records (a, b, c): (unset) → "1m"');
    expect((await drift("--markdown")).out).toContain("roles.a.tokenTtl in 3 records (a, b, c): ");
    expect((await drift("--html")).out).toContain("roles.a.tokenTtl in 3 records");
    expect((await drift("--json")).report().resources[0]?.properties).toHaveLength(3);
  });

  it("leaves each missing resource a row of its own", async () => {
    const { drift, raw } = await openStack([role("a"), role("b")]);
    for (const name of ["a", "b"]) await raw("secrets").call(`DELETE auth/jwt/role/${name}`);
    expect((await drift()).out.match(/^missing/gm)).toHaveLength(2);
  });
});
