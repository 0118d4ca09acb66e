import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Progress } from "../steps/progress.mjs";
import { repository } from "../steps/repository.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { withScratchFolder } from "../steps/scratch-folder.mjs";
import { sumsOf } from "../steps/sums.mts";
import "../../schema/load-sources.mts";
import { bundleProvider } from "./bundle-provider.mts";
import { platformNode } from "./platform-node.mts";
import { type Platform, platformName } from "./platforms.mts";
import { providerFiles } from "./provider-files.mts";
import { zipArchive } from "./zip-archive.mts";

export interface TerraformArchives {
  readonly platforms: readonly Platform[];
  /** A folder that is emptied. */
  readonly output: string;
  /** A key of gpg. */
  readonly sign?: string;
  readonly progress: Progress;
}

/** Writes what a registry of Terraform and OpenTofu wants of a release: archives, manifest, sums, and pages. */
export async function writeTerraformArchives({ platforms, output, sign, progress }: TerraformArchives): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
  const name = `terraform-provider-trustplane_${version}`;
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const bundle = await progress.step("bundling the provider", bundleProvider);
  for (const platform of platforms) {
    await progress.step(`packaging for ${platformName(platform)}`, () =>
      withScratchFolder(output, async (scratch) => {
        const node = await platformNode(platform);
        const files = await providerFiles(platform, { bundle, node, version }, scratch);
        writeFileSync(join(output, `${name}_${platformName(platform)}.zip`), await zipArchive(files));
      }),
    );
  }
  // From the sources, which can be loaded only now.
  const { registryPages } = await import("./pages/registry-pages.ts");
  const pages = await progress.step("writing the pages", () => registryPages(repository));
  for (const [path, content] of Object.entries(pages)) {
    mkdirSync(dirname(join(output, "docs", path)), { recursive: true });
    writeFileSync(join(output, "docs", path), content);
  }
  const manifest = { version: 1, metadata: { protocol_versions: ["6.0"] } };
  writeFileSync(join(output, `${name}_manifest.json`), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const sums = `${name}_SHA256SUMS`;
  writeFileSync(
    join(output, sums),
    sumsOf(output, (path) => !path.startsWith("docs/")),
  );
  if (sign !== undefined) {
    // Registries want a detached signature in binary form.
    await runTool("gpg", ["--batch", "--yes", "--local-user", sign, "--detach-sign", sums], {
      cwd: output,
      next: "the key must be in the keyring of gpg, and usable without a question (an agent that has its passphrase).",
    });
  }
  if (sign === undefined) progress.say("not signed: registries want --sign <key of gpg>");
}
