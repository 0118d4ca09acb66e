// `npm run package:terraform`: what a registry of Terraform and OpenTofu wants of a release, in `dist-terraform`.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createProgress } from "../steps/progress.mjs";
import { repository } from "../steps/repository.mjs";
import { reportFailure } from "../steps/step-error.mjs";
import { chosenPlatforms } from "./platforms.mts";
import { writeTerraformArchives } from "./terraform-archives.mts";

const options = {
  platform: { type: "string", multiple: true },
  output: { type: "string", default: join(repository, "dist-terraform") },
  sign: { type: "string" },
} as const;

try {
  const { output, platform, ...sign } = parseArgs({ options }).values;
  await writeTerraformArchives({ output, platforms: chosenPlatforms(platform), ...sign, progress: createProgress() });
  for (const file of readdirSync(output).sort()) process.stdout.write(`${join(output, file)}\n`);
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
