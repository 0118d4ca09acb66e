import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unsupportedNode } from "../../provider/core/supported-node.ts";
import { installPackedPackage } from "../../tools/pulumi/packed-package.mts";

/** The machine's own Node.js where that is too old, and else ours, which says that it were Node.js 20. */
const old = oldNodeOfMachine() ?? { command: process.execPath, version: "20.20.2", args: ["--require", "./fake.cjs"] };
const fake = `Object.defineProperty(process.versions, "node", { value: "${old.version}" });`;

describe("on a Node.js that is too old", { timeout: 120_000 }, () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "trustplane-old-node-"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "program", private: true }));
    writeFileSync(join(folder, "fake.cjs"), fake);
    await installPackedPackage(folder);
  }, 120_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs on an old Node.js; answers the exit code and all that was printed. */
  const run = (...args: readonly string[]) =>
    new Promise<{ code: unknown; text: string }>((resolve) => {
      const options = { cwd: folder, timeout: 60_000 };
      execFile(old.command, [...old.args, ...args], options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : error.code, text: stdout + stderr }),
      );
    });

  test.each([
    ["the plugin", "node_modules/trustplane/bin/pulumi-resource-trustplane", ""],
    ["trustplane drift", "node_modules/trustplane/dist/cli/trustplane.js", "drift"],
    ["trustplane serve", "node_modules/trustplane/dist/cli/trustplane.js", "serve"],
  ])("%s says so in one sentence, and fails", async (_, script, word) => {
    expect(await run(script, word)).toEqual({ code: 1, text: `${sentence}\n` });
  });

  test.each([
    ["a resource of", `require("trustplane/dynamic/jwtRole").check({}, {})`],
    ["a function of", `require("trustplane").jwt.getRole({ name: "ci" })`],
  ])("%s the dynamic classes fails with this sentence", async (_, call) => {
    const { text } = await run("-e", `${call}.catch((error) => console.log(error.message))`);

    expect(text).toBe(`${sentence}\n`);
  });
});

const sentence = `trustplane needs Node.js 22.19 or newer, but ${old.command} is ${old.version}: put a newer node first on PATH`;

function oldNodeOfMachine() {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((place) => join(place, "node"))
    .filter((command) => existsSync(command))
    .map((command) => ({ command, version: execFileSync(command, ["-p", "process.versions.node"]).toString().trim() }))
    .filter(({ command, version }) => unsupportedNode({ execPath: command, versions: { node: version } }) !== undefined)
    .map(({ command, version }) => ({ command, version, args: [] }))[0];
}
