import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";
import { runProgram, runTrustplane } from "./run-drift.ts";

/** `examples/trust-tests`, run as its README says; the second test changes the program. */
describe("a repository with trust tests in YAML and in vitest", needsPulumi(), () => {
  let story: Story;
  const inYaml = async () => {
    const { stdout } = await story.pulumi("preview --json --show-sames");
    return runTrustplane(story, ["test"], { input: stdout });
  };
  const inVitest = async () => {
    const results = join(story.sandbox.programFolder, "results.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${results}`];
    const { code, out, err } = await runProgram(story, ["npm", "--silent", "test", "--", ...reporters]);
    const { testResults } = JSON.parse(readFileSync(results, "utf8"));
    const tests: { title: string; status: string }[] = testResults[0].assertionResults;
    return { code, text: out + err, tests: Object.fromEntries(tests.map(({ title, status }) => [title, status])) };
  };

  beforeAll(async () => {
    story = await openStory({ program: "examples/trust-tests" });
    const modules = join(story.sandbox.programFolder, "node_modules");
    symlinkSync(join(repository, "node_modules/vitest"), join(modules, "vitest"));
    symlinkSync(join("..", "vitest/vitest.mjs"), join(modules, ".bin/vitest"));
    return story.close;
  }, openingMs);

  test("passes both, and its files compile", async () => {
    expect(await runProgram(story, ["node", "node_modules/typescript/bin/tsc"])).toMatchObject({ code: 0, out: "" });

    expect(await inYaml()).toMatchObject({ code: 0, out: expect.stringContaining("3 tests: 3 passed, 0 failed") });
    const { code, tests } = await inVitest();
    expect({ code, tests }).toEqual({ code: 0, tests: Object.fromEntries(TITLES.map((title) => [title, "passed"])) });
  });

  test("names in both what a wider role would let in", async () => {
    const before = readFileSync(join(story.sandbox.programFolder, "index.ts"), "utf8");
    const after = before.replace('ref: "main"', 'ref: "*"');
    expect(after).not.toBe(before);
    story.sandbox.write("index.ts", after);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the program
    const anyTeam = after.replace("`${team}/*`", '"*"');
    expect(anyTeam).not.toBe(after);

    const { code, out } = await inYaml();
    expect(code).toBe(2);
    // The words of the README.
    const readme = readFileSync(join(repository, "examples/trust-tests/README.md"), "utf8");
    const [, failure = "nothing"] = readme.match(/^```\n(FAILED [\s\S]*?)```$/m) ?? [];
    expect(out).toContain(failure);
    const [, branches, ...others] = TITLES;
    const { tests, ...run } = await inVitest();
    expect(run).toMatchObject({ code: 1, text: expect.stringContaining("the login is not refused: it gets policies") });
    expect(tests[branches]).toBe("failed");
    expect(others.map((title) => tests[title])).toEqual(others.map(() => "passed"));

    story.sandbox.write("index.ts", anyTeam);
    const { tests: wider } = await inVitest();
    expect(others.map((title) => wider[title])).toEqual(others.map(() => "failed"));
  });
});

const TITLES = [
  "main of billing reads the secrets of billing",
  "no branch that anybody can make gets a token",
  "only projects of billing become billing",
  "billing lets no other team in",
  "checkout lets no other team in",
  "search lets no other team in",
] as const;
