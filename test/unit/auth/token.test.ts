import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findToken, type TokenSources } from "../../../provider/auth/token";

const [first, second, named, home, configured] = [randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const folder = mkdtempSync(join(tmpdir(), "token-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const namedFile = { path: file("named", `${named}\n`), mustExist: true };
const homeFile = { path: file("home", home), mustExist: false };
const all: TokenSources = { variables: ["FIRST", "SECOND"], files: [namedFile, homeFile], configured };
const { configured: _, ...unconfigured } = all;

describe("a token", () => {
  it.each([
    ["the first variable", all, { FIRST: first, SECOND: second }, first, "environment"],
    ["the next variable", all, { FIRST: "", SECOND: ` ${second}\n` }, second, "environment"],
    ["a file that was named", all, {}, named, "file"],
    ["the configuration", { ...all, files: [homeFile] }, {}, configured, "configuration"],
    ["the file of another tool", { ...unconfigured, files: [homeFile] }, {}, home, "file"],
  ] as const)("comes from %s", async (_, sources, env, token, from) => {
    expect(await findToken(sources, env)).toEqual({ token, from });
  });

  it.each([
    ["nothing is set", []],
    ["the file of another tool is missing", [{ path: join(folder, "missing"), mustExist: false }]],
    ["the file of another tool is empty", [{ path: file("empty", "\n"), mustExist: false }]],
  ])("is not there when %s", async (_, files) => {
    expect(await findToken({ variables: ["FIRST"], files }, {})).toBeUndefined();
  });

  it.each([
    ["missing", join(folder, "missing"), /cannot be read/],
    ["empty", file("void", " \n"), /is empty/],
  ])("file that was named and is %s is an error that names it", async (_, path, message) => {
    const found = findToken({ variables: [], files: [{ path, mustExist: true }] }, {});
    await expect(found).rejects.toMatchObject({ code: "ConfigError", message: expect.stringMatching(message) });
    await expect(found).rejects.toThrow(path);
  });

  it.each([
    [{ ...all }, { FIRST: `${first}\nx-evil: 1` }],
    [{ ...all, configured: `a ${first}`, files: [] }, {}],
    [{ ...all, files: [{ path: file("broken", `${first}\r\nx: ${first}`), mustExist: true }] }, {}],
    [{ ...all, files: [{ path: file("letters", `${first}ü`), mustExist: true }] }, {}],
  ])("that no header can carry is refused, and not shown", async (sources, env) => {
    const found = findToken(sources, env);
    await expect(found).rejects.toMatchObject({ code: "ConfigError" });
    await expect(found).rejects.not.toThrow(first);
  });
});
