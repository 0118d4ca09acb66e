import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Client, credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { COOKIE } from "../../provider/hosts/terraform/handshake.ts";
import { serviceDefinition } from "../../provider/hosts/terraform/protocol.ts";
import { schemaAnswer } from "../../provider/hosts/terraform/provider-schema.ts";
import { installPackedPackage } from "../../tools/pulumi/packed-package.mts";
import { terraformTables } from "../support/terraform-host.ts";

/** On a machine that is busy with others. */
const startingMs = 60_000;

/** The provider as the npm package has it, where Pulumi is not installed. */
describe("the executable for Terraform", { timeout: startingMs }, () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "trustplane-terraform-"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "program", private: true }));
    await installPackedPackage(folder);
    rmSync(join(folder, "node_modules/@pulumi"), { recursive: true });
  }, startingMs);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function started(env: Readonly<Record<string, string>>) {
    const command = join(folder, "node_modules/trustplane/bin/terraform-provider-trustplane");
    const child = spawn(command, [], { env: { ...process.env, ...env } });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }

  test("says where it listens to who has Terraform's cookie, and ends when it is told to", async () => {
    const child = started({ TF_PLUGIN_MAGIC_COOKIE: COOKIE });
    const ended = once(child, "exit");
    const [line] = (await once(child.stdout, "data")) as [Buffer];

    expect(String(line)).toMatch(process.platform === "win32" ? /^1\|6\|tcp\|/ : /^1\|6\|unix\|.+\|grpc\n$/);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  test("answers the schema that is made of its tables", async () => {
    const child = started({ TF_PLUGIN_MAGIC_COOKIE: COOKIE });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const [, , network = "", address = ""] = String(line).split("|");
    const client = new Client(network === "unix" ? `unix:${address}` : address, credentials.createInsecure());
    onTestFinished(() => client.close());
    const asItIs = (bytes: Buffer) => bytes;

    const answer = await new Promise<Buffer>((resolve, reject) => {
      const path = "/tfplugin6.Provider/GetProviderSchema";
      client.makeUnaryRequest(path, asItIs, asItIs, Buffer.of(), (error, bytes) =>
        bytes ? resolve(bytes) : reject(error),
      );
    });

    const { GetProviderSchema } = serviceDefinition("tfplugin6.Provider");
    expect(answer.length).toBeGreaterThan(50_000);
    expect(answer.equals(GetProviderSchema?.responseSerialize(schemaAnswer(terraformTables)) ?? Buffer.of())).toBe(
      true,
    );
  });

  test("tells a person that it is nothing to start by hand", async () => {
    const child = started({});
    const [[code], complaint] = await Promise.all([once(child, "exit"), text(child.stderr)]);

    expect(code).toBe(1);
    expect(complaint).toMatch(/^terraform-provider-trustplane: this is a provider plugin: .+\n$/);
  });
});
