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
 * @property {string} [file] what runs, if there is more to do than to build; the arguments are in `process.argv` from index 2 on, as if it had been started directly
 * @property {"needed" | "wanted" | "unused"} build whether a current `dist/` is made before. `wanted`: also runs when that
 *   fails, as the generator must, whose old output may be what does not compile. `test` makes it itself, as a check that counts
 * @property {"needed" | "wanted" | "unused"} pulumi `wanted`: without the CLI the command runs and says what it skips
 */

/** @type {Record<string, Command>} */
const commands = {
  demo: { file: "tools/demo/demo.mts", build: "needed", pulumi: "needed" },
  "demo --terraform": { file: "tools/demo/terraform-demo.mts", build: "needed", pulumi: "unused" },
  build: { build: "needed", pulumi: "unused" },
  // By `npm install` of a git address. After `npm ci` each command of a clone builds what it needs.
  prepare: { build: process.env.npm_command === "ci" ? "unused" : "needed", pulumi: "unused" },
  test: { file: "tools/test/test.mts", build: "unused", pulumi: "wanted" },
  "test:quick": { file: "tools/test/quick.mts", build: "unused", pulumi: "unused" },
  "test:live": { file: "tools/live/test-live.mts", build: "needed", pulumi: "needed" },
  mutants: { file: "tools/test/mutants.mts", build: "unused", pulumi: "unused" },
  bench: { file: "tools/bench/bench.mts", build: "needed", pulumi: "needed" },
  serve: { file: "dist/cli/trustplane.js", build: "needed", pulumi: "unused" },
  "record:plugin": { file: "tools/pulumi/record-plugin.mts", build: "needed", pulumi: "needed" },
  record: { file: "tools/live/record.mts", build: "unused", pulumi: "unused" },
  package: { file: "tools/package/package.mts", build: "needed", pulumi: "unused" },
  "package:terraform": { file: "tools/terraform/package-terraform.mts", build: "unused", pulumi: "unused" },
  docs: { file: "tools/docs/docs.mts", build: "unused", pulumi: "unused" },
  pictures: { file: "tools/pictures/pictures.mts", build: "needed", pulumi: "needed" },
  "generate:sdks": { file: "tools/sdks/generate-sdks.mts", build: "unused", pulumi: "unused" },
  generate: { file: "schema/generate.mts", build: "wanted", pulumi: "unused" },
};

/**
 * Runs one command on Node 24, with the dependencies installed: build, Pulumi CLI, then the command in this process.
 * @param {string[]} args
 */
export async function dispatch([name = "", ...rest]) {
  const release = endOnInterrupt();
  try {
    const command = commands[[name, ...rest].join(" ")] ?? commands[name];
    if (!command) throw new StepError(`there is no command "${name}"; there are: ${Object.keys(commands).join(", ")}`);
    const progress = createProgress();
    await provide(command.build, () => ensureBuild({ progress }));
    await provide(command.pulumi, async () => {
      process.env.TRUSTPLANE_PULUMI = await ensurePulumiCli({ progress });
    });
    if (command.file === undefined) return;
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
 * @param {"needed" | "wanted" | "unused"} isIt
 * @param {() => Promise<void>} make
 */
async function provide(isIt, make) {
  if (isIt === "unused") return;
  try {
    await make();
  } catch (error) {
    if (isIt === "needed" || !(error instanceof StepError)) throw error;
    reportFailure(error);
    process.stderr.write("\ntrustplane: going on without\n");
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await dispatch(process.argv.slice(2));
