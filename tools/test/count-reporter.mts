import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";

/** One file of tests in one project. */
export interface FileResult {
  /** From the repository's root, with slashes. */
  readonly path: string;
  readonly project: string;
  readonly ms: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** How many tests were skipped, by the reason that they gave. */
  readonly skipReasons: Readonly<Record<string, number>>;
  /** Of the first failure. */
  readonly message?: string;
}

/** The result of one run of vitest. */
export interface TestCounts {
  readonly files: readonly FileResult[];
  /** Errors that belong to no file. */
  readonly unhandledErrors: number;
}

/** Writes the result of every file to the file that TRUSTPLANE_TEST_COUNTS names. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const file = process.env.TRUSTPLANE_TEST_COUNTS;
    const counts: TestCounts = { files: modules.map(resultOf), unhandledErrors: unhandledErrors.length };
    if (file) writeFileSync(file, JSON.stringify(counts));
  }
}

/** A file or a suite that fails outside of its tests (an import, a `beforeAll`) is a failure although it is no test. */
export function resultOf(module: TestModule): FileResult {
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  let [passed, failed, skipped] = [0, errors.length, 0];
  let message = errors[0] && firstLine(errors[0].message);
  const skipReasons: Record<string, number> = {};
  for (const test of module.children.allTests()) {
    const result = test.result();
    if (result.state === "passed") passed += 1;
    if (result.state === "failed") {
      failed += 1;
      message ??= `${test.fullName}: ${firstLine(result.errors[0]?.message ?? "no message")}`;
    }
    if (result.state !== "skipped" && result.state !== "pending") continue;
    skipped += 1;
    const reason = reasonOf(test);
    skipReasons[reason] = (skipReasons[reason] ?? 0) + 1;
  }
  const { relativeModuleId: path, project } = module;
  const ms = Math.round(module.diagnostic().duration);
  return { path, project: project.name, ms, passed, failed, skipped, skipReasons, ...(message && { message }) };
}

const firstLine = (text: string) => text.split("\n", 1)[0] ?? "";

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
