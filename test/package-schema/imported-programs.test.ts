import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkResource } from "../../provider/core/check-set.ts";
import type { Values } from "../../provider/core/definition.ts";
import { typeToken } from "../../provider/core/type-token.ts";
import { definitions } from "../../provider/resources/index.ts";
import { repository } from "../../tools/steps/repository.mjs";
import { goModule } from "../support/go-module.ts";
import { goProgram, needsGo, needsGoProgram } from "../support/go-program.ts";
import { installPythonSdk, needsPython, registeringProgram } from "../support/python-sdk.ts";
import { type DefinitionName, validInputs } from "../support/valid-inputs.ts";

/** What `pulumi import` has read of a resource. */
interface Imported {
  readonly type: string;
  readonly name: string;
  readonly inputs: Values;
}

/** The first time, Go compiles Pulumi's generators and SDK, and pip fetches Python's. */
const firstTimeMs = 600_000;
const resources = (Object.keys(validInputs) as DefinitionName[]).flatMap(importedOf);

function importedOf(name: DefinitionName): Imported[] {
  const definition = definitions[name];
  return validInputs[name].map((values, index) => ({
    type: typeToken(definition.token),
    name: `${name}-${index}`,
    inputs: checkResource(definition, values, {}, undefined).inputs,
  }));
}

const titleOf = ({ type, name }: Imported) => `${type} ${name}`;

describe("the program that `pulumi import` writes", needsGoProgram("package-schema"), () => {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-imported-"));
  let generators: string;
  beforeAll(async () => {
    generators = await goProgram("package-schema");
  }, firstTimeMs);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function program(language: string, imported: readonly Imported[]): Promise<string> {
    const list = join(folder, `${language}.json`);
    writeFileSync(list, JSON.stringify(imported));
    const args = ["program", language, join(repository, "schema/schema.json"), list];
    return (await promisify(execFile)(generators, args, { maxBuffer: 1 << 26 })).stdout;
  }

  test("compiles in TypeScript, with the classes of the plugin", async () => {
    const text = await program("typescript", resources);
    expect(text).toContain('import * as trustplane from "trustplane/native";');
    expect(text).toContain("roleType: trustplane.jwt.RoleType.Jwt,");
    expect(problemsOf(text)).toEqual([]);
    expect(problemsOf(text.replaceAll("RoleType.Jwt", "RoleType.Gone"))).not.toEqual([]);
  });

  test("registers in Python what was imported", { ...needsPython(), timeout: firstTimeMs }, async () => {
    const python = await installPythonSdk(folder);
    const file = join(folder, "program.py");
    writeFileSync(file, await program("python", resources));
    const made: readonly Imported[] = JSON.parse(await python(registeringProgram, file, "{}"));
    // Registrations overtake each other.
    expect(made.map(titleOf).sort()).toEqual(resources.map(titleOf).sort());
    const isPlain = ({ type }: Imported) => type.startsWith("trustplane:jwt/role");
    expect(made.filter(isPlain)).toEqual(expect.arrayContaining(resources.filter(isPlain)));
  });

  // Pulumi's generator writes `pulumi.Any{…}` for a list whose type is anything, which is no type in Go.
  test("compiles in Go, but for a list in `boundClaims`", { ...needsGo(), timeout: firstTimeMs }, async () => {
    const text = await program("go", resources);
    const goCode = text.replace(/pulumi\.Any\{[^{}]*\}/g, "pulumi.Any(nil)");
    const go = goModule(join(folder, "go"), { "main.go": goCode });
    expect(text.split("pulumi.Any{")).toHaveLength(2);
    expect(await go("vet", ".")).toBe("");
  });
});

/** What the compiler has to say of a program in TypeScript. */
function problemsOf(text: string): string[] {
  const file = join(repository, "test/package-schema/imported.mts");
  const { config } = ts.readConfigFile(join(repository, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, repository);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.readFile = (path) => (path === file ? text : readFile(path));
  const compiled = ts.createProgram([file], { ...options, configFilePath: join(repository, "tsconfig.json") }, host);
  const source = compiled.getSourceFile(file);
  const found = [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)];
  // A program names resources of which it uses none.
  return found
    .filter(({ code }) => code !== 6133)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
