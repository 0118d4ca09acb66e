// @run live: it packages for every platform

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { runTool } from "../../tools/steps/run-tool.mjs";
import { which } from "../../tools/steps/which.mjs";
import { bundleProvider } from "../../tools/terraform/bundle-provider.mts";
import { ownPlatform, platformName } from "../../tools/terraform/platforms.mts";
import { providerFiles } from "../../tools/terraform/provider-files.mts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { reasonWithoutTerraform, terraform } from "../support/terraform-sandbox.ts";

const missing = reasonWithoutTerraform() ?? (ownPlatform() ? undefined : "no archive is made for this kind of machine");
const options = { timeout: 240_000, ...(missing ? { skip: true, meta: { skipReason: missing } } : {}) };

/** What a user gets from a registry, in a mirror of theirs. The CLI finds no Node. */
describe("the packaged provider for Terraform", options, () => {
  const source = "example.com/trustplane/trustplane";
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
  const platform = ownPlatform() ?? expect.fail("no archive is made for this kind of machine");
  let folder: string;
  const inFolder = (...path: readonly string[]) => join(folder, ...path);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "trustplane-terraform-package-"));
    mkdirSync(inFolder("path"));
    for (const tool of ["terraform", "dirname"]) symlinkSync(which(tool, process.env) ?? "", inFolder("path", tool));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A program in a folder of its own, and a CLI that takes the provider from the mirror alone. */
  function program(name: string, text: string) {
    mkdirSync(inFolder(name, "mirror", source), { recursive: true });
    writeFileSync(
      inFolder(name, "main.tf"),
      `terraform {
        required_providers {
          trustplane = { source = "${source}", version = "${version}" }
        }
      }
      ${text}`,
    );
    const settings = `provider_installation {\n filesystem_mirror {\n path = "${inFolder(name, "mirror")}"\n }\n}`;
    writeFileSync(inFolder(name, "cli.tfrc"), settings);
    return async (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
      const own = { TF_CLI_CONFIG_FILE: inFolder(name, "cli.tfrc"), PATH: inFolder("path") };
      const { code, text: printed } = await terraform(inFolder(name), args, { ...env, ...own });
      expect({ code, printed }).toEqual({ code: 0, printed: expect.any(String) });
      return printed;
    };
  }

  test("is one executable in an archive, with sums that match, and runs the life of a role without Node", async () => {
    const run = program(
      "archive",
      `resource "trustplane_jwt_role" "ci" {
        name            = "ci"
        role_type       = "jwt"
        user_claim      = "sub"
        bound_audiences = ["https://vault.example.com"]
      }`,
    );
    const output = inFolder("archive", "mirror", source);
    const command = [join(repository, "tools/dispatch.mjs"), "package:terraform", "--platform", "this"];
    const printed = await runTool(process.execPath, [...command, "--output", output]);
    const name = `terraform-provider-trustplane_${version}`;
    const archive = `${name}_${platformName(platform)}.zip`;
    const files = [`${name}_SHA256SUMS`, archive, `${name}_manifest.json`];
    expect(readdirSync(join(output, "docs/resources"))).toContain("jwt_role.md");
    expect(printed.trim().split("\n")).toEqual(["docs", ...files].map((file) => join(output, file)).sort());
    expect(JSON.parse(readFileSync(join(output, files[2] ?? ""), "utf8"))).toEqual({
      version: 1,
      metadata: { protocol_versions: ["6.0"] },
    });
    await runTool("sha256sum", ["--check", files[0] ?? ""], { cwd: output });

    const servers = await startEmbedded({});
    try {
      const env = { VAULT_ADDR: servers.secrets.address, VAULT_TOKEN: servers.secrets.token };
      await run(env, "init");
      const unpacked = inFolder("archive/.terraform/providers", source, version, platformName(platform));
      expect(readdirSync(unpacked).filter((file) => !file.startsWith("LICENSE"))).toEqual([
        `terraform-provider-trustplane_v${version}`,
      ]);
      expect(await run(env, "apply", "-auto-approve")).toContain("1 added");
      expect(await run(env, "plan")).toContain("No changes.");
      expect(await run(env, "destroy", "-auto-approve")).toContain("1 destroyed");
    } finally {
      await servers.close();
    }
  });

  test("in the form for macOS, is a folder with Node as it was published", async () => {
    const run = program("folder", "");
    const unpacked = inFolder("folder", "mirror", source, version, platformName(platform));
    mkdirSync(unpacked, { recursive: true });
    mkdirSync(inFolder("scratch"));
    const node = { binary: process.execPath, licence: "" };
    const parts = { bundle: await bundleProvider(), node, version };
    for (const file of await providerFiles({ ...platform, os: "darwin" }, parts, inFolder("scratch")))
      writeFileSync(join(unpacked, file.name), file.content, { mode: file.isExecutable ? 0o755 : 0o644 });

    await run({}, "init");
    expect(readFileSync(join(unpacked, "node")).equals(readFileSync(process.execPath))).toBe(true);
    const schema = JSON.parse(await run({}, "providers", "schema", "-json"));
    expect(schema.provider_schemas[source].resource_schemas).toHaveProperty("trustplane_jwt_role");
  });
});
