import { cpSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startServers } from "../../server/serve.ts";
import { packedTarball } from "../../tools/pulumi/packed-package.mts";
import { repository } from "../../tools/steps/repository.mjs";
import { environmentOf } from "../e2e/watched-servers.ts";
import { doSteps, stepsOf } from "../support/page-steps.ts";
import { createPulumiSandbox, needsPulumi } from "../support/pulumi-sandbox.ts";

const pageOf = (path: string) => readFileSync(join(repository, path), "utf8");

// A dozen commands one after the other: on a machine that is busy with others they took five minutes.
describe("the documentation", needsPulumi({ timeout: 600_000 }), () => {
  test("begins with a tutorial whose commands print what it shows", async () => {
    const server = await startServers();
    onTestFinished(server.close);
    const sandbox = await createPulumiSandbox({ program: project, stack: "unused", env: environmentOf(server) });
    onTestFinished(sandbox.close);
    const clone = join(sandbox.folder, "clone");
    cpSync(await packedTarball(), join(clone, "dist-release", basename(await packedTarball())));
    const steps = stepsOf(/^## Tutorial[\s\S]*?(?=^## )/m.exec(pageOf("docs/index.md"))?.[0] ?? "");
    expect(steps.filter(({ output }) => output.length > 0).length).toBeGreaterThan(6);

    // What `npm run package` would make is there, and npm installs it.
    await doSteps(steps, { ...sandbox, folder: clone }, { isInstalling: true });
  });

  test("has settings that the CLI takes as they stand", async () => {
    const pages = ["docs/configuration.md", "examples/platform/README.md"];
    const lines = pages.map((page) => pageOf(page).match(/^pulumi config set .+$/gm) ?? []);
    const sandbox = await createPulumiSandbox({ program: project });
    onTestFinished(sandbox.close);

    for (const line of new Set(lines.flat())) {
      // As a shell reads them: what is in quotes is one word.
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
      const { code, stderr } = await sandbox.run(words.slice(1), { input: "secret" });
      expect({ line, code, stderr }).toMatchObject({ code: 0 });
    }
    expect(lines).not.toContainEqual([]);
  });
});

const project = { "Pulumi.yaml": "name: trust\nruntime: nodejs\n" };
