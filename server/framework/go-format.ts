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

/** Go sorts strings by their bytes; JavaScript's own order differs beyond the basic plane only. */
export function compareBytes(a: string, b: string): number {
  if (surrogate.test(a) || surrogate.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const surrogate = /[\ud800-\udfff]/;
