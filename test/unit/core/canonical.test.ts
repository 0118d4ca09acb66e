import { describe, expect, it } from "vitest";
import { canonicalText, isEmpty, setOf } from "../../../provider/core/canonical";
import { fc } from "../../support/fast-check.ts";

describe("the canonical text", () => {
  it("is the same whatever the order of members", () => {
    expect(canonicalText({ b: [{ d: 1, c: 2 }], a: null })).toBe(canonicalText({ a: null, b: [{ c: 2, d: 1 }] }));
  });

  it("drops members that are undefined", () => {
    expect(canonicalText({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it.each([
    [
      ["a", "b"],
      ["b", "a"],
    ],
    [1, "1"],
    [true, "true"],
    [null, undefined],
    [{ a: 1 }, { a: 2 }],
    [{}, []],
  ])("tells %j from %j", (a, b) => {
    expect(canonicalText(a)).not.toBe(canonicalText(b));
  });

  it("is equal exactly for equal JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const copy: unknown = JSON.parse(JSON.stringify(a));
        expect(canonicalText(copy)).toBe(canonicalText(a));
        const text = canonicalText(a);
        expect(canonicalText(JSON.parse(text))).toBe(text);
        expect(canonicalText([a, b]) === canonicalText([b, a])).toBe(canonicalText(a) === canonicalText(b));
      }),
    );
  });
});

describe("empty", () => {
  it.each([[undefined], [null], [""], [[]], [{}]])("is %j", (value) => {
    expect(isEmpty(value)).toBe(true);
  });

  it.each([[0], [false], [" "], [[""]], [{ a: undefined }], ["0"]])("is not %j", (value) => {
    expect(isEmpty(value)).toBe(false);
  });
});

it("a set has no order and no repetition", () => {
  expect(setOf(["b", "a", "b"])).toEqual(setOf(["a", "b"]));
});
