import { expect, it } from "vitest";
import { costText, partOf } from "../../tools/test/part-times.mts";

it.each([
  ["test/e2e/drift.test.ts", "test/e2e"],
  ["test/unit/core/check.test.ts", "test/unit"],
  ["test/architecture.test.ts", "test/architecture.test.ts"],
])("%s belongs to %s", (file, part) => expect(partOf(file)).toBe(part));

it("names the parts that take long, the longest first", () => {
  const text = costText({ "test/unit": 9_000, "test/cli": 20_000, "test/e2e": 500_000 });
  expect(text).toMatch(/ took: test\/e2e 8 min 20 s, test\/cli 20 s\.$/);
});

it("says what to run instead where there was no whole run yet", () => {
  expect(costText({})).toMatch(/^`npm run test:quick` answers in one to two minutes, .* runs a part\.$/);
});
