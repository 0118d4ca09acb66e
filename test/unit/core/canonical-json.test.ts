import { describe, expect, it } from "vitest";
import { allOfJson, canonicalJson, losslessJson } from "../../../provider/core/canonical-json";
import { fc } from "../../support/fast-check.ts";

describe("two texts of JSON are the same", () => {
  it.each([
    ['{ "a": 1,\n "b": [1, {"d": null, "c": true}] }', '{"b":[1,{"c":true,"d":null}],"a":1}'],
    ['"\\u0041\\/"', '"A/"'],
    ['{"a":1,"b":0,"a":2}', '{"b":0,"a":1,"a":2}'],
    ["no JSON", "no JSON"],
  ])("%s and %s", (one, other) => {
    expect(canonicalJson(one)).toBe(canonicalJson(other));
  });

  it("which are as long as 16 MB", () => {
    const long = `"${"\\n".repeat(8 * 2 ** 20)}"`;
    expect(canonicalJson(`{"b":1, "a":${long}}`) === canonicalJson(`{"a":${long},"b":1}`)).toBe(true);
  });

  it("whatever the order of members", () => {
    const values = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(values, (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(JSON.stringify(turned, null, 2))).toBe(canonicalJson(JSON.stringify(value)));
      }),
    );
  });
});

describe("two texts of JSON are not the same", () => {
  const deep = (value: number) => `${"[".repeat(100)}${value}${"]".repeat(100)}`;

  it.each([
    ['{"Action":"iam:*","Action":"s3:Get*"}', '{"Action":"s3:Get*"}'],
    ['{"a":1,"a":2}', '{"a":2,"a":1}'],
    ['{"__proto__":1}', '{"__proto__":2}'],
    ["12345678901234567890", "12345678901234567891"],
    ["1e400", "1e401"],
    ["-0", "0"],
    ["1", '"1"'],
    ["[1,[2]]", "[1,2]"],
    ["{}", "[]"],
    [" no JSON", "no JSON"],
    ['{"a":1,}', '{"a":1}'],
    ['"\\x41"', '"A"'],
    [deep(1), deep(2)],
  ])("%s and %s", (one, other) => {
    expect(canonicalJson(one)).not.toBe(canonicalJson(other));
  });

  it("when their values differ", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const texts = [one, other].map((value) => JSON.stringify(value));
        const isSame = canonicalJson(texts[0] ?? "") === canonicalJson(texts[1] ?? "");
        // What the canonical text is made of, it says again.
        if (isSame) expect(JSON.parse(canonicalJson(texts[0] ?? ""))).toEqual(JSON.parse(texts[1] ?? ""));
        expect(JSON.parse(canonicalJson(texts[0] ?? ""))).toEqual(JSON.parse(texts[0] ?? ""));
      }),
    );
  });
});

describe("the value of a JSON text", () => {
  it("is there when JavaScript holds all of it", () => {
    expect(losslessJson('{"b": [1.5, "x"], "10": null, "9": true}')).toEqual({ b: [1.5, "x"], 10: null, 9: true });
  });

  it.each(['{"a":1,"a":1}', '{"a":[{"b":1,"b":2}]}', "12345678901234567890", "1e400", "{"])(
    "is not there for %s",
    (text) => {
      expect(losslessJson(text)).toBeUndefined();
    },
  );
});

it("has every value of a member that is there twice, for who looks for one", () => {
  const text = '{"a":1,"__proto__":[{"b":true,"b":["x"],"b":null}],"a":{"c":"y"}}';
  const value = allOfJson(text);
  expect(JSON.stringify(value)).toBe('{"a":[1,{"c":"y"}],"__proto__":[{"b":[true,"x",null]}]}');
  expect(allOfJson("{")).toBeUndefined();
});
