import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
