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
import type { FileResult, TestCounts } from "./count-reporter.mts";
import { costLines, keepTime } from "./part-times.mts";
import { type SecondTry, summaryOf } from "./summary.mts";
import type { Run } from "./test-files.mts";

export interface RunOptions {
  readonly checks?: readonly CheckResult[];
  readonly run?: Run;
  /** Not a part of it that somebody named: its failures are tried once more, and its time is kept. */
  readonly isWhole?: boolean;
}

/** More failed files than this are no chance. */
const MOST_SECOND_TRIES = 8;

/** Runs vitest, says what came of it and of the checks before it, and ends this process with the code of that. */
export async function runTests(
  vitestArgs: readonly string[],
  { checks = [], run, isWhole = false }: RunOptions = {},
): Promise<never> {
  const env = run === undefined ? {} : { TRUSTPLANE_TEST_RUN: run };
  const { counts, exitCode } = await runVitest(vitestArgs, env);
  const failed = counts.files.filter((file) => file.failed > 0);
  const isChance = isWhole && counts.unhandledErrors === 0 && failed.length <= MOST_SECOND_TRIES;
  const secondTries: SecondTry[] = [];
  if (isChance) for (const first of failed) secondTries.push({ first, second: await runAlone(first, vitestArgs, env) });
  const { text, isPassed } = summaryOf(checks, counts, exitCode, secondTries);
  process.stdout.write(`\n${[...costLines(counts.files), "", text].join("\n")}\n`);
  if (isPassed && isWhole && run !== undefined) keepTime(run, performance.now());
  process.exit(isPassed ? 0 : exitCode || 1);
}

/** Runs a file that has failed once more, with nothing beside it. */
async function runAlone(
  { path, project }: FileResult,
  vitestArgs: readonly string[],
  env: Record<string, string>,
): Promise<FileResult | undefined> {
  process.stdout.write(`\ntrustplane: ${path} failed, and is run once more by itself\n`);
  const name = project === "" ? [] : [`--project=${project}`];
  const { counts } = await runVitest([...vitestArgs, path, ...name, "--maxWorkers=1"], env);
  return counts.unhandledErrors === 0 ? counts.files.find((file) => file.path === path) : undefined;
}

interface VitestResult {
  readonly counts: TestCounts;
  readonly exitCode: number;
}

function runVitest(vitestArgs: readonly string[], env: Record<string, string>): Promise<VitestResult> {
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
        env: { ...process.env, ...env, TRUSTPLANE_TEST_COUNTS: file, TMPDIR: scratch },
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
      const nothing: TestCounts = { files: [], unhandledErrors: 0 };
      return { counts: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : nothing, exitCode };
    } finally {
      release();
    }
  });
}
