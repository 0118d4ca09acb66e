import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaRequest } from "@pulumi/pulumi/proto/provider_pb";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { installPackedPackage } from "../../tools/pulumi/packed-package.mts";

/** On a machine that is busy with others. */
const startingMs = 60_000;

/** The plugin as Pulumi starts it: from the folder that the stanza in Pulumi.yaml names. */
describe("the plugin's executable", { timeout: startingMs }, () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "trustplane-plugin-"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "program", private: true }));
    await installPackedPackage(folder);
  }, startingMs);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function started(env: Readonly<Record<string, string>> = {}) {
    const command = join(folder, "node_modules/trustplane/bin/pulumi-resource-trustplane");
    const child = spawn(command, [], { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...env } });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [first] = (await once(child.stdout, "data")) as [Buffer];
    return { child, port: String(first) };
  }

  const ended = async (child: ChildProcessByStdio<Writable, Readable, null>) => (await once(child, "exit"))[0];

  test("prints the port at which it serves the package's schema", async () => {
    const { port } = await started();
    expect(port).toMatch(/^\d+\n$/);
    const client = new ResourceProviderClient(`127.0.0.1:${port.trim()}`, credentials.createInsecure());
    onTestFinished(() => client.close());

    const schema = await new Promise<string>((resolve, reject) => {
      client.getSchema(new GetSchemaRequest(), (error, answer) =>
        error ? reject(error) : resolve(answer.getSchema()),
      );
    });

    expect(JSON.parse(schema)).toMatchObject({ name: "trustplane", resources: expect.anything() });
  });

  test("ends when the other end of its standard input is gone, as when Pulumi was killed", async () => {
    const { child } = await started();
    const end = ended(child);
    child.stdin.end();

    expect(await end).toBe(0);
  });

  test("keeps compiled code in a folder of the user's own, and nowhere that others share", async () => {
    const [cache, shared] = [join(folder, "cache"), join(folder, "shared")];
    mkdirSync(shared);

    const { child } = await started({ XDG_CACHE_HOME: cache, TMPDIR: shared });
    const end = ended(child);
    child.kill("SIGTERM");
    await end;

    expect(statSync(join(cache, "trustplane/compile-cache")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(cache, "trustplane/compile-cache"))).not.toEqual([]);
    expect(readdirSync(shared)).toEqual([]);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("ends at %s", async (signal) => {
    const { child } = await started();
    const end = ended(child);
    child.kill(signal);

    expect(await end).toBe(0);
  });
});
