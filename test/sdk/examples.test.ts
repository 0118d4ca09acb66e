import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
import { describe, expect, test } from "vitest";
import { definitions } from "../../provider/resources";
import { kebabCase } from "../../schema/long-form.ts";
import { repository } from "../../tools/steps/repository.mjs";

/** Every program of every resource's long-form text, as a file that only the compiler sees. */
const programs = new Map(
  Object.values(definitions).flatMap(({ token }) => {
    const [module = "", className = ""] = token.split(":");
    const path = join(repository, "provider/resources", module, `${kebabCase(className)}.md`);
    const blocks = [...readFileSync(path, "utf8").matchAll(/^```ts\n(.*?)^```$/gms)];
    return blocks.map(([, code = ""], index) => [join(repository, "test/sdk", `${token}-${index}.ts`), code] as const);
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
