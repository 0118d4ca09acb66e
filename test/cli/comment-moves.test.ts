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
    expect(said.match(/Warning: .*/g)).toEqual(["Warning: `another`", `Warning: \`${refused}\``]);
    const info = previewJson(preview).replace(
      `warning: ${JSON.stringify(taken).slice(1, -1)}`,
      `info: ${JSON.stringify(taken).slice(1, -1)}`,
    );
    const { out } = await runCli(["comment", "--dry-run"], info);
    expect(out).toBe(said);
    expect(await text({ steps })).not.toContain("Takes over");
  });
});
