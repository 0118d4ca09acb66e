import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SuiteOptions } from "vitest";
import { ensurePythonPackages } from "../../tools/live/ensure-python-packages.mts";
import { findPython } from "../../tools/live/find-python.mts";
import { createProgress } from "../../tools/steps/progress.mjs";
import { repository } from "../../tools/steps/repository.mjs";
import { StepError } from "../../tools/steps/step-error.mjs";
import { unlessThere } from "./unless-there.ts";

const run = promisify(execFile);

/** Options of a suite that runs Python with packages, which is skipped with the reason where there is none. */
export function needsPython(): SuiteOptions {
  try {
    findPython(process.env);
    return {};
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return unlessThere(false, error.message);
  }
}

/** Installs the SDK into the folder, as its users do. Returns what runs a program with it, and answers what that prints. */
export async function installPythonSdk(folder: string): Promise<(...args: string[]) => Promise<string>> {
  const python = await ensurePythonPackages("pulumi", { progress: createProgress() });
  // A build leaves its files beside the sources.
  cpSync(join(repository, "sdk/python"), join(folder, "sources"), { recursive: true });
  const from = ["--no-deps", "--no-build-isolation", "--target", join(folder, "installed"), join(folder, "sources")];
  await run(python, ["-m", "pip", "--disable-pip-version-check", "install", ...from]);
  const env = { ...process.env, PYTHONPATH: join(folder, "installed") };
  return async (...args) => (await run(python, args, { env, maxBuffer: 1 << 26 })).stdout;
}

/** Runs a program without an engine, with a configuration as JSON: prints what it registers. */
export const registeringProgram = join(repository, "test/package-schema/run_program.py");
