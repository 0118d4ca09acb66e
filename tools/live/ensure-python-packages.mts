import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Progress } from "../steps/progress.mjs";
import { repository } from "../steps/repository.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { withScratchFolder } from "../steps/scratch-folder.mjs";
import { findPython, pythonAdvice } from "./find-python.mts";
import {
  liveCacheFolder,
  type PythonEnvironment,
  type PythonPackages,
  pythonPackages,
  pythonPath,
} from "./live-binaries.mts";

const pip = ["-m", "pip", "--disable-pip-version-check", "--no-input"];

/**
 * The Python of the virtual environment that these packages live in, which is made when it is not there, or when the Python
 * that it was made from has changed under it.
 */
export async function ensurePythonPackages(
  name: PythonPackages,
  { progress, env = process.env }: { progress: Progress; env?: NodeJS.ProcessEnv },
): Promise<string> {
  const { title, requirements, module, program }: PythonEnvironment = pythonPackages[name];
  const python = pythonPath(name, env);
  const folder = dirname(dirname(python));
  if (canFind(module, { python, env })) return python;
  return progress.step(`installing ${title} into a virtual environment of its own (once)`, (onLine) => {
    const systemPython = findPython(env);
    return withScratchFolder(liveCacheFolder(env), async (scratch) => {
      // Only `bin/python` is used, which finds its packages from where it lies: the environment can move when it is whole.
      const made = join(scratch, "venv");
      await runTool(systemPython, ["-m", "venv", made], { env, onLine, next: pythonAdvice });
      await runTool(join(made, "bin", "python"), [...pip, "install", "--requirement", requirements], {
        cwd: repository,
        env,
        onLine,
        next: `look at pip's lines above. If it reaches its package index, then this Python is none of the pinned packages': ${pythonAdvice}`,
      });
      if (program) copyFileSync(program, join(made, "bin", basename(program)));
      // Another process may have been faster, and may be using what it made.
      if (!canFind(module, { python, env })) {
        rmSync(folder, { recursive: true, force: true });
        renameSync(made, folder);
      }
      return python;
    });
  });
}

/** Looks for the package without loading it, which takes more than a second. */
function canFind(module: string, { python, env }: { python: string; env: NodeJS.ProcessEnv }): boolean {
  if (!existsSync(python)) return false;
  const look = `import importlib.util, sys; sys.exit(importlib.util.find_spec('${module}') is None)`;
  return spawnSync(python, ["-c", look], { env, stdio: "ignore", timeout: 20_000 }).status === 0;
}
