import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readExceptions } from "../../cli/facts/exceptions/exceptions-file.ts";
import { lint } from "../../cli/facts/lint/lint.ts";
import { checkedTests } from "../../cli/facts/trust/trust-file.ts";
import { evaluated } from "../../cli/stack/evaluated-records.ts";
import { checkResource } from "../../provider/core/check-set.ts";
import { CONFIG_KEYS } from "../../provider/core/config-keys.ts";
import { textOf as textOfFailures } from "../../provider/core/errors.ts";
import { readHcl } from "../../provider/core/hcl.ts";
import { assertConfiguration } from "../../provider/engine/settings.ts";
import { repository } from "../../tools/steps/repository.mjs";
import { theAction } from "../cli/ci-action.ts";
import { runCli } from "../cli/run-cli.ts";
import { resourcesOf } from "../support/page-program.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { createTerraformSandbox, reasonWithoutTerraform } from "../support/terraform-sandbox.ts";
import { unlessThere } from "../support/unless-there.ts";

// Every code block of every page for users. `test/live/guides.test.ts` also does the guides with the real CLI. The one block of
// Python and the one of Go in docs/languages.md are not compiled: that takes their SDKs, and minutes.

interface Block {
  readonly place: string;
  readonly language: string;
  readonly code: string;
}

const pages = execFileSync("git", ["ls-files", "README.md", "docs/*.md"], { cwd: repository, encoding: "utf8" })
  .trim()
  .split("\n");
