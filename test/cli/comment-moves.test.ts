import { describe, expect, it } from "vitest";
import { previewJson, type WantedPreview } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const text = async (preview: WantedPreview) => {
  const { code, out, err } = await runCli(["comment", "--dry-run"], previewJson(preview));
  expect([code, err]).toEqual([0, ""]);
  return out;
};

describe("the comment of a preview that gives a mount another path", () => {
  it.each([
    ["sys:AuthMount", "jwt", /Every token that it issued is revoked\. Logins have to name the new path; configuration/],
    ["sys:SecretsMount", "aws", /Every lease that it issued is revoked\. Requests have to name the new path; conf/],
  ])(
    "says of a %s that the server moves what ends with it, and nothing of another update",
    async (token, type, what) => {
      const [before, after] = [
        { path: "jobs", type },
        { path: "team/jobs", type },
      ];
      const said = await text({ steps: [{ op: "update", token, name: "jobs", before, after, differing: ["path"] }] });
      expect(said).toContain("**Replaced, deleted or moved**");
      expect(said).toMatch(/\* \*\*move\*\* `sys\.\w+` `jobs`, because `path` changes\. Every /);
      expect(said).toMatch(what);
      const tuned = { ...before, description: "d" };
      expect(await text({ steps: [{ op: "update", token, name: "jobs", before, after: tuned }] })).not.toContain(
        "**move**",
      );
    },
  );
});

it("a configuration does not stay where its mount goes in the same run", async () => {
  const config = { op: "delete", token: "jwt:Config", name: "c", before: { mount: "jobs" } };
  const mount = (path: string) => ({ op: "delete", token: "sys:AuthMount", name: "m", before: { path, type: "jwt" } });
  expect(await text({ steps: [config, mount("jobs")] })).not.toContain("cannot delete it");
  expect(await text({ steps: [config, mount("other")] })).toContain("the API cannot delete it");
});

describe("what a preview takes over", () => {
  it("is told before all resources and apart from warnings, among which is what is refused", async () => {
    const taken = 'identity.Group "a" is there already: policies ["theirs"] → ["ours"]. It is taken over';
    const refused =
      'identity.Group "b": this update will be refused, unless a resource of this stack has the record so far: it exists already. Import it';
    const steps = [{ op: "create", token: "identity:Group", name: "a", after: { name: "a", policies: ["ours"] } }];
    const preview = { steps, warnings: ["another", refused, taken] };
    const said = await text(preview);
    const section = `**Takes over what is there**\n\n* \`${taken}\`\n`;
    expect(said).toContain(section);
    expect(said.indexOf(section)).toBeLessThan(said.indexOf("<details>"));
    expect(said.match(/Warning: .*/g)).toEqual(["Warning: `another`"]);
    expect(said).toContain(`**Will be refused**\n\n* \`${refused}\`\n`);
    const info = previewJson(preview).replace(
      `warning: ${JSON.stringify(taken).slice(1, -1)}`,
      `info: ${JSON.stringify(taken).slice(1, -1)}`,
    );
    const { out } = await runCli(["comment", "--dry-run"], info);
    expect(out).toBe(said);
    expect(await text({ steps })).not.toContain("Takes over");
  });

  it.each([
    ["is there already, as declared. It is taken over", "there already, as declared."],
    ["is there already: x. It is taken over", "there already, and what it gave before was not compared."],
    [": this update will be refused: it exists already. Import it", "new, but the update will be refused: see above."],
  ])("is not told as new where the preview says of it: %s", async (message, told) => {
    const role = { mount: "jobs", roleType: "jwt", userClaim: "sub", boundAudiences: ["x"], tokenPolicies: ["p"] };
    const [old, anew] = [
      { ...role, name: "a" },
      { ...role, name: "b" },
    ];
    const cloud = { mount: "aws", name: "b", credentialType: "assumed_role", roleArns: ["arn:aws:iam::1:role/x"] };
    const steps = [
      { op: "replace", token: "jwt:Role", name: "r", before: old, after: anew, replacing: ["name"] },
      { op: "create", token: "identity:Group", name: "g", after: { name: "b", policies: ["p"] } },
      { op: "create", token: "cloud:Role", name: "c", after: cloud },
    ];
    const titles = ["jwt.Role", "identity.Group", "cloud.Role"].map((type) => `${type} "b"`);
    const warnings = titles.map((title) => `${title}${message.startsWith(":") ? "" : " "}${message}`);
    const said = await text({ steps, warnings });
    const [, trust = ""] = said.split("**Who can become what**");
    for (const kind of ["role", "group", "cloud role"])
      expect(trust).toContain(`: the ${kind} ${message.startsWith(":") ? "is" : "was"} ${told}`);
    expect(await text({ steps })).toContain(": the role is new.");
  });

  it("is told of those records of a set alone that the preview names", async () => {
    const role = { roleType: "jwt", userClaim: "sub", boundAudiences: ["x"], tokenPolicies: ["p"] };
    const after = { mount: "jobs", roles: { a: role, b: role } };
    const steps = [{ op: "create", token: "jwt:RoleSet", name: "s", after }];
    const of = async (message: string) => {
      const said = await text({ steps, warnings: [`jwt.RoleSet "jobs": this update will be refused: ${message}`] });
      return said.split("**Who can become what**")[1] ?? "";
    };
    const some = await of('1 of 2 records will fail: creating jwt.Role "b": it exists already.');
    expect([some.match(/is new, but the update/g)?.length, some.match(/the role is new\./g)?.length]).toEqual([1, 1]);
    expect(await of("nothing is mounted at jobs")).not.toContain("the role is new.");
  });
});
