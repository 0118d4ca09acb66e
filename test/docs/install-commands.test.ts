import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PACKAGE_NAME } from "../../provider/core/package-name.ts";
import { repository } from "../../tools/steps/repository.mjs";

// Until the package is released, whoever takes its name on a registry would run code at our readers.

const pages = execFileSync("git", ["ls-files", "README.md", "docs/*.md", "examples/*.md"], {
  cwd: repository,
  encoding: "utf8",
})
  .trim()
  .split("\n");
const commands = pages.flatMap((page) => {
  const text = readFileSync(join(repository, page), "utf8");
  return [...text.matchAll(/\bnpm (?:install|i|add)\b[^\n`]*/g)].map(([command]) => ({ page, command }));
});

test("no page installs the package by its name", () => {
  const byName = commands.filter(({ command }) => command.split(/\s+/).includes(PACKAGE_NAME));

  expect(byName).toEqual([]);
  expect(commands.length).toBeGreaterThan(4);
});

test.each(["README.md", "docs/index.md", "docs/guides/index.md"])(
  "%s says how to make the file that it installs",
  (page) => {
    const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
    const text = readFileSync(join(repository, page), "utf8");

    expect(text).toContain(`npm run package -- --only npm
export TRUSTPLANE=$PWD/dist-release/${PACKAGE_NAME}-${version}.tgz
`);
    expect(text).toMatch(/^npm install \$TRUSTPLANE @pulumi\/pulumi/m);
  },
);
