import { describe, expect, it } from "vitest";
import { summaryOf } from "../../tools/test/summary.mts";

const tests = { passed: 10, failed: 0, skipped: 3, skipReasons: { "no go on PATH": 3 }, times: {} };
const lastLine = (text: string) => text.split("\n").at(-1);

describe("the summary of npm test", () => {
  it("ends with the numbers, alone on the last line, and gives the reasons for skipping", () => {
    const { text, isPassed } = summaryOf([{ name: "lint", isPassed: true }], tests, 0);
    expect(lastLine(text)).toBe("11 passed, 0 failed, 3 skipped");
    expect(text).toContain("skipped 3: no go on PATH");
    expect(isPassed).toBe(true);
  });

  it("a failed check fails the run", () => {
    const { text, isPassed } = summaryOf([{ name: "lint", isPassed: false }], tests, 0);
    expect(lastLine(text)).toBe("10 passed, 1 failed, 3 skipped");
    expect(isPassed).toBe(false);
  });

  it("a vitest that fails without a failed test fails the run", () => {
    const { text, isPassed } = summaryOf([], { passed: 0, failed: 0, skipped: 0, skipReasons: {}, times: {} }, 1);
    expect(lastLine(text)).toBe("0 passed, 1 failed, 0 skipped");
    expect(isPassed).toBe(false);
  });
});
