import { visibleText } from "../changes/visible-text";
import type { Terminal } from "../terminal";
import { writeReport } from "../write-report";
import { runTrustTests } from "./run-tests";
import type { TestFlags } from "./test-flags";
import { junitText, testText } from "./test-report";
import { readTrustFile } from "./trust-file";
import { wantedTrust } from "./wanted-trust";

/** Runs the tests of a file and prints their results. Returns the exit code. */
export async function runTest(file: string, flags: TestFlags, terminal: Terminal): Promise<number> {
  try {
    const tests = readTrustFile(file);
    const { records, notLookedAt } = await wantedTrust(flags, terminal);
    const result = await runTrustTests(records, tests);
    const report = notLookedAt.length === 0 ? result : { ...result, notLookedAt };
    if (flags.junit !== undefined) writeReport(flags.junit, junitText(report));
    terminal.out(flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : testText(report));
    return report.result === "passed" ? 0 : 2;
  } catch (error) {
    terminal.err(`trustplane: ${visibleText(error instanceof Error ? error.message : String(error))}\n`);
    return 1;
  }
}
