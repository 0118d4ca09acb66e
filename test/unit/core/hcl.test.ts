// @run test: generated values by the dozen

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHcl } from "../../../provider/core/hcl";
import { type HclValue, isHclBody, isHclNumber } from "../../../provider/core/hcl-body";

/** A body as pairs of keys and value. */
function shown(value: HclValue): unknown {
  if (typeof value !== "object") return value;
  if (isHclNumber(value)) return value.value;
  return isHclBody(value) ? value.items.map((item) => [item.keys.join(" "), shown(item.value)]) : value.map(shown);
}

function read(text: string): unknown {
  const body = readHcl(text);
  return typeof body === "string" ? body : shown(body);
}

// What is expected here was asked of the parser that Vault 1.21.1 uses.
describe("HCL", () => {
  it.each([
    ['a "b" { c = 1 }', [["a b", [["c", 1]]]]],
    ["a = [1, 2.5, -3, 0x1F, 010, true,]", [["a", [1, 2.5, -3, 31, 8, true]]]],
    ["a = [[1] [2]]", [["a", [[1], [2]]]]],
    [
      "# c\na = 1 // d\n/* e\n */ b = 2",
      [
        ["a", 1],
        ["b", 2],
      ],
    ],
    [
      "a { b = 1, c = 2 }",
      [
        [
          "a",
          [
            ["b", 1],
            ["c", 2],
          ],
        ],
      ],
    ],
    ['a = "\\"\\\\\\n\\u00e9\\x41\\101\\U0001F511"', [["a", '"\\\n\u00e9AA\u{1F511}']]],
    // A byte that is no character is half a surrogate here, which no text has.
    ['a = "\\xe9\\351 \\xc3\\xa9"', [["a", "\udce9\udce9 \u00e9"]]],
    ['a = "\udce9\\ud83d"', [["a", "\ufffd\ufffd"]]],
    ["a = [9007199254740993, 1e999]", [["a", [9007199254740992, Number.POSITIVE_INFINITY]]]],
    [
      '{"a": [1,], "b": {"c": 2,},}',
      [
        ["a", [1]],
        ["b", [["c", 2]]],
      ],
    ],
    [
      '{"a": "\\a\\v\\101\\x41\\xe9 \\xc3\\xa9\\u00e9\\U0001F511\t\\"$ \ue123"}',
      [["a", '\u0007\vAA\udce9 \u00e9\u00e9\u{1F511}\t"$ \ue123']],
    ],
    ['{"a": [9007199254740993, 1e999]}', [["a", [9007199254740992, Number.POSITIVE_INFINITY]]]],
    [`a = "\${b "c" {d}} $ $e"`, [["a", `\${b "c" {d}} $ $e`]]],
    ["a = <<EOF\nb\n c\nEOF\n", [["a", "b\n c\n"]]],
    [
      "a = <<-EOF\n  b\n   c\n  EOF\nd = 1",
      [
        ["a", "b\n c\n"],
        ["d", 1],
      ],
    ],
    ["a = <<-EOF\n b\n  c\n   EOF\n", [["a", " b\n  c\n"]]],
    [
      "a {}\r\na {}\r\n",
      [
        ["a", []],
        ["a", []],
      ],
    ],
    [
      "__proto__ = 1\nconstructor { toString = 2 }",
      [
        ["__proto__", 1],
        ["constructor", [["toString", 2]]],
      ],
    ],
    ["", []],
    [
      '{"a": {"b": {"c": 1}, "d": {}}, "e": [1, "2"], "f": null}',
      [
        ["a b", [["c", 1]]],
        ["a d", []],
        ["e", [1, "2"]],
        ["f", ""],
      ],
    ],
    [
      '{"a": [{"b": {"c": 1}}, {"b": {"c": 2}}]}',
      [
        ["a b", [["c", 1]]],
        ["a b", [["c", 2]]],
      ],
    ],
    [
      '{"a": 1, "a": 2, "__proto__": {"x": 3}}',
      [
        ["a", 1],
        ["a", 2],
        ["__proto__", [["x", 3]]],
      ],
    ],
  ])("%j is read", (text, body) => {
    expect(read(text)).toEqual(body);
  });

  it.each([
    ["a", '`{` or `=` is expected after "a", not the end (line 1)'],
    ["a =", "a value is expected, not the end (line 1)"],
    ["a b = 1", '`{` is expected after "a" "b", not `=` (line 1)'],
    ["a = b", 'a value is expected, not "b" (line 1)'],
    ["a = 1\n\na = 2", '"a" is set twice (line 3)'],
    ["a = [1 2]", '`,` or `]` is expected, not "2" (line 1)'],
    ["a {\n b = 1", "a name is expected, not the end (line 2)"],
    ['a = "b', "the text in quotes does not end (line 1)"],
    ['a = "b\n"', "the text in quotes does not end (line 1)"],
    ['a = "\\q"', "unknown escape in a text (line 1)"],
    ["a = 08", "illegal octal number (line 1)"],
    ["/* a", "the comment does not end (line 1)"],
    ["a = <<EOF\nb\n", 'the text does not end: there is no line "EOF" (line 1)'],
    ["a = <<-EOF\nb\nEOF\n", 'the text does not end: there is no line "EOF" (line 1)'],
    ["<<A\nb\nA\n {}", "a name is expected, not a text of several lines (line 1)"],
    ["a = \0", "has a character that HCL does not allow (line 1)"],
    ["a ; b", "illegal character (line 1)"],
    ['{"a": 1} b', "is not JSON (line 1)"],
    ['{"a":\n"\\/"}', "unknown escape in a text (line 2)"],
    ['{"a": "\\400"}', "unknown escape in a text (line 1)"],
    ['a = "\\400"', "unknown escape in a text (line 1)"],
    ['{"a": "\\ud83d\\ude00"}', "has half a character as an escape, which the server does not read in JSON (line 1)"],
    ['{"a": "b\nc"}', "the text in quotes does not end (line 1)"],
    ['{"a": "b\0"}', "has a character that HCL does not allow (line 1)"],
    ['{"a": 1,,}', "is not JSON (line 1)"],
    ['{"a": [1', "is not JSON (line 1)"],
    ['{"a": [null]}', "has null in a list (line 1)"],
    ['{"a":\n [true]}', "has true in a list, which the server leaves out of JSON (line 2)"],
    ['{"a": [[1]]}', "has a list in a list, which the server does not read in JSON (line 1)"],
  ])("%j is refused", (text, reason) => {
    expect(read(text)).toBe(reason);
  });

  it("is read to a depth that no stack is too small for", () => {
    const deep = (open: string, close: string) => `a = ${open.repeat(100_000)}${close.repeat(100_000)}`;
    for (const text of [deep("[", "]"), deep("{a=", "}"), `{"a":${"[".repeat(100_000)}`, '{"a":'.repeat(100_000)])
      expect(read(text)).toBe("is nested too deeply (line 1)");
  });

  it("takes time in proportion to the text, whatever is in it", () => {
    const mean = ['"', "/*", "<<A\n", "{", "[", "a ", "\\", "${", "# ", "a={},", '"a" {', ",", '{"a":1,', "0x"];
    for (const part of mean) {
      const text = `a = ${part.repeat(200_000 / part.length)}`;
      const start = performance.now();
      for (const each of [text, part.repeat(200_000 / part.length), `{"a": ${text}`]) readHcl(each);
      expect(performance.now() - start, part).toBeLessThan(2_000);
    }
  });

  it("reads a text of 16 MB", () => {
    const long = "\\n".repeat(8 * 2 ** 20);
    expect(typeof readHcl(`{"a": "${long}"}`)).toBe("object");
  });

  it("answers for every text", () => {
    const mixed = fc.array(fc.constantFrom(..."ab\"'{}[]=,\n \\$#/*<-0.9é{"), { maxLength: 40 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          mixed.map((parts) => parts.join("")),
        ),
        (text) => {
          const body = readHcl(text);
          expect(["string", "object"]).toContain(typeof body);
        },
      ),
    );
  });
});
