import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
import { describe, expect, test } from "vitest";
import { functions } from "../../provider/functions";
import { definitions } from "../../provider/resources";
import { longFormPath } from "../../schema/long-form.ts";
import { repository } from "../../tools/steps/repository.mjs";

/** Every program of every long-form text, as a file that only the compiler sees. */
const programs = new Map(
  [
    ...Object.values(definitions).map(({ token }) => ["resources", token] as const),
    ...Object.values(functions).map(({ token }) => ["functions", token] as const),
  ].flatMap(([kind, token]) => {
    const text = readFileSync(join(repository, longFormPath(kind, token)), "utf8");
    const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)];
    // A module, which may wait for a call.
    return blocks.map(([, code = ""], index) => [join(repository, "test/sdk", `${token}-${index}.mts`), code] as const);
  }),
);

describe("the examples of the documentation", () => {
  const config = ts.readConfigFile(join(repository, "tsconfig.json"), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent(config.config, ts.sys, repository);
  const options = { ...parsed.options, configFilePath: join(repository, "tsconfig.json") };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => programs.has(path) || fileExists(path);
  host.readFile = (path) => programs.get(path) ?? readFile(path);
  host.getSourceFile = (path, version) => {
    const code = programs.get(path);
    return code === undefined ? getSourceFile(path, version) : ts.createSourceFile(path, code, version);
  };
  const compiled = ts.createProgram([...programs.keys()], options, host);

  test.each([...programs.keys()])("%s compiles", (path) => {
    const source = compiled.getSourceFile(path);
    if (!source) throw new Error("the compiler did not see the program");
    const complaints = [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)];
    expect(complaints.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  });
});
