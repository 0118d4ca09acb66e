import { decode, ExtData, encode } from "@msgpack/msgpack";
import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../../../provider/core/unknowns";
import {
  hasUnknownRaw,
  isEqual,
  messageOf,
  plainOf,
  rawOf,
  recordIn,
  UNKNOWN_RAW,
} from "../../../provider/hosts/terraform/value";
import { fc } from "../../support/fast-check";

const sent = (raw: unknown) => recordIn(messageOf({ value: raw }).msgpack)?.["value"];

/** What a program can give where any type is allowed. */
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.array(tie("value")),
    fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      tie("value"),
      { noNullPrototype: true },
    ),
  ),
})).value;

describe("a value in a message", () => {
  it("comes back as it was, whatever its type", () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(plainOf("dynamic", sent(rawOf("dynamic", value)))).toEqual(value);
      }),
    );
  });

  it("goes back as it came: a map stays a map, and a set a set", () => {
    const type = new TextEncoder().encode('["map",["set","string"]]');
    const record = { value: [type, { a: ["x", "y"] }], other: null, large: 12345678901234567n };
    const message = messageOf(record).msgpack;
    expect(decode(messageOf(recordIn(message)).msgpack, { useBigInt64: true })).toEqual(record);
    expect(plainOf("dynamic", recordIn(message)?.["value"])).toEqual({ a: ["x", "y"] });
  });

  it("is unknown with hints at what it will be, and without", () => {
    const refined = new ExtData(12, encode({ 1: false }));
    for (const raw of [UNKNOWN_RAW, refined]) {
      expect(plainOf("string", sent(raw))).toBe(UNKNOWN);
      expect(plainOf(["list", "string"], sent(["a", raw]))).toEqual(["a", UNKNOWN]);
      expect(hasUnknownRaw(sent({ deep: [raw] }))).toBe(true);
    }
    expect(hasUnknownRaw(sent({ deep: [null, "a"] }))).toBe(false);
    expect(sent(rawOf("number", UNKNOWN))).toEqual(UNKNOWN_RAW);
  });

  it("has every member of its type, null where there is none", () => {
    const type = ["object", { a: "string", b: ["list", "number"] }] as const;
    expect(rawOf(type, { a: 5 })).toEqual({ a: "5", b: null });
    expect(plainOf(type, { a: null, b: [1] })).toEqual({ b: [1] });
  });

  it.each([
    ["text that says it exactly", "0.1", 0.1],
    ["64 bits that a double holds", 2n ** 40n, 2 ** 40],
    ["a whole number", 7, 7],
  ])("is a number from %s", (_, raw, number) => {
    expect(plainOf("number", raw)).toBe(number);
  });

  it.each(["9007199254740993", 9007199254740993n, 2n ** 63n, "1e400"])("is refused as the number %s", (raw) => {
    expect(() => plainOf("number", raw)).toThrow(/too large/);
  });

  it("tells no record from one without values", () => {
    expect(recordIn(messageOf(undefined).msgpack)).toBeUndefined();
    expect(recordIn(new Uint8Array())).toBeUndefined();
    expect(recordIn(messageOf({}).msgpack)).toEqual({});
    expect(isEqual({ a: 1, b: [null] }, { b: [null], a: 1 })).toBe(true);
    expect(isEqual({ a: 1 }, { a: null })).toBe(false);
  });
});
