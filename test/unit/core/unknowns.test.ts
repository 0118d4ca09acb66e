import { describe, expect, it } from "vitest";
import { hasUnknown, isRecord, UNKNOWN } from "../../../provider/core/unknowns";

describe("an unknown value", () => {
  it.each([[UNKNOWN], [[UNKNOWN]], [{ a: UNKNOWN }], [{ a: [{ b: UNKNOWN }] }]])("is found in %j", (value) => {
    expect(hasUnknown(value)).toBe(true);
  });

  it.each([[undefined], [null], [""], [`x${UNKNOWN}`], [[]], [{}], [{ [UNKNOWN]: 1 }]])("is not in %j", (value) => {
    expect(hasUnknown(value)).toBe(false);
  });
});

it.each([
  [{}, true],
  [[], false],
  [null, false],
  ["", false],
  [undefined, false],
])("a plain object is not anything else: %j", (value, plain) => {
  expect(isRecord(value)).toBe(plain);
});
