import { isNumberText, isWireList, type WireValue } from "./wire-value";

/** Prints a value as Go's `%v` does; error texts of the framework carry values in this form. */
export function goValueText(value: WireValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (isNumberText(value)) return value.rawJSON;
  if (isWireList(value)) return `[${value.map(goValueText).join(" ")}]`;
  const entries = Object.entries(value).sort(([a], [b]) => compareBytes(a, b));
  return `map[${entries.map(([key, member]) => `${key}:${goValueText(member)}`).join(" ")}]`;
}

/** The Go type name that error texts print for a decoded JSON value. */
export function goTypeName(value: WireValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isNumberText(value)) return "json.Number";
  return isWireList(value) ? "[]interface {}" : "map[string]interface {}";
}

/** The name that Go's JSON decoder gives a kind of value in its errors. */
export function goJsonName(value: WireValue): string {
  if (isNumberText(value)) return "number";
  if (isWireList(value)) return "array";
  return typeof value === "object" ? "object" : goTypeName(value);
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** Prints a string as Go's `%q` does, or as `%+q`, which escapes all that is not ASCII. */
export function goQuoted(text: string, { ascii = false }: { ascii?: boolean } = {}): string {
  const escaped = Array.from(text, (character) => {
    const short = shortEscapes[character];
    if (short !== undefined) return short;
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, "0")}`;
    if (ascii && code > 0x7f) return unicodeEscape(code);
    return /[\p{C}\p{Z}]/u.test(character) && character !== " " ? unicodeEscape(code) : character;
  });
  return `"${escaped.join("")}"`;
}

function unicodeEscape(code: number): string {
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** Go sorts strings by their bytes; JavaScript's own order differs beyond the basic plane only. */
export function compareBytes(a: string, b: string): number {
  if (surrogate.test(a) || surrogate.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const surrogate = /[\ud800-\udfff]/;
