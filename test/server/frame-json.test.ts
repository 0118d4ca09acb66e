import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson, readJsonStream } from "../../server/framework/json-reader";
import { wireValue } from "../../server/framework/wire-value";

const messageOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
  return undefined;
};

describe("the JSON reader", () => {
  it("reads what JavaScript reads", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(JSON.parse(JSON.stringify(wireValue(readJson(text))))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("refuses what JavaScript refuses", () => {
    const unit = fc.constantFrom(..."{}[]:,\"\\utrfalsn0123456789+-.eE \t\n'é");
    const pieces = fc.oneof(unit, fc.constantFrom("true", "false", "null", '"a"', '{"a":1}', "[1,2]", "-0.5e+3"));
    fc.assert(
      fc.property(fc.string({ unit: pieces, maxLength: 12 }), (text) => {
        const isRefused = messageOf(() => readJson(text)) !== undefined;
        expect(isRefused).toBe(messageOf(() => JSON.parse(text)) !== undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps the order of members, members that repeat, and numbers as they are written", () => {
    const one = { kind: "number", text: "1.0" };
    const members = [
      ["b", one],
      ["1", { kind: "null" }],
      ["b", { kind: "bool", value: true }],
    ];
    expect(readJson('{"b": 1.0, "1": null, "b": true}')).toEqual({ kind: "object", members });
    expect(JSON.stringify(wireValue(readJson('{"b": 1.0, "__proto__": 1e2}')))).toBe('{"b":1.0,"__proto__":1e2}');
    expect(wireValue(readJson('{"b": 1, "b": "last"}'))).toEqual({ b: "last" });
  });

  it("reads half a character as Go does", () => {
    expect(wireValue(readJson('"\\ud800"'))).toBe("\ufffd");
  });

  it.each([
    ["", "unexpected end of JSON input", "EOF"],
    [" \n", "unexpected end of JSON input", "EOF"],
    ["[1,", "unexpected end of JSON input", "unexpected EOF"],
    ['"a', "unexpected end of JSON input", "unexpected EOF"],
    ["1 2", "invalid character '2' after top-level value", undefined],
    ["\u0007", "invalid character '\\a' looking for beginning of value", "same"],
    ["\u00a0", "invalid character 'Â' looking for beginning of value", "same"],
    ["😀", "invalid character 'ð' looking for beginning of value", "same"],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string", "same"],
  ])("says of %j what Go's Unmarshal says, and what its Decoder says", (text, whole, stream) => {
    expect(messageOf(() => readJson(text))).toBe(whole);
    expect(messageOf(() => readJsonStream(text))).toBe(stream === "same" ? whole : stream);
  });
});
