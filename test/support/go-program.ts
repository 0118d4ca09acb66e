import type { SuiteOptions } from "vitest";
import { ensureLiveBinary } from "../../tools/live/ensure-live-binary.mts";
import { isLiveBinaryThere, type LiveBinaryName } from "../../tools/live/live-binaries.mts";
import { findGo } from "../../tools/steps/find-go.mjs";
import { createProgress } from "../../tools/steps/progress.mjs";
import { StepError } from "../../tools/steps/step-error.mjs";
import { unlessThere } from "./unless-there.ts";

/** The path of a program of our own in Go, which is built when its sources have changed. */
export function goProgram(name: LiveBinaryName): Promise<string> {
  return ensureLiveBinary(name, { progress: createProgress() });
}

/** Options of a suite that runs the program, which is skipped with the reason where it cannot be built. */
export function needsGoProgram(name: LiveBinaryName): SuiteOptions {
  return isLiveBinaryThere(name) ? {} : needsGo();
}

/** Options of a suite that runs Go itself. */
export function needsGo(): SuiteOptions {
  try {
    findGo(process.env);
    return {};
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return unlessThere(false, error.message);
  }
}
