import { symlinkSync } from "node:fs";
import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { LONGEST_COMMENT } from "../../cli/views/comment/fitted.ts";
import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { fileOfTest } from "../support/temporary-folder.ts";
import { opened, post, report } from "./comment-harness.ts";
import { previewJson, type WantedPreview } from "./preview-text.ts";

const role: Values = {
  mount: "jobs",
  name: "deploy",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["vault"],
  boundClaims: { ref: "main" },
  tokenPolicies: ["deploy"],
};
/** The role changes, its auth method does not. */
const preview = (changed: Values = {}, more: Partial<WantedPreview> = {}) => {
  const jobs = { mount: "jobs", jwksUrl: "https://git.example.com/keys", boundIssuer: "https://git.example.com" };
  return previewJson({
    steps: [
      { op: "update", token: "jwt:Role", name: "deploy", before: role, after: { ...role, ...changed } },
      { op: "same", token: "jwt:Config", name: "jobs", before: jobs, after: jobs },
    ],
    unchanged: 1,
    ...more,
  });
};
const refused = (name: string, ref: string) =>
  `  - { name: ${name}, login: { mount: jobs, role: deploy, claims: { sub: ci, ref: ${ref} } }, expect: refused }\n`;
const forks = `tests:\n${refused("forks", "fork")}`;

function fileWith(text: string): string {
  return fileOfTest("trust.yml", text);
}
const commented = (input: string, tests = forks) => post(input, "--dry-run", "--trust", fileWith(tests));
const open = { boundClaims: { ref: ["main", "fork"] } };

describe("trustplane comment --trust", () => {
  it("says that all tests passed", async () => {
    const { code, out, err } = await commented(preview({ tokenTtl: "1h" }));
    expect(out).toContain("\n\n**Trust tests**: 1 test passed.\n\n");
    expect([code, err]).toEqual([0, ""]);
    expect(out).not.toContain("no test could see");
  });

  it("says what no test could see", async () => {
    const steps = [{ op: "same", token: "jwt:Role", name: "deploy", before: role, after: role }] as const;
    const isIn = forks.replace("ref: fork", "ref: main").replace("refused", "{ policies: [deploy] }");
    const { code, out } = await commented(previewJson({ steps, unchanged: 1 }), isIn);
    expect(out).toContain(
      "**Trust tests**: 1 test passed.\n\nWhat no test could see: `not looked at: issuers and keys of logins: the configuration of auth/jobs (jwt.Config) is not in this stack`.\n",
    );
    expect(code).toBe(0);
  });

  it("names the tests that fail, beside who can become what, and ends as trustplane test does", async () => {
    const { code, out, err } = await commented(preview(open), `${forks}${refused("others", "dev")}`);
    expect(out).toMatch(
      /\*\*Who can become what\*\*\n[\s\S]*\n\n\*\*Trust tests\*\*: 1 of 2 tests failed\n\n\* `forks`: `the login is not refused: it gets policies default, deploy for \w+`\n/,
    );
    expect([code, err]).toEqual([2, "trustplane: 1 of 2 tests of trust failed.\n"]);
  });

  it("fails after the comment is written", async () => {
    const forge = await opened("github");
    expect(await post(preview(open), "--trust", fileWith(forks))).toMatchObject({ code: 2 });
    expect(forge.notes.comments).toMatchObject([{ body: expect.stringContaining("1 of 1 test failed") }]);
  });

  it("fails the tests of a role that is not known yet", async () => {
    const { code, out } = await commented(preview({ tokenPolicies: UNKNOWN }));
    expect(out).toContain(
      "**Trust tests**: 1 of 1 test failed\n\n* `forks`: `jwt.Role deploy cannot be tested: tokenPolicies is",
    );
    expect(code).toBe(2);
  });

  it.each([
    ["failed", preview({}, { errors: ["broken"] }), "the preview failed, so some resources are missing from it"],
    ["was made without --show-sames", preview({}, { unchanged: 3 }), "2 unchanged resources are not in this preview"],
  ])("writes the comment, and fails, where what is tested %s", async (_what, input, why) => {
    const { code, out, err } = await commented(input);
    expect(out).toMatch(/^\*\*Preview of `story\/dev`/);
    expect(out).toContain("**The trust tests could not run**: `");
    expect([out, err].filter((text) => text.includes(why))).toHaveLength(2);
    expect(code).toBe(1);
  });

  it("does not show in the comment what is in a file that is no file of tests", async () => {
    const secrets = fileWith('"TOKEN=needle a": 1\n');
    const link = `${secrets}.link`;
    symlinkSync(secrets, link);
    const { code, out, err } = await post(preview(), "--dry-run", "--trust", link);
    expect(out).toContain("**The trust tests could not run**: the file of tests cannot be read.");
    expect(out).not.toContain("needle");
    expect(err).toContain("the tests in");
    expect(code).toBe(1);
  });

  it("shows no secret of the program", async () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: '"needle"' };
    const { out, err } = await commented(preview({ boundClaims: { ref: secret } }));
    expect(out + err).toContain("is secret");
    expect(out + err).not.toContain("needle");
  });

  it("keeps names and claims from being markup", async () => {
    const name = JSON.stringify("</details><b>@all</b> `x` #1\n# big");
    const [claim] = [JSON.stringify("fork")];
    const { out } = await commented(preview(open), `tests:\n${refused(name, claim)}`);
    const html = await marked.parse(out.slice(out.indexOf("**Trust tests**")));
    expect(html).not.toMatch(/<b>|<h1>|<\/details>\s*<b/);
    expect(html).toContain("@all&lt;/b&gt; `x` #1\\n# big</code>");
  });

  it("stays within the length of a comment, and counts what it leaves out", async () => {
    const names = Array.from({ length: 80 }, (_, index) =>
      refused(`${index} ${"n".repeat(500)}`, "[fork, main, fork, main, fork]"),
    );
    const { out } = await commented(preview(open), `tests:\n${names.join("")}`);
    expect(out.length).toBeLessThan(LONGEST_COMMENT);
    expect(out.match(/^\* `\d+ n/gm)).toHaveLength(30);
    expect(out).toContain("* 50 more failed: `trustplane test` shows them all.");
    expect(out).toContain(" and 2 more\n");
  });

  it("tests no drift report", async () => {
    const { code, err } = await post(report("drift", 1), "--issue", "--dry-run", "--trust", "trust.yml");
    expect([code, err]).toEqual([1, expect.stringContaining("this is a drift report: leave --trust out")]);
  });
});
