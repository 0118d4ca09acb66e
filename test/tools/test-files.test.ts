import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { type Run, testFileOf, testFiles } from "../../tools/test/test-files.mts";

describe("which run a file of tests is in", () => {
  it("is said by its folder", () => {
    expect(testFileOf("test/unit/core/check.test.ts", 'import "x";')).toMatchObject({ run: "quick", isAlone: false });
    expect(testFileOf("test/browser/login.test.ts", 'import "x";')).toMatchObject({ run: "live", isAlone: true });
  });

  it("is said by its first lines, where they say otherwise", () => {
    const text = '// @run live: it waits\n// @alone\n// @servers embedded vault: why\n\nimport "x";\n';
    const file = testFileOf("test/contract/some.test.ts", text);
    expect(file).toMatchObject({ run: "live", isAlone: true, servers: ["embedded", "vault"], hasTerraform: true });
  });

  it("is not said by a comment further down", () => {
    expect(testFileOf("test/unit/some.test.ts", 'import "x";\n// @run live\n').run).toBe("quick");
  });

  it("is refused where nobody knows it", () => {
    expect(() => testFileOf("test/unit/some.test.ts", "// @run later\n")).toThrow(
      "test/unit/some.test.ts: later is none of quick, test, live, whole",
    );
  });
});

/** Files by project, as vitest takes them. */
async function filesIn(run: Run): Promise<Map<string, string[]>> {
  const command = [join(repository, "node_modules/vitest/vitest.mjs"), "list", "--filesOnly", "--json"];
  const env = { ...process.env, TRUSTPLANE_TEST_RUN: run };
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: repository, env });
  // What vitest lists.
  const files = JSON.parse(stdout) as { file: string; projectName?: string }[];
  const path = (file: string) => file.slice(repository.length + 1).replaceAll("\\", "/");
  const byProject = Map.groupBy(files, ({ projectName = "" }) => projectName);
  return new Map([...byProject].map(([name, of]) => [name, of.map(({ file }) => path(file)).sort()]));
}

const ours = (projects: Map<string, string[]>) => ["shared", "alone"].flatMap((name) => projects.get(name) ?? []);
const first = (...of: Run[]) => testFiles().flatMap(({ path, run }) => (of.includes(run) ? [path] : []));

describe("vitest", () => {
  it("takes every file of tests once, in the run that it names", async () => {
    const [quick, test, live, whole] = await Promise.all([
      filesIn("quick"),
      filesIn("test"),
      filesIn("live"),
      filesIn("whole"),
    ]);
    expect(ours(quick).sort()).toEqual(first("quick"));
    expect(ours(test).sort()).toEqual(first("quick", "test"));
    expect([...ours(live), ...(live.get("live") ?? [])].sort()).toEqual(first("live"));
    expect([...ours(whole), ...(whole.get("live") ?? [])].sort()).toEqual(first("quick", "test", "live", "whole"));
  });
});
