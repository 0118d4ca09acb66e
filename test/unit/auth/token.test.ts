import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findToken, type TokenPlace, type TokenSources } from "../../../provider/auth/token";
import { folderOfSuite } from "../../support/temporary-folder";

const [first, second, named, home, configured] = [randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const folder = folderOfSuite();
const missing = { file: join(folder, "missing"), mustExist: false };
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const namedFile = { file: file("named", `${named}\n`), mustExist: true };
const homeFile = { file: file("home", home), mustExist: false };
const variables = [{ variable: "FIRST" }, { variable: "SECOND" }];
const sourcesOf = (...places: TokenPlace[]): TokenSources => ({ places, advice: "" });
const all = sourcesOf(...variables, namedFile, homeFile, { configured });

describe("a token", () => {
  it.each([
    ["the first variable", all, { FIRST: first, SECOND: second }, first, "environment", "FIRST"],
    ["the next variable", all, { FIRST: "", SECOND: ` ${second}\n` }, second, "environment", "SECOND"],
    ["a file that was named", all, {}, named, "file", namedFile.file],
    [
      "the configuration",
      sourcesOf(...variables, { configured }, homeFile),
      {},
      configured,
      "configuration",
      "`token`",
    ],
    ["the file of another tool", sourcesOf(...variables, homeFile), {}, home, "file", homeFile.file],
    [
      "the place after a file of another tool that is missing",
      sourcesOf(missing, homeFile),
      {},
      home,
      "file",
      homeFile.file,
    ],
  ] as const)("comes from %s", async (_, sources, env, token, from, place) => {
    expect(await findToken(sources, env)).toEqual({ token, from, place });
  });

  it.each([
    ["nothing is set", {}, []],
    ["a variable is blank", { FIRST: " \t" }, []],
    ["the file of another tool is missing", {}, [missing]],
    ["the file of another tool is empty", {}, [{ file: file("empty", "\n"), mustExist: false }]],
  ])("is not there when %s", async (_, env, files) => {
    expect(await findToken(sourcesOf({ variable: "FIRST" }, ...files), env)).toBeUndefined();
  });

  it.each([
    ["unset", {}],
    ["empty", { WEST_VAULT: "" }],
    ["blank", { WEST_VAULT: " \n" }],
  ])("whose variable was named and is %s is an error that names both", async (_, env) => {
    const sources = { ...sourcesOf({ variable: "WEST_VAULT" }), namedBy: "trustplane:connections.west" };
    await expect(findToken(sources, { ...env, VAULT_TOKEN: first })).rejects.toMatchObject({
      code: "ConfigError",
      message: expect.stringMatching(
        /^the environment variable WEST_VAULT, which trustplane:connections\.west names in tokenEnv, is empty or not set/,
      ),
    });
  });

  it.each([
    ["missing", join(folder, "missing"), /cannot be read/],
    ["empty", file("void", " \n"), /is empty/],
  ])("file that was named and is %s is an error that names it", async (_, path, message) => {
    const found = findToken(sourcesOf({ file: path, mustExist: true }, { configured }), {});
    await expect(found).rejects.toMatchObject({ code: "ConfigError", message: expect.stringMatching(message) });
    await expect(found).rejects.toThrow(path);
  });

  it.each([
    [all, { FIRST: `${first}\nx-evil: 1` }],
    [sourcesOf({ configured: `a ${first}` }), {}],
    [sourcesOf({ file: file("broken", `${first}\r\nx: ${first}`), mustExist: true }), {}],
    [sourcesOf({ file: file("letters", `${first}ü`), mustExist: true }), {}],
  ])("that no header can carry is refused, and not shown", async (sources, env) => {
    const found = findToken(sources, env);
    await expect(found).rejects.toMatchObject({ code: "ConfigError" });
    await expect(found).rejects.not.toThrow(first);
  });
});
