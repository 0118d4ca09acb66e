import { existsSync } from "node:fs";
import { buildGoProgram } from "../steps/build-go-program.mjs";
import type { Progress } from "../steps/progress.mjs";
import { StepError } from "../steps/step-error.mjs";
import { answers } from "./answers.mts";
import { type LiveBinary, type LiveBinaryName, liveBinaries, liveBinaryPath, liveSources } from "./live-binaries.mts";

/**
 * The path of a real server's or the clients' binary, which is built when it is not there. Binaries of other sources stay: another checkout
 * or branch may be using them.
 */
export async function ensureLiveBinary(
  name: LiveBinaryName,
  { progress, env = process.env }: { progress: Progress; env?: NodeJS.ProcessEnv },
): Promise<string> {
  const output = liveBinaryPath(name, env);
  if (existsSync(output)) return output;
  const { title, probe, main = ".", variables = [] }: LiveBinary = liveBinaries[name];
  return progress.step(`building ${title} from its Go modules (up to 6 minutes, once)`, (onLine) =>
    buildGoProgram({
      output,
      sources: liveSources(name),
      main,
      linkerFlags: ["-s -w", ...variables.map((text) => `-X ${text}`)].join(" "),
      async check(binary) {
        if (!(await answers(binary, probe.args, probe.answer)))
          throw new StepError(`the built ${title} does not run on this machine`);
      },
      env,
      onLine,
    }),
  );
}
