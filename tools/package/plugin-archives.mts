import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bundle, bundle } from "../bundles/bundle.mts";
import type { Progress } from "../steps/progress.mjs";
import { repository } from "../steps/repository.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { withScratchFolder } from "../steps/scratch-folder.mjs";
import { type PlatformNode, platformNode } from "../terraform/platform-node.mts";
import { type Platform, platformName } from "../terraform/platforms.mts";

const here = join(repository, "tools/package");

export interface PluginArchives {
  readonly platforms: readonly Platform[];
  readonly output: string;
  readonly version: string;
  readonly progress: Progress;
}

/** Writes the archives that `pulumi plugin install` takes: the plugin as one script, and Node beside it. */
export async function writePluginArchives({ platforms, output, version, progress }: PluginArchives): Promise<void> {
  mkdirSync(output, { recursive: true });
  const bundled = await progress.step("bundling the plugin", () =>
    bundle({
      input: { plugin: join(here, "bundled-plugin.ts") },
      isOneFile: true,
      plugins: [
        {
          name: "trustplane",
          resolveId: (path) => (path === "./sdk-copies" ? join(here, "bundled-sdk.ts") : null),
        },
      ],
    }),
  );
  for (const platform of platforms) {
    // As Pulumi looks for them on a server, too.
    const name = `pulumi-resource-trustplane-v${version}-${platformName(platform).replace("_", "-")}.tar.gz`;
    await progress.step(`packaging the plugin for ${platformName(platform)}`, () =>
      withScratchFolder(output, async (scratch) => {
        fill(scratch, platform.os, bundled, await platformNode(platform));
        await writeArchive(scratch, join(output, name));
      }),
    );
  }
}

/** Packs what is in the folder, without the folder. */
export async function writeArchive(folder: string, archive: string): Promise<void> {
  await runTool("tar", ["-czf", archive, "-C", folder, ...readdirSync(folder).sort()]);
}

function fill(folder: string, os: Platform["os"], { scripts, licences }: Bundle, node: PlatformNode): void {
  const isWindows = os === "windows";
  const nodeName = isWindows ? "node.exe" : "node";
  copyFileSync(node.binary, join(folder, nodeName));
  const start = join(folder, `pulumi-resource-trustplane${isWindows ? ".cmd" : ""}`);
  writeFileSync(start, isWindows ? START_ON_WINDOWS : START);
  for (const file of [start, join(folder, nodeName)]) chmodSync(file, 0o755);
  mkdirSync(join(folder, "schema"));
  for (const file of ["package.json", "schema/schema.json", "LICENSE"])
    copyFileSync(join(repository, file), join(folder, file));
  for (const [name, script] of Object.entries(scripts)) writeFileSync(join(folder, name), script);
  writeFileSync(join(folder, "LICENSE-libraries.txt"), licences);
  writeFileSync(join(folder, "LICENSE-node.txt"), node.licence);
}

/** Requests leave garbage that V8 would otherwise let grow to three times what is in use. */
const OPTIONS = "--optimize-for-size";

const START = `#!/bin/sh
here=$(dirname -- "$0")
exec "$here/node" ${OPTIONS} "$here/plugin.js" "$@"
`;

const START_ON_WINDOWS = `@"%~dp0node.exe" ${OPTIONS} "%~dp0plugin.js" %*\r\n`;
