import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ensurePythonPackages } from "../live/ensure-python-packages.mts";
import { findPython } from "../live/find-python.mts";
import type { Progress } from "../steps/progress.mjs";
import { repository } from "../steps/repository.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { withScratchFolder } from "../steps/scratch-folder.mjs";
import { StepError } from "../steps/step-error.mjs";

/** Needs no more than setuptools, which the pinned packages of the tests bring. */
const BUILDERS = ["build_sdist", "build_wheel"];

/** Writes the Python SDK as sdist and wheel. Says so and goes on where there is no Python that can. */
export async function writePythonDistributions(output: string, progress: Progress): Promise<void> {
  try {
    findPython(process.env);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    progress.say(`the Python SDK is not packaged: ${error.message}`);
    return;
  }
  const python = await ensurePythonPackages("pulumi", { progress });
  mkdirSync(output, { recursive: true });
  for (const builder of BUILDERS)
    await progress.step(`packaging the Python SDK (${builder})`, () =>
      withScratchFolder(output, async (scratch) => {
        // A build leaves its files beside the sources.
        cpSync(join(repository, "sdk/python"), join(scratch, "sources"), { recursive: true });
        const call = `import sys; from setuptools import build_meta; build_meta.${builder}(sys.argv[1])`;
        await runTool(python, ["-c", call, output], { cwd: join(scratch, "sources") });
      }),
    );
}
