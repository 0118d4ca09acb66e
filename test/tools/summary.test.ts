import { describe, expect, it } from "vitest";
import { summaryOf } from "../../tools/test/summary.mts";

const path = "test/unit/core/check.test.ts";
const result = { path, project: "shared", ms: 5, passed: 10, failed: 0, skipped: 0, skipReasons: {} };
const skipping = { ...result, passed: 0, skipped: 3, skipReasons: { "no go on PATH": 3 } };
const broken = { ...result, passed: 9, failed: 1, message: "adds: expected 3 to be 2" };
const counts = (...files: (typeof result)[]) => ({ files, unhandledErrors: 0 });
const lastLine = (text: string) => text.split("\n").at(-1);

describe("the summary of a run", () => {
  it("ends with the numbers, alone on the last line, and says once why tests were skipped", () => {
    const { text, isPassed } = summaryOf([{ name: "lint", isPassed: true }], counts(result, skipping, skipping), 0);
    expect(lastLine(text)).toBe("11 passed, 0 failed, 6 skipped");
    expect(text.match(/skipped 6: no go on PATH/g)).toHaveLength(1);
    expect(isPassed).toBe(true);
  });

  it("a failed check fails the run", () => {
    const { text, isPassed } = summaryOf([{ name: "lint", isPassed: false }], counts(result), 0);
    expect(lastLine(text)).toBe("10 passed, 1 failed, 0 skipped");
    expect(isPassed).toBe(false);
  });

  it("a vitest that fails without a failed test fails the run", () => {
    const { text, isPassed } = summaryOf([], counts(), 1);
    expect(lastLine(text)).toBe("0 passed, 1 failed, 0 skipped");
    expect(isPassed).toBe(false);
  });

  it("an error that belongs to no test fails the run", () => {
    expect(summaryOf([], { files: [result], unhandledErrors: 1 }, 1).isPassed).toBe(false);
  });

  it("a file that fails twice is red, and named with its first failure", () => {
    const { text, isPassed } = summaryOf([], counts(broken), 1, [{ first: broken, second: broken }]);
    expect(lastLine(text)).toBe("9 passed, 1 failed, 0 skipped");
    expect(text).toContain(`failed: ${path} (shared): adds: expected 3 to be 2`);
    expect(text).not.toContain("unsteady");
    expect(isPassed).toBe(false);
  });

  it("a file that could not be run a second time is red", () => {
    expect(summaryOf([], counts(broken), 1, [{ first: broken, second: undefined }]).isPassed).toBe(false);
  });

  it("a file that passes by itself is green, and named as unsteady with its failure", () => {
    const { text, isPassed } = summaryOf([], counts(broken), 1, [{ first: broken, second: result }]);
    expect(lastLine(text)).toBe("10 passed, 0 failed, 0 skipped");
    expect(text).toContain(`unsteady, failed and then passed alone: ${path} (shared): adds: expected 3 to be 2`);
    expect(isPassed).toBe(true);
  });
});
