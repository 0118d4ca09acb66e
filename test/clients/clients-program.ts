import type { SuiteOptions } from "vitest";
import { ensureLiveBinary } from "../../tools/live/ensure-live-binary.mts";
import { isLiveBinaryThere } from "../../tools/live/live-binaries.mts";
import { findGo } from "../../tools/steps/find-go.mjs";
import { createProgress } from "../../tools/steps/progress.mjs";
import { StepError } from "../../tools/steps/step-error.mjs";
import { unlessThere } from "../support/unless-there.ts";

/** The path of the program in this folder, which is built when its sources have changed. */
export function clientsProgram(): Promise<string> {
  return ensureLiveBinary("clients", { progress: createProgress() });
}

/** Options of a suite that runs the program, which is skipped with the reason where it cannot be built. */
export function needsClients(): SuiteOptions {
  if (isLiveBinaryThere("clients")) return {};
  try {
    findGo(process.env);
    return {};
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return unlessThere(false, error.message);
  }
}
