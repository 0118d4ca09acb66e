import { JsonFailure } from "./json-failure";
import { scanNumber, scanString } from "./json-scanner";
import { numberFromText, type WireValue } from "./wire-value";

// The limits of Vault 1.21.4's body limiter (reference 1.2).
const maxDepth = 300;
const maxStringBytes = 1024 * 1024;
const maxArrayElements = 10_000;
const maxObjectEntries = 10_000;

interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
}

/**
 * Reads a JSON text with numbers kept as text and Vault's limits applied.
 * @throws JsonFailure with Go's wording of what is wrong.
 */
export function readJson(text: string): WireValue {
  const cursor: Cursor = { text, at: 0, depth: 0 };
  const value = readValue(cursor);
  const next = peek(cursor);
  if (next !== "") throw limiterFailure(`invalid character ${quoted(next)} after top-level value`);
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
  if (character === "") throw endOfText(cursor);
  throw limiterFailure(`invalid character ${quoted(character)} looking for beginning of value`);
}

function readObject(cursor: Cursor): WireValue {
  enter(cursor);
  // No prototype: a body may hold a member called `__proto__`.
  const members: Record<string, WireValue> = Object.create(null);
  let count = 0;
  if (peek(cursor) === "}") return leave(cursor, members);
  for (;;) {
    const start = peek(cursor);
    if (start === "") throw endOfText(cursor);
    if (start !== '"') {
      // The limiter's two wordings for a key that is none: after a comma it names the pair before it.
      const reason = count > 0 ? "after object key-value pair" : "looking for beginning of value";
      throw limiterFailure(`invalid character ${quoted(start)} ${reason}`);
    }
    const key = readString(cursor);
    if (key in members) throw limiterFailure(`duplicate key '${key}' in object`);
    count += 1;
    if (count > maxObjectEntries) throw limiterFailure("JSON object exceeds allowed entry count");
    const colon = peek(cursor);
    if (colon === "") throw endOfText(cursor);
    if (colon !== ":") throw new JsonFailure(`invalid character ${quoted(colon)} after object key`, "decoder");
    cursor.at += 1;
    members[key] = readValue(cursor);
    const separator = peek(cursor);
    if (separator === "}") return leave(cursor, members);
    if (separator === "") throw endOfText(cursor);
    if (separator !== ",") throw limiterFailure(`invalid character ${quoted(separator)} after object key:value pair`);
    cursor.at += 1;
  }
}

function readArray(cursor: Cursor): WireValue {
  enter(cursor);
  const elements: WireValue[] = [];
  if (peek(cursor) === "]") return leave(cursor, elements);
  for (;;) {
    if (elements.length > 0 && peek(cursor) === "]") {
      throw limiterFailure("invalid character ']' after array element");
    }
    elements.push(readValue(cursor));
    if (elements.length > maxArrayElements) throw limiterFailure("JSON array exceeds allowed element count");
    const separator = peek(cursor);
    if (separator === "]") return leave(cursor, elements);
    if (separator === "") throw endOfText(cursor);
    if (separator !== ",") throw limiterFailure(`invalid character ${quoted(separator)} after array element`);
    cursor.at += 1;
  }
}

function readString(cursor: Cursor): string {
  const { value, end } = scanString(cursor.text, cursor.at);
  if (Buffer.byteLength(value) > maxStringBytes) throw limiterFailure("JSON string value exceeds allowed length");
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
    const character = cursor.text[cursor.at + index];
    if (character === undefined) throw endOfText(cursor);
    if (character !== literal[index]) {
      const reason = `in literal ${literal} (expecting ${quoted(literal[index] ?? "")})`;
      throw new JsonFailure(`invalid character ${quoted(character)} ${reason}`, "decoder");
    }
  }
  cursor.at += literal.length;
  return value;
}

function enter(cursor: Cursor): void {
  cursor.depth += 1;
  if (cursor.depth > maxDepth) throw limiterFailure("JSON input exceeds allowed nesting depth");
  cursor.at += 1;
}

function leave<T>(cursor: Cursor, value: T): T {
  cursor.depth -= 1;
  cursor.at += 1;
  return value;
}

function peek(cursor: Cursor): string {
  while (" \t\r\n".includes(cursor.text[cursor.at] ?? "x")) cursor.at += 1;
  return cursor.text[cursor.at] ?? "";
}

function endOfText(cursor: Cursor): JsonFailure {
  return cursor.depth > 0
    ? limiterFailure("malformed JSON, unclosed containers")
    : new JsonFailure("unexpected EOF", "decoder");
}

function limiterFailure(message: string): JsonFailure {
  return new JsonFailure(message, "limiter");
}

// Go prints a character in single quotes, escaping the quote itself.
function quoted(character: string): string {
  return character === "'" ? `'\\''` : `'${character}'`;
}
