// @run live: it depends on a release of Pulumi

import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";

/** A message or a class that only a newer SDK has would fail where it is used, and no story uses all of them. */
test("what talks to Pulumi compiles with the oldest SDK of the range in package.json", { timeout: 120_000 }, () => {
  const { config } = ts.readConfigFile(join(repository, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, repository);
  const oldest = join(repository, "node_modules/pulumi-sdk-oldest");
  const program = ts.createProgram(
    entries.map((path) => join(repository, path)),
    {
      ...options,
      preserveSymlinks: true,
      paths: { "@pulumi/pulumi": [oldest], "@pulumi/pulumi/*": [join(oldest, "*")] },
    },
  );

  const files = program.getSourceFiles().filter(({ fileName }) => ours.test(fileName));
  const complaints = files.flatMap((file) => program.getSemanticDiagnostics(file));

  expect(files.length).toBeGreaterThan(80);
  expect(program.getSourceFiles().filter(({ fileName }) => fileName.includes("/@pulumi/pulumi/"))).toEqual([]);
  expect(complaints.map(({ messageText }) => messageText)).toEqual([]);
});

const entries = [
  "provider/hosts/plugin/main.ts",
  "provider/hosts/dynamic/modules/functions.ts",
  "provider/hosts/dynamic/host.ts",
  "sdk/index.ts",
  "sdk/native/index.ts",
];

const ours = /\/(sdk|provider\/hosts)\/.*\.ts$/;
