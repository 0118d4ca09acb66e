// @alone
// @run test: it installs the packed package

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { definitions } from "../../provider/resources";
import { installPackedPackage } from "../../tools/pulumi/packed-package.mts";

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "trustplane-loading-"));
  // As every program has: without it Node takes a package.json above, whatever that is, for the program's own.
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "loading", private: true }));
  await installPackedPackage(folder);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a program that imports the SDK loads its classes and the light modules, and nothing that talks to servers", async () => {
  const program = `const before = new Set(Object.keys((require("@pulumi/pulumi"), require.cache)));
require("trustplane");
console.log(JSON.stringify(Object.keys(require.cache).filter((path) => !before.has(path))));`;
  writeFileSync(join(folder, "program.cjs"), program);

  const { stdout } = await promisify(execFile)(process.execPath, ["program.cjs"], { cwd: folder });

  const loaded: string[] = JSON.parse(stdout);
  const inPackage = loaded.map((path) => relative(join(folder, "node_modules/trustplane/dist"), path)).sort();
  const isClass = (path: string) => path.startsWith("sdk/");
  const light = [
    "dynamic-provider.js",
    "on-supported-node.js",
    "quiet-error.js",
    ...Object.keys(definitions).map((name) => `modules/${name}.js`),
  ];
  const core = ["config-keys", "supported-node"].map((name) => `provider/core/${name}.js`);
  expect(inPackage.filter(isClass)).toContain("sdk/jwt/role.js");
  expect(inPackage.filter((path) => !isClass(path))).toEqual(
    [...core, ...light.map((path) => `provider/hosts/dynamic/${path}`)].sort(),
  );
});

test.each([
  ["the classes of the plugin", `require("trustplane/native")`],
  ["the host of the dynamic classes", `require("trustplane/dynamic/jwtRole").check({}, {}).catch(() => {})`],
  ["the functions of the dynamic classes", `require("trustplane").jwt.getRole({ name: "ci" }).catch(() => {})`],
  ["the plugin", `process.argv.length = 1; require("./node_modules/trustplane/bin/pulumi-resource-trustplane")`],
])("nothing that only the command needs, such as the embedded server, is loaded by %s", async (_, load) => {
  rmSync(join(folder, "loaded.json"), { force: true });
  writeFileSync(join(folder, "trace.cjs"), trace);
  writeFileSync(join(folder, "program.cjs"), load);
  const child = promisify(execFile)(process.execPath, ["--require", "./trace.cjs", "program.cjs"], { cwd: folder });
  // The plugin ends when nobody is at the other end of its standard input.
  child.child.stdin?.end();
  await child;

  const loaded: string[] = JSON.parse(readFileSync(join(folder, "loaded.json"), "utf8"));
  expect(loaded.filter((url) => url.includes("/trustplane/dist/"))).not.toEqual([]);
  expect(loaded.filter((url) => ofCommand.test(url))).toEqual([]);
});

/** Writes down all that is loaded, CommonJS and ESM. */
const trace = `const loaded = [];
require("node:module").registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
process.on("exit", () => require("node:fs").writeFileSync("loaded.json", JSON.stringify(loaded)));`;

const ofCommand = /\/trustplane\/dist\/(cli|server)\/|\/node_modules\/(commander|diff|hono|yaml)\//;
