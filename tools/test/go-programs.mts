import { join } from "node:path";
import { ensureLiveBinary } from "../live/ensure-live-binary.mts";
import { findGo } from "../steps/find-go.mjs";
import type { Progress } from "../steps/progress.mjs";
import { repository } from "../steps/repository.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { StepError } from "../steps/step-error.mjs";

/** How the SDK in Go is checked. */
export const goSdkCheck = {
  args: ["vet", "./..."],
  options: {
    cwd: join(repository, "sdk/go"),
    env: { ...process.env, GOFLAGS: "-mod=readonly", GOWORK: "off" },
  },
} as const;

/**
 * Compiles what the tests need of Go before they start: a compiler takes the processors from tests that have limits of time. What
 * fails here fails again in its test, which says so.
 */
export async function compileGoPrograms({ progress }: { progress: Progress }): Promise<void> {
  try {
    const go = findGo(process.env);
    await ensureLiveBinary("clients", { progress });
    await ensureLiveBinary("package-schema", { progress });
    await progress.step("compiling the SDK in Go (up to 3 minutes the first time)", (onLine) =>
      runTool(go, goSdkCheck.args, { ...goSdkCheck.options, onLine }),
    );
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
  }
}
