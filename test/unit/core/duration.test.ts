import { describe, expect, it } from "vitest";
import {
  formatDuration,
  formatNanoseconds,
  parseDuration,
  parseNanoseconds,
  parseWrittenDuration,
} from "../../../provider/core/duration";
import { fc } from "../../support/fast-check.ts";

const SECONDS: readonly [value: string | number, seconds: number][] = [
  [0, 0],
  [3600, 3600],
  ["", 0],
  ["60", 60],
  ["+60", 60],
  ["90s", 90],
  ["1h30m", 5400],
  ["1h0m0s", 3600],
  ["1.5h", 5400],
  // 1.15 has no exact binary form: the server counts digits, not floats.
  ["1.15h", 4140],
  ["2.3m", 138],
  ["1.h", 3600],
  [".5h", 1800],
  [".25h", 900],
  ["12.5h", 45_000],
  ["30m1h", 5400],
  ["1500ms", 1],
  ["999ms", 0],
  ["999999us", 0],
  ["1000000µs", 1],
  ["1000000μs", 1],
  ["1000000000ns", 1],
  ["500ms500ms", 1],
  ["7d", 604_800],
  ["0d", 0],
  [" 1h ", 3600],
  // A fraction of a second is cut before the sign is looked at.
  ["-500ms", 0],
  [9_223_372_036, 9_223_372_036],
];

const REFUSED: readonly [value: string | number, reason: RegExp][] = [
  [-1, /must not be negative/],
  ["-1", /must not be negative/],
  ["-5m", /must not be negative/],
  ["-1d", /must not be negative/],
  [1.5, /must be whole seconds/],
  [Number.NaN, /must be whole seconds/],
  [Number.POSITIVE_INFINITY, /must be whole seconds/],
  ["1.5", /is not a duration/],
  ["1w", /is not a duration/],
  ["1hr", /is not a duration/],
  ["abc", /is not a duration/],
  ["1d2h", /is not a duration/],
  ["1.5d", /is not a duration/],
  ["1H", /is not a duration/],
  ["1 h", /is not a duration/],
  [".h", /is not a duration/],
  ["h", /is not a duration/],
  ["--1h", /is not a duration/],
  ["0x10", /is not a duration/],
  [`${"1".repeat(100_000)}x`, /is not a duration/],
  [9_223_372_037, /is too long/],
  ["9999999999h", /is too long/],
  ["99999999999d", /is too long/],
];

describe("a duration, in the servers' grammar", () => {
  it.each(SECONDS)("reads %j as %d seconds", (value, seconds) => {
    expect(parseDuration(value)).toBe(seconds);
  });

  it.each(REFUSED)("refuses %j", (value, reason) => {
    expect(parseDuration(value)).toMatch(reason);
  });

  it("says what is allowed where the form is wrong", () => {
    expect(parseDuration("1w")).toBe(
      "is not a duration; allowed is a number of seconds, or a duration such as 90s, 15m, 1h30m or 7d",
    );
  });

  it.each([
    [-1, -1],
    ["-1", -1],
    ["-5m", -300],
    ["-1d", -86_400],
    ["-500ms", 0],
  ] as const)("reads %j as %d seconds where the field has a sign", (value, seconds) => {
    expect(parseDuration(value, { signed: true })).toBe(seconds);
  });
});

describe("a duration that a person writes", () => {
  it.each(["0.9s", "999ms", "1ns", ".5s", "0.0001m", "0h999ms"])("%s would become 0 and is refused", (value) => {
    expect(parseWrittenDuration(value)).toBe(
      "must be whole seconds: the servers cut it to 0, which means no limit or their default",
    );
    expect(parseWrittenDuration(`-${value}`, { signed: true })).toMatch(/^must be whole seconds/);
  });

  it.each([
    [0, 0],
    ["", 0],
    ["0", 0],
    ["0s", 0],
    ["0h0m0.0s", 0],
    ["0d", 0],
    ["1.5h", 5400],
    ["90m", 5400],
    // Cut, as the servers do, and still a limit.
    ["1500ms", 1],
    ["1.5s", 1],
  ])("%j is %d seconds", (value, seconds) => {
    expect(parseWrittenDuration(value)).toBe(seconds);
  });
});

describe("a duration that is not cut to seconds", () => {
  it.each([
    ["", 0n],
    ["60", 60_000_000_000n],
    ["-1", -1_000_000_000n],
    ["+2d", 172_800_000_000_000n],
    ["500ms", 500_000_000n],
    ["1.5s", 1_500_000_000n],
    ["-1ns", -1n],
    ["0.1ns", 0n],
    ["9223372036854775807ns", 2n ** 63n - 1n],
  ])("reads %j as %d nanoseconds", (text, nanoseconds) => {
    expect(parseNanoseconds(text)).toBe(nanoseconds);
  });

  it.each([" 60 ", " 1s", "1.5", "1e3", "1d2h", "9223372036854775808ns", "99999999999", "106752d"])(
    "refuses %j",
    (text) => {
      expect(parseNanoseconds(text)).toMatch(/^is (not a duration|too long)/);
    },
  );

  it.each([
    [0n, "0s"],
    [90_000_000n, "0.09s"],
    [-1_500_000_000n, "-1.5s"],
    [5_400_000_000_001n, "1h30m0.000000001s"],
  ])("of %d nanoseconds has the text %s", (nanoseconds, text) => {
    expect(formatNanoseconds(nanoseconds)).toBe(text);
  });

  it("reads back as the same nanoseconds", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n - 2n ** 63n, max: 2n ** 63n - 1n }), (nanoseconds) => {
        expect(parseNanoseconds(formatNanoseconds(nanoseconds))).toBe(nanoseconds);
      }),
    );
  });
});

describe("the text of a duration", () => {
  it.each([
    [0, "0s"],
    [90, "1m30s"],
    [3600, "1h"],
    [5400, "1h30m"],
    [86_401, "24h1s"],
    [-300, "-5m"],
  ])("of %d seconds is %s", (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it("reads back as the same seconds", () => {
    fc.assert(
      fc.property(fc.integer({ min: -9_223_372_036, max: 9_223_372_036 }), (seconds) => {
        expect(parseDuration(formatDuration(seconds), { signed: true })).toBe(seconds);
      }),
    );
  });

  it("reads back whatever units it is written in", () => {
    const units = fc.record({ h: fc.nat(1000), m: fc.nat(1000), s: fc.nat(1000) });
    fc.assert(
      fc.property(units, ({ h, m, s }) => {
        expect(parseDuration(`${h}h${m}m${s}s`)).toBe(h * 3600 + m * 60 + s);
      }),
    );
  });
});
