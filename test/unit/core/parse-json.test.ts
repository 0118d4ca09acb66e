import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inexactNumber } from "../../../provider/core/parse-json.ts";

describe("a number in a JSON text", () => {
  it.each([
    "0",
    "-0",
    "0e999",
    "1.50",
    "100",
    "1e2",
    "1E+2",
    "0.1",
    "-12.5e-3",
    "9007199254740991",
    "1e23",
    "1.7976931348623157e308",
    "5e-324",
  ])("that is %s stays what it is", (number) => {
    expect(inexactNumber(number)).toBeUndefined();
  });

  it.each([
    "12345678901234567890",
    "9007199254740993",
    "-9007199254740993",
    "1e400",
    "-1e400",
    "1e-400",
    "0.1000000000000000055511151231257827",
  ])("that is %s does not", (number) => {
    expect(inexactNumber(number)).toBe(number);
  });

  it.each([400, 100_000])("of %i digits does not, and is looked at soon", (length) => {
    for (const number of [`1${"0".repeat(length)}`, `${"0.".padEnd(length, "0")}1`]) {
      expect(inexactNumber(number)).toBe(number);
    }
  });

  it("is found wherever it stands, the first of several, and not in a text or in a name", () => {
    expect(inexactNumber('{"a":[{"b":1}],"c":{"d":[2,1e999,1e998]}}')).toBe("1e999");
    expect(inexactNumber('{"12345678901234567890":"12345678901234567890"}')).toBeUndefined();
  });

  it("that a program has printed stays what it is", () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(fc.property(finite, (number) => inexactNumber(JSON.stringify(number)) === undefined));
  });

  it("that no double is, is found", () => {
    const digits = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n });
    fc.assert(
      fc.property(digits, (whole) => {
        const isDouble = BigInt(Number(whole)) === whole;
        return isDouble || inexactNumber(String(whole)) === String(whole);
      }),
    );
  });
});
