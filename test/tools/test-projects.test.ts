import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";

const vitest = join(repository, "node_modules/vitest/vitest.mjs");

/** Project and file of every file that a run takes, but for those that repeat a file with another server. */
async function filesOf(...args: readonly string[]): Promise<string[]> {
  const command = [vitest, "list", "--filesOnly", "--json", ...args];
  const env = { ...process.env, TRUSTPLANE_TEST_EXTENT: "whole" };
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: repository, env });
  // What vitest lists.
  const files = JSON.parse(stdout) as { file: string; projectName?: string }[];
  return files
    .filter(({ projectName = "" }) => !/^embedded-/.test(projectName))
    .map(({ file }) => file.slice(repository.length + 1).replaceAll("\\", "/"))
    .sort();
}

let usual: readonly string[] = [];
let quick: readonly string[] = [];
let left: readonly string[] = [];
beforeAll(async () => {
  [usual, quick, left] = await Promise.all([
    filesOf("--project=!stories"),
    filesOf("--config=vitest-quick.config.mts"),
    filesOf("--config=vitest-live.config.mts", "--project=stories"),
  ]);
});

it("every file of tests is in `npm test`, or else in the stories of the live run, once", () => {
  const files = globSync("test/**/*.test.ts", { cwd: repository }).map((file) => file.replaceAll("\\", "/"));
  const embedded = files.filter((file) => !file.startsWith("test/live/"));
  expect([...usual, ...left].sort()).toEqual(embedded.sort());
});

it("the quick run takes nothing that `npm test` does not", () => {
  expect(quick.length).toBeGreaterThan(100);
  expect(quick.filter((file) => !usual.includes(file))).toEqual([]);
});
