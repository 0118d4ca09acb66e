import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runTrustTests, type TrustTests } from "../../cli/commands/test/tests-in-code.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { previewJson } from "./preview-text.ts";

const role = { mount: "jobs", name: "deploy", roleType: "jwt", userClaim: "sub", boundAudiences: ["vault"] };
const preview = previewJson({ steps: [{ op: "create", token: "jwt:Role", name: "deploy", after: role }] });
const login = { mount: "jobs", role: "deploy", claims: { sub: "ci" } };
const tests: TrustTests = {
  tests: [
    { name: "jobs log in", login, expect: { policies: [] } },
    { name: "nobody logs in", login, expect: "refused" },
  ],
};

describe("trust tests in code", () => {
  it("have the results of the command, whether they are values or in a file", async () => {
    const folder = folderOfTest();
    writeFileSync(join(folder, "trust.yml"), JSON.stringify(tests));

    const report = await runTrustTests(preview, tests);

    expect(report).toMatchObject({
      result: "failed",
      tests: [
        { name: "jobs log in", passed: true, problems: [] },
        { name: "nobody logs in", passed: false, problems: [expect.stringContaining("the login is not refused")] },
      ],
    });
    expect(await runTrustTests(preview, join(folder, "trust.yml"))).toEqual(report);
  });

  it.each([
    ["tests of another form", preview, { tests: [] }, /^the trust tests cannot be read: tests: /],
    ["a file that is not there", preview, "/nowhere/trust.yml", /^the tests in \/nowhere\/trust\.yml cannot be read/],
    ["no stack", "{}", tests, /./],
    ["a preview that failed", previewJson({ steps: [], errors: ["x"] }), tests, /^the preview failed/],
  ])("throw for %s", async (_what, stack, given, message) => {
    await expect(runTrustTests(stack, given)).rejects.toThrow(message);
  });
});
