import type { CheckResult } from "./checks.mts";
import type { FileResult, TestCounts } from "./count-reporter.mts";

/** A file that failed beside the others, and what it did when it was run once more by itself. */
export interface SecondTry {
  readonly first: FileResult;
  /** Nothing where vitest itself broke. */
  readonly second: FileResult | undefined;
}

/**
 * The result of a run for people and, in its very last line, for scripts. A check counts as one; so does vitest itself when
 * it failed without a failed test (no tests found, a crash). What passes the second time is green, and named.
 */
export function summaryOf(
  checks: readonly CheckResult[],
  tests: TestCounts,
  exitCode: number,
  secondTries: readonly SecondTry[] = [],
): { text: string; isPassed: boolean } {
  const isSteady = ({ second }: SecondTry) => second === undefined || second.failed > 0;
  const unsteady = secondTries.filter((tried) => !isSteady(tried));
  const files = tests.files.map((file) => unsteady.find(({ first }) => first === file)?.second ?? file);
  const sum = (count: (file: FileResult) => number) => files.reduce((all, file) => all + count(file), 0);
  const [passed, skipped] = [sum((file) => file.passed), sum((file) => file.skipped)];
  const failedTests = sum((file) => file.failed) + tests.unhandledErrors;
  const vitestFailures = exitCode !== 0 && failedTests === 0 && unsteady.length === 0 ? 1 : 0;
  const passedChecks = checks.filter(({ isPassed }) => isPassed).length;
  const failed = failedTests + vitestFailures + checks.length - passedChecks;
  const lines = [
    ...checks.map(({ name, isPassed }) => `${name}: ${isPassed ? "passed" : "failed"}`),
    `tests: ${countsOf(passed, failedTests + vitestFailures, skipped)}`,
    ...(vitestFailures > 0 ? [`vitest: ended with code ${exitCode} although no test failed`] : []),
    ...reasonsOf(files).map(([reason, count]) => `skipped ${count}: ${reason}`),
    ...files.filter((file) => file.failed > 0).map((file) => `failed: ${nameOf(file)}: ${file.message}`),
    ...unsteady.map(({ first }) => `unsteady, failed and then passed alone: ${nameOf(first)}: ${first.message}`),
    "",
    countsOf(passed + passedChecks, failed, skipped),
  ];
  return { text: lines.join("\n"), isPassed: failed === 0 };
}

const nameOf = ({ path, project }: FileResult) => (project === "" ? path : `${path} (${project})`);

function reasonsOf(files: readonly FileResult[]): [string, number][] {
  const reasons: Record<string, number> = {};
  for (const { skipReasons } of files)
    for (const [reason, count] of Object.entries(skipReasons)) reasons[reason] = (reasons[reason] ?? 0) + count;
  return Object.entries(reasons);
}

const countsOf = (passed: number, failed: number, skipped: number) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;