const textOf = (page: string) => readFileSync(join(repository, page), "utf8");
const blocks: readonly Block[] = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^( *)```(.*)\n([\s\S]*?)^ *```$/gm)].map(
    ({ 1: indent = "", 2: language = "", 3: code = "", index }): Block => ({
      place: `${page}:${textOf(page).slice(0, index).split("\n").length}`,
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  ),
);
const blocksOf = (...languages: readonly string[]) => blocks.filter(({ language }) => languages.includes(language));

test("each block says its language, and `text` is what a program prints", () => {
  const known = ["ts", "sh", "yaml", "json", "hcl", "diff", "python", "go", "text"];
  expect(blocks.filter(({ language }) => !known.includes(language)).map(({ place }) => place)).toEqual([]);
  expect(blocks.length).toBeGreaterThan(200);
});

describe("TypeScript", () => {
  // A module, which may wait for a call. Only the compiler sees these files.
  const programs = new Map(
    blocksOf("ts").map(({ place, code }) => [
      join(repository, "test/docs", `${place.replaceAll("/", "-").replace(":", "-")}.mts`),
      { place, code },
    ]),
  );
  const config = ts.readConfigFile(join(repository, "tsconfig.json"), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent(config.config, ts.sys, repository);
  const options = { ...parsed.options, configFilePath: join(repository, "tsconfig.json") };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => programs.has(path) || fileExists(path);
  host.readFile = (path) => programs.get(path)?.code ?? readFile(path);
  host.getSourceFile = (path, version) => {
    const code = programs.get(path)?.code;
    return code === undefined ? getSourceFile(path, version) : ts.createSourceFile(path, code, version);
  };
  const compiled = ts.createProgram([...programs.keys()], options, host);

  test.each([...programs].map(([path, { place }]) => [place, path] as const))("%s compiles", (_place, path) => {
    const source = compiled.getSourceFile(path);
    if (!source) throw new Error("the compiler did not see the program");
    const complaints = [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)];
    expect(complaints.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  });
});

describe("what a program of a page is told of its resources", () => {
  const programs = blocksOf("ts").map(({ place, code }) => [place, code] as const);

  test.each(programs)("%s is advised of nothing that its page does not mention", async (place, code) => {
    const page = textOf(place.replace(/:\d+$/, ""));
    const said = (await resourcesOf(code)).flatMap(({ definition, args }) => {
      const { failures, warnings } = checkResource(definition, args);
      expect(failures).toEqual([]);
      return warnings.map((warning) => textOfFailures([warning]));
    });
    expect(said.filter((each) => !page.includes(each))).toEqual([]);
  });

  // Pages of rules, and those that show what a review finds, name what is bad.
  test.each(programs)("%s is blamed by no rule that its page does not name", async (place, code) => {
    const page = textOf(place.replace(/:\d+$/, ""));
    const resources = (await resourcesOf(code)).map(({ definition, args }, at) => ({
      ...{ urn: `urn:${at}`, name: String(args["name"] ?? at), class: definition.token, definition },
      ...evaluated(definition, args),
    }));
    const { findings } = lint(resources, { limits: { ttlSeconds: 86_400 }, exceptions: [], today: "2027-01-31" });
    const blamed = findings.filter(({ rule }) => !page.includes(rule));
    expect(blamed.map(({ rule, name, property, what }) => `${rule}: ${name}: ${property} ${what}`)).toEqual([]);
  });

  test("are many", async () => {
    const found = await Promise.all(programs.map(([, code]) => resourcesOf(code)));
    expect(found.flat().length).toBeGreaterThan(50);
  });
});

/** Refuses a file of ours that its reader refuses. */
function assertOurs(content: Record<string, unknown>, code: string): void {
  if ("tests" in content) checkedTests(content, "the page");
  if ("ignore" in content || "silence" in content) {
    const folder = folderOfTest();
    writeFileSync(join(folder, "trustplane.yml"), code);
    readExceptions(join(folder, "trustplane.yml"));
  }
  const config = Object(content["config"]);
  const own = Object.keys(config).filter((key) => key.startsWith("trustplane:"));
  expect(CONFIG_KEYS.map((key) => `trustplane:${key}`)).toEqual(expect.arrayContaining(own));
  assertConfiguration((key) => JSON.stringify(config[`trustplane:${key}`]));
  const jobs: readonly { steps?: { uses?: string; with?: object }[] }[] = Object.values(Object(content["jobs"]));
  const ours = jobs.flatMap(({ steps = [] }) => steps).filter(({ uses }) => uses === "./node_modules/trustplane");
  for (const step of ours)
    expect(Object.keys(theAction.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
}

test.each(blocksOf("yaml", "json"))("$language of $place is read, and what is ours is valid", ({ language, code }) => {
  assertOurs(language === "json" ? JSON.parse(code) : parse(code), code);
});

test.each(blocksOf("diff"))("$place has only lines that stay, go or come", ({ code }) => {
  expect(code).toMatch(/^(?:[ +-].*\n|\n)+$/);
  expect(code).toMatch(/^[+-]/m);
});

test.each(blocksOf("sh"))("the shell of $place parses", ({ code }) => {
  const parses = () => execFileSync("bash", ["-n"], { input: code, stdio: ["pipe", "pipe", "pipe"] });
  expect(parses).not.toThrow();
});

describe("what pages say of the command", () => {
  const COMMAND =
    /\btrustplane +(adopt|comment|doctor|drift|explain +(?:token|who|role)|lint|login|map|permissions|serve|test)\b/g;
  /** The flags of each command that are named, in blocks, in code within a text, and in scripts within YAML. */
  const named = pages.flatMap((page) => {
    const written = textOf(page)
      .replaceAll(/\\\n */g, " ")
      .matchAll(/^[^`\n]*\n|`[^`\n]+`/gm);
    return [...written].flatMap(([text]) =>
      [...text.matchAll(COMMAND)].flatMap(({ 0: whole, 1: command = "", index }) => {
        const rest = text.slice(index + whole.length).split(/[|;&>)`]|\btrustplane\b/)[0] ?? "";
        return [...rest.matchAll(/(?<=\s)--[a-z][\w-]*/g)].map(([flag]) => ({ page, command, flag }));
      }),
    );
  });
  const commands = [...new Set(named.map(({ command }) => command))];

  test.each(commands)("`%s` has the flags that they name", async (command) => {
    const { out } = await runCli([...command.split(/ +/), "--help"]);
    const known = new Set([...out.matchAll(/^ +(?:-\w, )?(--[a-z][\w-]*)/gm)].map(([, flag]) => flag));
    const unknown = named.filter((each) => each.command === command && !known.has(each.flag) && each.flag !== "--help");
    expect(unknown).toEqual([]);
  });

  test("are many", () => {
    expect(named.length).toBeGreaterThan(50);
    expect(commands.length).toBeGreaterThan(10);
  });
});

const [forTerraform, others] = [true, false].map((is) =>
  blocksOf("hcl").filter(
    ({ code }) => is === /^(?:resource|data|ephemeral|list|locals|moved|removed|terraform|variable) /m.test(code),
  ),
);
test.each(others ?? [])("HCL of $place, which Terraform's language is not, is read", ({ code }) => {
  expect(readHcl(code)).toEqual({ items: expect.anything() });
});

const missing = reasonWithoutTerraform();
test(
  "HCL of Terraform is in the layout that its CLI writes",
  unlessThere(missing === undefined, missing ?? ""),
  async () => {
    const { folder, run } = await createTerraformSandbox({});
    for (const { place, code } of forTerraform ?? [])
      writeFileSync(join(folder, `${place.replaceAll("/", "-").replace(":", "-")}.tf`), code);
    expect(await run("fmt", "-check", "-diff")).toEqual({ code: 0, text: "" });
  },
);
