import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const role = (name: string, more: Values = {}): Values => ({
  mount: "jobs",
  name,
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["vault"],
  boundClaims: { ref: "main" },
  tokenPolicies: ["deploy"],
  ...more,
});
const policy: Values = { name: "deploy", policy: 'path "secret/*" { capabilities = ["read"] }' };
const other: Values = { name: "other", policy: 'path "other/*" { capabilities = ["read"] }' };
const same = (token: string, name: string, values: Values): WantedStep => ({
  op: "same",
  token,
  name,
  before: values,
  after: values,
});
const update = (name: string, before: Values, after: Values): WantedStep => ({
  op: "update",
  token: "jwt:Role",
  name,
  before,
  after,
});
const beside = [same("sys:Policy", "deploy", policy), same("sys:Policy", "other", other)];

async function commentOf(steps: readonly WantedStep[]): Promise<string> {
  const { code, out, err } = await runCli(["comment", "--dry-run"], previewJson({ steps }));
  expect([code, err]).toEqual([0, ""]);
  return out;
}

const mapIn = (comment: string) =>
  /\*\*The changed part of the map\*\*\n\n(?:```mermaid\n(.*?)\n```|(.*?)\n)/s.exec(comment)?.slice(1).join("");

describe("the comment draws the changed part of the map", () => {
  it("with what changes, what leads there, and where that leads, and nothing else", async () => {
    const steps = [update("deploy", role("deploy"), role("deploy", { boundClaims: { ref: "dev" } })), ...beside];
    const comment = await commentOf(steps);
    const map = mapIn(comment) ?? "";
    expect(map).toMatch(/^flowchart LR\n/);
    expect(map).toMatch(/n\d\["role: jobs\/deploy"\]:::changed/);
    expect(map).toContain("ref is #34;dev#34;");
    expect(map).toContain('["path: secret/#42;"]');
    expect(map).not.toContain("other");
    expect(await commentOf(steps)).toBe(comment);
  });

  it("with what the review notes, also of what changes", async () => {
    const wide = role("wide", { groupsClaim: "ref", boundClaims: { ref: "dev" } });
    const steps = [
      update("wide", role("wide"), wide),
      update("fine", role("fine"), role("fine", { boundClaims: { ref: "dev" } })),
      ...beside,
    ];
    const map = mapIn(await commentOf(steps)) ?? "";
    const [, wideBox] = /(n\d+)\["role: jobs\/wide"\]:::changed\n/.exec(map) ?? [];
    expect([...map.matchAll(/^ {2}class (\w+) (\w+)$/gm)].map(([, box, mark]) => [box, mark])).toEqual([
      [wideBox, "flagged"],
    ]);
    // Neither says what the other says: one is how thick a border is, and one its colour.
    expect(map).toMatch(/classDef changed stroke-width:\d+px\n {2}classDef flagged stroke:#\w+\n/);
  });

  it("and none where nobody gains or loses anything", async () => {
    const steps = [update("deploy", role("deploy"), role("deploy", { oidcScopes: ["email"] })), ...beside];
    expect(await commentOf(steps)).not.toContain("part of the map");
  });

  it("of many alike roles in one box, and of more than fits none", async () => {
    const many = (count: number, more: (at: number) => Values) =>
      Array.from({ length: count }, (_, at) => update(`r${at}`, role(`r${at}`), role(`r${at}`, more(at))));
    const alike = mapIn(await commentOf([...many(300, () => ({ tokenPolicies: ["deploy", "admin"] })), ...beside]));
    expect(alike).toMatch(/\["300 roles: .*:::changed/);
    const long = (at: number) => ({
      tokenPolicies: [`${"p".repeat(100)}${at}`],
      boundClaims: { [`${"c".repeat(100)}${at}`]: "v".repeat(200) },
    });
    const comment = await commentOf(many(300, long));
    expect(mapIn(comment)?.length).toBeLessThan(20_000);
    expect(comment.length).toBeLessThanOrEqual(65_536);
  });

  it("so that no name breaks out of it", async () => {
    const evil = 'x"]:::changed\n```\n<img src=x> click n0 "javascript:alert(1)"';
    const steps = [
      update("deploy", role("deploy"), role("deploy", { boundClaims: { ref: evil }, tokenPolicies: [evil] })),
      ...beside,
    ];
    const map = mapIn(await commentOf(steps)) ?? "";
    expect(map).toMatch(/^flowchart LR\n/);
    expect(map).not.toMatch(/<img|javascript:alert\(/);
    for (const line of map.split("\n").slice(1))
      expect(line).toMatch(
        /^ {2}(n\d+\["[^"]*"\](:::\w+)?|n\d+ -->(\|"[^"]*"\|)? n\d+|class n\d+ flagged|classDef [\w :,#-]+)$/,
      );
  });
});
