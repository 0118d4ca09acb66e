// `npm run package`: everything that a release is made of, in `dist-release`. docs/releasing.md says what becomes of it.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createProgress } from "../steps/progress.mjs";
import { repository } from "../steps/repository.mjs";
import { runNpm } from "../steps/run-npm.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { withScratchFolder } from "../steps/scratch-folder.mjs";
import { reportFailure, StepError } from "../steps/step-error.mjs";
import { sumsOf } from "../steps/sums.mts";
import { chosenPlatforms } from "../terraform/platforms.mts";
import { writeTerraformArchives } from "../terraform/terraform-archives.mts";
import { writeArchive, writePluginArchives } from "./plugin-archives.mts";
import { writePythonDistributions } from "./python-distributions.mts";

const options = {
  only: { type: "string", multiple: true },
  platform: { type: "string", multiple: true },
  output: { type: "string", default: join(repository, "dist-release") },
  sign: { type: "string" },
} as const;

try {
  await packageRelease();
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}

async function packageRelease(): Promise<void> {
  const { only, platform, output: folder, ...sign } = parseArgs({ options }).values;
  const output = resolve(folder);
  const platforms = chosenPlatforms(platform);
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
  const progress = createProgress();
  const parts: Readonly<Record<string, () => Promise<unknown> | unknown>> = {
    // Scripts of the package would build again what is built.
    npm: () => runNpm(["pack", "--ignore-scripts", "--pack-destination", output]),
    plugin: () => writePluginArchives({ platforms, output: join(output, "plugin"), version, progress }),
    terraform: () => writeTerraformArchives({ platforms, output: join(output, "terraform"), ...sign, progress }),
    python: () => writePythonDistributions(join(output, "python"), progress),
    schema: () => copyFileSync(join(repository, "schema/schema.json"), join(output, "schema.json")),
    html: () =>
      withScratchFolder(output, async (scratch) => {
        await runTool(process.execPath, [join(repository, "tools/docs/docs.mts"), "--out", scratch]);
        await writeArchive(scratch, join(output, `trustplane-docs-${version}.tar.gz`));
      }),
    sbom: async () => {
      const list = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"];
      writeFileSync(join(output, "sbom.cdx.json"), await runNpm(list));
    },
  };
  const unknown = only?.find((name) => !(name in parts));
  if (unknown !== undefined)
    throw new StepError(`there is no part "${unknown}"`, { next: `take of: ${Object.keys(parts).join(", ")}` });
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  for (const [name, write] of Object.entries(parts)) if (only?.includes(name) ?? true) await write();
  writeFileSync(join(output, "SHA256SUMS"), sumsOf(output));
  for (const name of readdirSync(output).sort()) process.stdout.write(`${join(output, name)}\n`);
}
