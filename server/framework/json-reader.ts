import { JsonFailure } from "./json-failure";
import { goCharacter, scanNumber, scanString } from "./json-scanner";
import { numberFromText, type WireValue } from "./wire-value";

interface Cursor {
  readonly text: string;
  at: number;
}

/**
 * Reads a JSON text with numbers kept as text. With `trailing: "ignored"` only the first value counts, as for Go's stream
 * decoder, which Vault reads bodies with.
 * @throws JsonFailure with Go's wording of what is wrong.
 */
export function readJson(text: string, { trailing = "refused" }: { trailing?: "refused" | "ignored" } = {}): WireValue {
  const cursor: Cursor = { text, at: 0 };
  const value = readValue(cursor);
  const next = peek(cursor);
  if (next !== "" && trailing === "refused") throw invalid(next, "after top-level value");
  return value;
}

function readValue(cursor: Cursor): WireValue {
  const character = peek(cursor);
  if (character === "{") return readObject(cursor);
  if (character === "[") return readArray(cursor);
  if (character === '"') return readString(cursor);
  if (character === "-" || (character >= "0" && character <= "9")) return readNumber(cursor);
  if (character === "t") return readLiteral(cursor, "true", true);
  if (character === "f") return readLiteral(cursor, "false", false);
  if (character === "n") return readLiteral(cursor, "null", null);
  throw invalid(character, "looking for beginning of value");
}

function readObject(cursor: Cursor): WireValue {
  cursor.at += 1;
  // No prototype: a body may hold a member called `__proto__`.
  const members: Record<string, WireValue> = Object.create(null);
  if (take(cursor, "}")) return members;
  for (;;) {
    if (peek(cursor) !== '"') throw invalid(peek(cursor), "looking for beginning of object key string");
    const key = readString(cursor);
    if (!take(cursor, ":")) throw invalid(peek(cursor), "after object key");
    members[key] = readValue(cursor);
    if (take(cursor, "}")) return members;
    if (!take(cursor, ",")) throw invalid(peek(cursor), "after object key:value pair");
  }
}

function readArray(cursor: Cursor): WireValue {
  cursor.at += 1;
  const elements: WireValue[] = [];
  if (take(cursor, "]")) return elements;
  for (;;) {
    elements.push(readValue(cursor));
    if (take(cursor, "]")) return elements;
    if (!take(cursor, ",")) throw invalid(peek(cursor), "after array element");
  }
}

function readString(cursor: Cursor): string {
  const { value, end } = scanString(cursor.text, cursor.at);
  cursor.at = end;
  return value;
}

function readNumber(cursor: Cursor): WireValue {
  const { value, end } = scanNumber(cursor.text, cursor.at);
  cursor.at = end;
  return numberFromText(value);
}

function readLiteral<T extends WireValue>(cursor: Cursor, literal: string, value: T): T {
  for (let index = 1; index < literal.length; index += 1) {
    const character = cursor.text[cursor.at + index] ?? "";
    if (character !== literal[index]) {
      throw invalid(character, `in literal ${literal} (expecting ${goCharacter(literal[index] ?? "")})`);
    }
  }
  cursor.at += literal.length;
  return value;
}

function take(cursor: Cursor, wanted: string): boolean {
  if (peek(cursor) !== wanted) return false;
  cursor.at += 1;
  return true;
}

function peek(cursor: Cursor): string {
  while (" \t\r\n".includes(cursor.text[cursor.at] ?? "x")) cursor.at += 1;
  return cursor.text[cursor.at] ?? "";
}

function invalid(character: string, place: string): JsonFailure {
  return new JsonFailure(character === "" ? "unexpected EOF" : `invalid character ${goCharacter(character)} ${place}`);
}
