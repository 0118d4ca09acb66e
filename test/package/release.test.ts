// @run live: it installs what it packages from the registry

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startServers } from "../../server/serve.ts";
import { ensurePythonPackages } from "../../tools/live/ensure-python-packages.mts";
import { createProgress } from "../../tools/steps/progress.mjs";
import { repository } from "../../tools/steps/repository.mjs";
import { runNpm } from "../../tools/steps/run-npm.mjs";
import { runTool } from "../../tools/steps/run-tool.mjs";
import { ownPlatform, platformName } from "../../tools/terraform/platforms.mts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { createPulumiSandbox, needsPulumi } from "../support/pulumi-sandbox.ts";
import { needsPython } from "../support/python-sdk.ts";

// What `npm run package` makes, installed and used. terraform-package.test.ts does so with the archives of Terraform.
describe("a release", needsPulumi({ timeout: 600_000 }), () => {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-release-"));
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
  const parts = ["npm", "plugin", "python", "schema", "sbom"].flatMap((part) => ["--only", part]);
  const platform = platformName(ownPlatform() ?? expect.fail("no archive is made for this kind of machine"));
  const archive = `plugin/pulumi-resource-trustplane-v${version}-${platform.replace("_", "-")}.tar.gz`;
  const tarball = `trustplane-${version}.tgz`;
  const wheel = `python/trustplane-${version}-py3-none-any.whl`;

  beforeAll(async () => {
    const command = [join(repository, "tools/dispatch.mjs"), "package", "--platform", "this", "--output", folder];
    await runTool(process.execPath, [...command, ...parts]);
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("has sums of every file, and lists what the package depends on", async () => {
    const sums = await runTool("sha256sum", ["--check", "SHA256SUMS"], { cwd: folder });
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

    expect(sums.trim().split("\n")).toHaveLength(files.length - 1);
    expect(sums).toContain(`${archive}: OK`);
    const list = JSON.parse(readFileSync(join(folder, "sbom.cdx.json"), "utf8"));
    const names: readonly string[] = list.components.map(({ name }: { name: string }) => name);
    expect(names).toContain("undici");
    expect(names).not.toContain("vitest");
  });

  test("runs a program from the tarball, with the classes and with the installed plugin", async () => {
    const server = await startServers();
    onTestFinished(server.close);
    const sandbox = await createPulumiSandbox({
      program: { "Pulumi.yaml": "name: trust\nruntime: nodejs\n", "package.json": manifest, "index.js": program("") },
      env: environmentOf(server),
    });
    onTestFinished(sandbox.close);
    const cwd = sandbox.programFolder;
    rmSync(join(cwd, "node_modules"), { recursive: true });
    await runNpm(["install", "--no-audit", "--no-fund", join(folder, tarball), "@pulumi/pulumi"], { cwd });
    const pulumi = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await sandbox.run(args);
      expect({ args, code, stdout, stderr }).toMatchObject({ code: 0 });
      return stdout;
    };

    expect(await pulumi("up", "--yes", "--skip-preview")).toContain("+ 2 created");
    await pulumi("plugin", "install", "resource", "trustplane", version, "--file", join(folder, archive));
    sandbox.write("index.js", program("/native"));
    expect(await pulumi("up", "--yes", "--skip-preview")).toContain("2 unchanged");
    expect((await sandbox.export()).deployment.resources?.map(({ type }) => type)).toContain(
      "trustplane:sys/authMount:AuthMount",
    );
    await pulumi("destroy", "--yes", "--skip-preview");
    const command = join(cwd, "node_modules/.bin/trustplane");
    expect(await runTool(process.execPath, [command, "--version"])).toBe(`${version}\n`);
  });

  test("has a wheel with which a Python program runs", needsPython(), async () => {
    const python = await ensurePythonPackages("pulumi", { progress: createProgress() });
    const target = join(folder, "installed");
    await runTool(python, [...PIP, "--no-deps", "--no-index", "--target", target, join(folder, wheel)]);
    expect(readdirSync(join(folder, "python"))).toContain(`trustplane-${version}.tar.gz`);

    const env = { ...process.env, PYTHONPATH: target };
    const registered = await runTool(python, [join(repository, "test/package-schema/python_program.py")], { env });
    expect(registered).toContain("trustplane:jwt/role:Role");
  });
});

const PIP = ["-m", "pip", "--disable-pip-version-check", "install"];

const manifest = '{ "name": "trust", "private": true, "main": "index.js" }';

const program = (classes: string) => `
const { sys } = require("trustplane${classes}");
new sys.AuthMount("jobs", { path: "jobs", type: "jwt" });
`;
