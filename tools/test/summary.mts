import type { CheckResult } from "./checks.mts";
import type { TestCounts } from "./count-reporter.mts";

/**
 * What a run came to, for people and, in its very last line, for scripts. A check counts as one; so does vitest itself when
 * it failed without a failed test (a coverage threshold, no tests found, a crash).
 */
export function summaryOf(
  checks: readonly CheckResult[],
  tests: TestCounts,
  exitCode: number,
): { text: string; isPassed: boolean } {
  const passedChecks = checks.filter(({ isPassed }) => isPassed).length;
  const vitestFailures = exitCode !== 0 && tests.failed === 0 ? 1 : 0;
  const failed = tests.failed + vitestFailures + checks.length - passedChecks;
  const lines = [
    ...checks.map(({ name, isPassed }) => `${name}: ${isPassed ? "passed" : "failed"}`),
    `tests: ${countsOf(tests.passed, tests.failed, tests.skipped)}`,
    ...(vitestFailures > 0 ? [`vitest: ended with code ${exitCode} although no test failed`] : []),
    ...Object.entries(tests.skipReasons).map(([reason, count]) => `skipped ${count}: ${reason}`),
    "",
    countsOf(tests.passed + passedChecks, failed, tests.skipped),
  ];
  return { text: lines.join("\n"), isPassed: failed === 0 };
}

const countsOf = (passed: number, failed: number, skipped: number) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;
