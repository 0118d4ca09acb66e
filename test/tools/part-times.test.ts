import { expect, it } from "vitest";
import { costLines, forecast, partOf } from "../../tools/test/part-times.mts";

it.each([
  ["test/e2e/drift.test.ts", "test/e2e"],
  ["test/unit/core/check.test.ts", "test/unit"],
  ["test/architecture.test.ts", "test/architecture.test.ts"],
])("%s belongs to %s", (file, part) => expect(partOf(file)).toBe(part));

const took = (path: string, ms: number) => ({
  ...{ path, project: "shared", ms },
  ...{ passed: 1, failed: 0, skipped: 0, skipReasons: {} },
});

it("names the parts that take long and the slowest files, the longest first", () => {
  const files = [took("test/unit/a.test.ts", 900), took("test/e2e/b.test.ts", 400_000), took("test/e2e/c.test.ts", 20)];
  expect(costLines(files)).toEqual([
    "parts (all workers together): test/e2e 6 min 40 s",
    "slowest files: test/e2e/b.test.ts (shared) 6 min 40 s, test/unit/a.test.ts (shared) 0.9 s, test/e2e/c.test.ts (shared) 0.0 s",
  ]);
});

it("names ten of the slowest files and no more", () => {
  const files = Array.from({ length: 12 }, (_, at) => took(`test/unit/${at}.test.ts`, at));
  expect(costLines(files)[1]?.match(/\.test\.ts/g)).toHaveLength(10);
});

it("says in advance how long a run takes: as the last one here, or else as on two idle cores", () => {
  expect(forecast("test", { test: 312 })).toBe("this takes about 5 min 12 s, as the last time on this machine");
  expect(forecast("test", { quick: 30 })).toMatch(/^this takes about \d min 00 s on two idle cores, and longer/);
});
