// `npm test`: build, lint, types, generated files and every test; the last line says how it went. With arguments
// (`npm test -- test/unit`) they go to vitest, and only the build comes before.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isInterrupted, onInterrupt, waitForTheEnd } from "../steps/interrupt.mjs";
import { repository } from "../steps/repository.mjs";
import { stopProcess } from "../steps/stop-process.mjs";
import { runChecks } from "./checks.mts";
import type { TestCounts } from "./count-reporter.mts";
import { summaryOf } from "./summary.mts";

const args = process.argv.slice(2);
const checks = await runChecks(args.length > 0 ? { only: ["build"] } : {});
const { counts, exitCode } = await runVitest(args);
const { text, isPassed } = summaryOf(checks, counts, exitCode);
process.stdout.write(`\n${text}\n`);
process.exit(isPassed ? 0 : exitCode || 1);

async function runVitest(vitestArgs: readonly string[]): Promise<{ counts: TestCounts; exitCode: number }> {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-test-"));
  const file = join(folder, "counts.json");
  const reporters = ["default", fileURLToPath(new URL("./count-reporter.mts", import.meta.url))];
  const vitest = join(repository, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(
    process.execPath,
    [vitest, "run", ...reporters.map((name) => `--reporter=${name}`), ...vitestArgs],
    {
      cwd: repository,
      env: { ...process.env, TRUSTPLANE_TEST_COUNTS: file },
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
    const nothing: TestCounts = { passed: 0, failed: 0, skipped: 0, skipReasons: {} };
    return { counts: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : nothing, exitCode };
  } finally {
    release();
    rmSync(folder, { recursive: true, force: true });
  }
}
