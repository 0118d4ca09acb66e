import { describe, expect, it } from "vitest";
import { summaryOf } from "../../tools/bench/statistics.mts";
import { fc } from "../support/fast-check.ts";

describe("the summary of several runs", () => {
  it.each([
    { samples: [5], summary: { runs: 1, min: 5, median: 5, max: 5 } },
    { samples: [10, 9, 100], summary: { runs: 3, min: 9, median: 10, max: 100 } },
    { samples: [4, 1, 3, 2], summary: { runs: 4, min: 1, median: 2.5, max: 4 } },
  ])("of $samples is $summary", ({ samples, summary }) => {
    expect(summaryOf(samples)).toEqual(summary);
  });

  it("does not depend on the order, and has the median between the others", () => {
    const samples = fc.array(fc.integer(), { minLength: 1 });
    fc.assert(
      fc.property(samples, (values) => {
        const summary = summaryOf(values);
        expect(summaryOf([...values].reverse())).toEqual(summary);
        expect(summary.min).toBeLessThanOrEqual(summary.median);
        expect(summary.median).toBeLessThanOrEqual(summary.max);
        expect(values.filter((value) => value < summary.median).length).toBeLessThanOrEqual(values.length / 2);
        expect(values.filter((value) => value > summary.median).length).toBeLessThanOrEqual(values.length / 2);
      }),
    );
  });

  it("of nothing is an error, not a zero", () => {
    expect(() => summaryOf([])).toThrow("nothing was measured");
  });
});
