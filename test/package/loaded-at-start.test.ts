import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { COOKIE } from "../../provider/hosts/terraform/handshake.ts";
import { installPackedPackage } from "../../tools/pulumi/packed-package.mts";

/** On a machine that is busy with others. */
const startingMs = 60_000;

/** Writes what was loaded when the process says its first word. The library for HTTP leaves a mark, also where it is in a bundle. */
const recorder = `
const { registerHooks } = require("node:module");
const { writeFileSync } = require("node:fs");
const urls = [];
registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (...said) => {
  const hasHttpClient = globalThis[Symbol.for("undici.globalDispatcher.1")] !== undefined;
  writeFileSync(process.env.LOADED, JSON.stringify({ urls, hasHttpClient }));
  return write(...said);
};`;

/** The first check of a stack that asks no server for its version. */
const firstCheck = `
const { check, configure } = require("trustplane/dynamic/jwtRole");
const role = { mount: "jobs", name: "a", roleType: "jwt", userClaim: "sub", boundAudiences: ["v"] };
const service = JSON.stringify({ address: "http://127.0.0.1:9", offline: true });
const get = (key) => (key === "trustplane:secrets" ? service : undefined);
configure({ config: { get } }).then(() => check(role, role))
  .then(({ failures }) => process.stdout.write(JSON.stringify(failures)));`;

/** A start is felt at every command: it loads few files, and no library that only some commands need. */
describe("until its first word, nothing is loaded but what is needed by", { timeout: startingMs }, () => {
  let folder: string;

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "trustplane-loaded-")));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "program", private: true }));
    writeFileSync(join(folder, "recorder.cjs"), recorder);
    writeFileSync(join(folder, "first-check.cjs"), firstCheck);
    await installPackedPackage(folder);
  }, startingMs);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function loadedBy(script: string, env: Readonly<Record<string, string>> = {}) {
    const loaded = join(folder, "loaded.json");
    const child = spawn(process.execPath, ["--require", join(folder, "recorder.cjs"), join(folder, script)], {
      env: { ...process.env, ...env, LOADED: loaded },
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    const { urls, hasHttpClient } = JSON.parse(readFileSync(loaded, "utf8"));
    const files = (urls as string[]).filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
    const own = files.flatMap((file) => file.split(/node_modules\/trustplane\/(?!node_modules)/)[1] ?? []);
    const packages = files.flatMap((file) => file.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? []);
    return { said: String(said), own, packages: [...new Set(packages)], hasHttpClient };
  }

  test("the provider for Terraform", async () => {
    const found = await loadedBy("node_modules/trustplane/bin/terraform-provider-trustplane", {
      TF_PLUGIN_MAGIC_COOKIE: COOKIE,
    });

    expect(found.own.filter((file) => file.startsWith("dist/"))).toEqual([
      "dist/provider/core/supported-node.js",
      "dist/provider/engine/own-folder.js",
      "dist/terraform/provider.js",
    ]);
    expect(found).toMatchObject({ packages: ["trustplane"], hasHttpClient: false });
  });

  test("the plugin of Pulumi", async () => {
    const found = await loadedBy("node_modules/trustplane/bin/pulumi-resource-trustplane");

    expect(found.own.length).toBeLessThan(10);
    expect(found.packages.filter((name) => !OF_PULUMI.includes(name))).toEqual(["trustplane"]);
    expect(found.hasHttpClient).toBe(false);
  });

  test("the first check of the dynamic host", async () => {
    const found = await loadedBy("first-check.cjs");

    expect(found.said).toBe("[]");
    expect(found.own.length).toBeLessThan(15);
    expect(found).toMatchObject({ packages: ["trustplane"], hasHttpClient: false });
  });
});

/** gRPC and the messages of Pulumi, and what these load. */
const OF_PULUMI = ["@pulumi/pulumi", "google-protobuf", "@grpc/grpc-js", "@js-sdsl/ordered-map"];
