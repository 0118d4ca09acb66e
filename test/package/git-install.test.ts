// @run whole: it installs all dependencies from the registry and builds the package

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { runNpm } from "../../tools/steps/run-npm.mjs";
import { runTool } from "../../tools/steps/run-tool.mjs";
import { folderOfTest } from "../support/temporary-folder";

test("npm installs the package from a git repository, which has no build", { timeout: 600_000 }, async () => {
  const folder = folderOfTest();
  const clone = join(folder, "clone");
  const cwd = join(folder, "program");
  await runTool("git", ["clone", "--quiet", repository, clone]);
  mkdirSync(cwd);
  writeFileSync(join(cwd, "package.json"), '{ "name": "program", "private": true }');

  await runNpm(["install", "--no-audit", "--no-fund", `git+file://${clone}`], { cwd });

  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
  const printed = await runTool(process.execPath, [join(cwd, "node_modules/.bin/trustplane"), "--version"]);
  expect(printed).toBe(`${version}\n`);
});
