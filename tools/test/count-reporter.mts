import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";
import { type PartTimes, partOf } from "./part-times.mts";

/** What one run of vitest came to. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** How many tests were skipped, by the reason that they gave. */
  readonly skipReasons: Readonly<Record<string, number>>;
  readonly times: PartTimes;
}

/** Writes the counts, and the reasons for skipping, to the file that TRUSTPLANE_TEST_COUNTS names. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const file = process.env.TRUSTPLANE_TEST_COUNTS;
    if (file) writeFileSync(file, JSON.stringify(countTests(modules, unhandledErrors.length)));
  }
}

/** A file or a suite that fails outside of its tests (an import, a `beforeAll`) is a failure although it is no test. */
export function countTests(modules: readonly TestModule[], unhandledErrors: number): TestCounts {
  let [passed, failed, skipped] = [0, unhandledErrors, 0];
  const skipReasons: Record<string, number> = {};
  const times: Record<string, number> = {};
  for (const module of modules) {
    failed += module.errors().length;
    const part = partOf(module.relativeModuleId);
    times[part] = (times[part] ?? 0) + module.diagnostic().duration;
    for (const suite of module.children.allSuites()) failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === "passed") passed += 1;
      if (state === "failed") failed += 1;
      if (state !== "skipped" && state !== "pending") continue;
      skipped += 1;
      const reason = reasonOf(test);
      skipReasons[reason] = (skipReasons[reason] ?? 0) + 1;
    }
  }
  return { passed, failed, skipped, skipReasons, times };
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  const note = result.state === "skipped" ? result.note : undefined;
  const { skipReason } = test.meta() as { skipReason?: string };
  if (isInFailedSuite(test)) return "their suite failed before they could run";
  return note ?? skipReason ?? `no reason given: ${test.module.relativeModuleId} > ${test.fullName}`;
}

function isInFailedSuite({ parent }: TestCase | TestSuite): boolean {
  return parent.type === "suite" && (parent.errors().length > 0 || isInFailedSuite(parent));
}
