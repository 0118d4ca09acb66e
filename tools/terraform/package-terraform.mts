// `npm run package:terraform`: what a registry of Terraform and OpenTofu wants of a release, in `dist-terraform`.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { createProgress } from "../steps/progress.mjs";
import { repository } from "../steps/repository.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { withScratchFolder } from "../steps/scratch-folder.mjs";
import { reportFailure, StepError } from "../steps/step-error.mjs";
import "../../schema/load-sources.mts";
import { bundleProvider } from "./bundle-provider.mts";
import { platformNode } from "./platform-node.mts";
import { ownPlatform, PLATFORMS, type Platform, platformName } from "./platforms.mts";
import { providerFiles } from "./provider-files.mts";
import { zipArchive } from "./zip-archive.mts";

const options = {
  platform: { type: "string", multiple: true },
  output: { type: "string", default: join(repository, "dist-terraform") },
  sign: { type: "string" },
} as const;

try {
  await packageTerraform();
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}

async function packageTerraform() {
  const { values } = parseArgs({ options });
  const { output } = values;
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
  const progress = createProgress();
  const platforms = chosen(values.platform);
  const name = `terraform-provider-trustplane_${version}`;
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const bundle = await progress.step("bundling the provider", () => bundleProvider());
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
  writeFileSync(join(output, sums), sumsOf(output));
  if (values.sign !== undefined) {
    // Registries want a detached signature in binary form.
    await runTool("gpg", ["--batch", "--yes", "--local-user", values.sign, "--detach-sign", sums], {
      cwd: output,
      next: "the key must be in the keyring of gpg, and usable without a question (an agent that has its passphrase).",
    });
  }
  for (const file of readdirSync(output).sort()) process.stdout.write(`${join(output, file)}\n`);
  if (values.sign === undefined) progress.say("not signed: registries want --sign <key of gpg>");
}

function chosen(names: readonly string[] | undefined): readonly Platform[] {
  if (names === undefined) return PLATFORMS;
  return names.map((name) => {
    const found = name === "this" ? ownPlatform() : PLATFORMS.find((each) => platformName(each) === name);
    if (found) return found;
    throw new StepError(`there is no platform "${name}"`, {
      next: `take of: this, ${PLATFORMS.map(platformName).join(", ")}`,
    });
  });
}

/** As `sha256sum` writes them, for archives and manifest. */
function sumsOf(folder: string): string {
  return readdirSync(folder)
    .filter((file) => file !== "docs")
    .sort()
    .map(
      (file) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, file)))
          .digest("hex")}  ${file}\n`,
    )
    .join("");
}
