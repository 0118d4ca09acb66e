// @ts-check
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensurePulumiCli } from "./pulumi/ensure-pulumi-cli.mjs";
import { ensureBuild } from "./steps/build.mjs";
import { endOnInterrupt } from "./steps/interrupt.mjs";
import { createProgress } from "./steps/progress.mjs";
import { repository } from "./steps/repository.mjs";
import { reportFailure, StepError } from "./steps/step-error.mjs";

/**
 * @typedef {object} Command
 * @property {string} file what runs; the arguments are in `process.argv` from index 2 on, as if it had been started directly
 * @property {boolean} build whether a current `dist/` is made before (`test` makes it itself, because a failure counts there)
 * @property {"needed" | "wanted" | "unused"} pulumi `wanted`: without the CLI the command runs and says what it skips
 */

/** @type {Record<string, Command>} */
const commands = {
  demo: { file: "tools/demo/demo.mts", build: true, pulumi: "needed" },
  test: { file: "tools/test/test.mts", build: false, pulumi: "wanted" },
  bench: { file: "tools/bench/bench.mts", build: true, pulumi: "needed" },
  serve: { file: "dist/cli/trustplane.js", build: true, pulumi: "unused" },
  generate: { file: "schema/generate.mts", build: true, pulumi: "unused" },
};

/**
 * Runs one command on Node 24, with the dependencies installed: build, Pulumi CLI, then the command in this process.
 * @param {string[]} args
 */
export async function dispatch([name = "", ...rest]) {
  const release = endOnInterrupt();
  try {
    const command = commands[name];
    if (!command) throw new StepError(`there is no command "${name}"; there are: ${Object.keys(commands).join(", ")}`);
    const progress = createProgress();
    if (command.build) await ensureBuild({ progress });
    if (command.pulumi !== "unused") await providePulumi(progress, command.pulumi === "needed");
    const file = join(repository, command.file);
    if (!existsSync(file))
      throw new StepError(`${command.file}, which is "npm run ${name}", does not exist in this checkout`);
    // `trustplane serve` is a command of the published CLI, which handles signals by itself.
    if (name === "serve") release();
    process.argv = [process.execPath, file, ...(name === "serve" ? ["serve"] : []), ...rest];
    await import(pathToFileURL(file).href);
  } catch (error) {
    reportFailure(error);
    process.exit(1);
  }
}

/**
 * @param {import("./steps/progress.mjs").Progress} progress
 * @param {boolean} isNeeded
 */
async function providePulumi(progress, isNeeded) {
  try {
    process.env.TRUSTPLANE_PULUMI = await ensurePulumiCli({ progress });
  } catch (error) {
    if (isNeeded || !(error instanceof StepError)) throw error;
    reportFailure(error);
    process.env.TRUSTPLANE_PULUMI_MISSING = `${error.message}; the reasons are above`;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await dispatch(process.argv.slice(2));
