import { describe, expect, it } from "vitest";
import { coerceField } from "../../server/framework/coerce-field";
import type { FieldType } from "../../server/framework/field-type";
import { goDurationText } from "../../server/framework/go-duration";
import { goQuoted } from "../../server/framework/go-quoted";
import { readJson } from "../../server/framework/json-reader";
import { wireValue } from "../../server/framework/wire-value";

// [type, JSON, value or Vault's cause]; reference 1.3, each asked of Vault 1.21.1.
const notString = (type: string, value: string) =>
  `'' expected type 'string', got unconvertible type '${type}', value: '${value}'`;
const notBool = (text: string) => `cannot parse '' as bool: strconv.ParseBool: parsing "${text}": invalid syntax`;
const notInt = (text: string, why = "invalid syntax") =>
  `cannot parse '' as int: strconv.ParseInt: parsing "${text}": ${why}`;
const badElement = (index: number, type: string, value: string) =>
  `* '[${index}]' expected type 'string', got unconvertible type '${type}', value: '${value}'`;

type Case = [FieldType, string, { value: unknown } | { cause: string }];
const value = (result: unknown) => ({ value: result });
const cause = (text: string) => ({ cause: text });

const cases: Case[] = [
  ["string", "5.0", value("5.0")],
  ["string", "true", value("1")],
  ["string", "false", value("0")],
  ["string", "null", value("")],
  ["string", '["a"]', cause(notString("[]interface {}", "[a]"))],
  ["string", '{"b":[1,null],"a":true}', cause(notString("map[string]interface {}", "map[a:true b:[1 <nil>]]"))],
  ["lowerCaseString", '"MyRole"', value("myrole")],
  ["bool", '"T"', value(true)],
  ["bool", '""', value(false)],
  ["bool", "null", value(false)],
  ["bool", "1", value(true)],
  ["bool", "0", value(false)],
  ["bool", "1.0", cause(notBool("1.0"))],
  ["bool", "2", cause(notBool("2"))],
  ["bool", '"yes"', cause(notBool("yes"))],
  ["bool", "[]", cause("'' expected type 'bool', got unconvertible type '[]interface {}', value: '[]'")],
  ["int", '"010"', value(8)],
  ["int", '"0x10"', value(16)],
  ["int", '"0b11"', value(3)],
  ["int", '"1_000"', value(1000)],
  ["int", '"+5"', value(5)],
  ["int", "true", value(1)],
  ["int", '""', value(0)],
  ["int", "null", value(0)],
  ["int", "5.0", cause(notInt("5.0"))],
  ["int", '"08"', cause(notInt("08"))],
  ["int", '" 5"', cause(notInt(" 5"))],
  ["int", '"99999999999999999999"', cause(notInt("99999999999999999999", "value out of range"))],
  ["durationSecond", "null", value(undefined)],
  ["durationSecond", "60", value(60)],
  ["durationSecond", '"60"', value(60)],
  ["durationSecond", '"1h30m"', value(5400)],
  ["durationSecond", '"1.5h"', value(5400)],
  ["durationSecond", '".5h"', value(1800)],
  ["durationSecond", '"1500ms"', value(1)],
  ["durationSecond", '"999ms"', value(0)],
  ["durationSecond", '"2d"', value(172_800)],
  ["durationSecond", '""', value(0)],
  ["durationSecond", '"-500ms"', value(0)],
  ["durationSecond", "-1", cause("cannot provide negative value '-1'")],
  ["durationSecond", '"-5m"', cause("cannot provide negative value '-300'")],
  ["durationSecond", "1.5", cause('time: missing unit in duration "1.5"')],
  ["durationSecond", '"1w"', cause('time: unknown unit "w" in duration "1w"')],
  ["durationSecond", '"1hr"', cause('time: unknown unit "hr" in duration "1hr"')],
  ["durationSecond", '"1d2h"', cause('time: unknown unit "d" in duration "1d2h"')],
  ["durationSecond", '"abc"', cause('time: invalid duration "abc"')],
  ["durationSecond", '"１h"', cause('time: invalid duration "\\xef\\xbc\\x91h"')],
  ["durationSecond", '"xd"', cause('strconv.ParseInt: parsing "x": invalid syntax')],
  ["durationSecond", "true", cause("could not parse duration from input")],
  [
    "durationSecond",
    '"99999999999"',
    cause("multiplication of durations resulted in overflow, one operand may be too large"),
  ],
  ["signedDurationSecond", "-1", value(-1)],
  ["signedDurationSecond", '"-5m"', value(-300)],
  ["signedDurationSecond", '"-500ms"', value(0)],
  ["commaStringSlice", '"a, b"', value(["a", "b"])],
  ["commaStringSlice", '"a,,b"', value(["a", "", "b"])],
  ["commaStringSlice", '"a,"', value(["a", ""])],
  ["commaStringSlice", '""', value([])],
  ["commaStringSlice", '" "', value([""])],
  ["commaStringSlice", '["a,b"," c "]', value(["a,b", "c"])],
  ["commaStringSlice", "[1.50,true,null]", value(["1.50", "1", ""])],
  ["commaStringSlice", "5", value(["5"])],
  ["commaStringSlice", "true", value(["1"])],
  ["commaStringSlice", "{}", value([])],
  ["commaStringSlice", "null", value([])],
  ["commaStringSlice", '[["x"]]', cause(`1 error(s) decoding:\n\n${badElement(0, "[]interface {}", "[x]")}`)],
  [
    "commaStringSlice",
    '[{"a":1},["b"]]',
    cause(
      `2 error(s) decoding:\n\n${badElement(0, "map[string]interface {}", "map[a:1]")}\n${badElement(1, "[]interface {}", "[b]")}`,
    ),
  ],
  ["slice", '"x"', value(["x"])],
  ["slice", '{"a":"b"}', value([{ a: "b" }])],
  ["slice", "{}", value([])],
  ["slice", "null", value([])],
  ["map", "null", value(null)],
  ["map", "[]", value({})],
  ["map", '[{"a":"x"},{"b":"y"}]', value({ a: "x", b: "y" })],
  ["map", '"x"', cause("'' expected a map, got 'string'")],
  ["map", "5", cause("'' expected a map, got 'string'")],
  ["map", "true", cause("'' expected a map, got 'bool'")],
  ["map", '["x"]', cause("'[0]' expected a map, got 'string'")],
  ["kvPairs", '{"a":5,"b":true,"c":null}', value({ a: "5", b: "1", c: "" })],
  ["kvPairs", '["a=b","c=d=e"]', value({ a: "b", c: "d=e" })],
  ["kvPairs", '"a=b,c=d"', value({ a: "b,c=d" })],
  ["kvPairs", "[]", value({})],
  ["kvPairs", "null", value(null)],
  ["kvPairs", '""', cause('invalid key pair ""')],
  ["kvPairs", '["=a"]', cause('invalid key pair "=a"')],
  ["kvPairs", '{"a":{}}', cause(`1 error(s) decoding:\n\n${badElement(0, "map[string]interface {}", "map[a:map[]]")}`)],
];

describe("a field decodes as Vault decodes it", () => {
  it.each(cases)("%s %s", (type, json, expected) => {
    if ("value" in expected) expect(plain(coerceField(type, wireValue(readJson(json))))).toEqual(expected.value);
    else
      expect(() => coerceField(type, wireValue(readJson(json)))).toThrow(
        expect.objectContaining({ message: expected.cause }),
      );
  });
});

describe("Go's print forms", () => {
  it.each([
    [0, "0s"],
    [90, "1m30s"],
    [3600, "1h0m0s"],
    [86_400, "24h0m0s"],
    [-5, "-5s"],
  ])("%i seconds are %s", (seconds, text) => {
    expect(goDurationText(seconds)).toBe(text);
  });

  it.each([
    ['a"b\\', '"a\\"b\\\\"'],
    ["\t\n\x01", '"\\t\\n\\x01"'],
    ["é\u200b", '"é\\u200b"'],
  ])("%j is quoted as %s", (text, quoted) => {
    expect(goQuoted(text)).toBe(quoted);
  });
});

// Maps have no prototype, so that a member may have any name; the comparison does not mind.
function plain(result: unknown): unknown {
  return typeof result === "object" && result !== null ? JSON.parse(JSON.stringify(result)) : result;
}
