import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isInterrupted, onInterrupt, waitForTheEnd } from "../steps/interrupt.mjs";
import { repository } from "../steps/repository.mjs";
import { withScratchFolder } from "../steps/scratch-folder.mjs";
import { stopProcess } from "../steps/stop-process.mjs";
import type { CheckResult } from "./checks.mts";
import type { TestCounts } from "./count-reporter.mts";
import { keepTimes } from "./part-times.mts";
import { summaryOf } from "./summary.mts";

/** Runs vitest, says what it and the checks before it came to, and ends this process with the code of that. */
export async function runTests(
  vitestArgs: readonly string[],
  { checks = [], isWhole = false }: { checks?: readonly CheckResult[]; isWhole?: boolean } = {},
): Promise<never> {
  const { counts, exitCode } = await runVitest(vitestArgs);
  if (isWhole) keepTimes(counts.times);
  const { text, isPassed } = summaryOf(checks, counts, exitCode);
  process.stdout.write(`\n${text}\n`);
  process.exit(isPassed ? 0 : exitCode || 1);
}

function runVitest(vitestArgs: readonly string[]): Promise<{ counts: TestCounts; exitCode: number }> {
  return withScratchFolder(tmpdir(), async (scratch) => {
    const file = join(scratch, "counts.json");
    const reporters = ["default", fileURLToPath(new URL("./count-reporter.mts", import.meta.url))];
    const vitest = join(repository, "node_modules", "vitest", "vitest.mjs");
    const child = spawn(
      process.execPath,
      [vitest, "run", ...reporters.map((name) => `--reporter=${name}`), ...vitestArgs],
      {
        cwd: repository,
        // What tests that are ended by Ctrl-C leave in the folder for temporary files goes with ours.
        env: { ...process.env, TRUSTPLANE_TEST_COUNTS: file, TMPDIR: scratch },
        stdio: ["ignore", "inherit", "inherit"],
        detached: true,
      },
    );
    // The tests start servers and the Pulumi CLI, which vitest knows nothing about.
    const stop = (force?: AbortSignal) => stopProcess(child.pid, { toTree: true, graceMs: 5_000, force });
    const release = onInterrupt(stop);
    try {
      const exitCode = await new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)));
      if (isInterrupted()) return await waitForTheEnd();
      const nothing: TestCounts = { passed: 0, failed: 0, skipped: 0, skipReasons: {}, times: {} };
      return { counts: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : nothing, exitCode };
    } finally {
      release();
    }
  });
}
