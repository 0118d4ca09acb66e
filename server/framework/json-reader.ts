import { goQuoted } from "./go-quoted";
import { JsonFailure } from "./json-failure";

/** JSON with all that Go's decoder sees, and `JSON.parse` drops: the order of members, repeated members, numbers as written. */
export type JsonNode =
  | { readonly kind: "object"; readonly members: readonly (readonly [string, JsonNode])[] }
  | { readonly kind: "array"; readonly elements: readonly JsonNode[] }
  | { readonly kind: "string" | "number"; readonly text: string }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "null" };

interface Cursor {
  readonly text: string;
  /** What Go says when the text ends too early. */
  readonly endText: string;
  at: number;
  depth: number;
}

// Go's limit is 10,000, which would not fit on the stack; no request of the APIs nests deeper than three.
const maxDepth = 1_000;

/**
 * Reads a text that holds one JSON value, as Go's `json.Unmarshal` does.
 * @throws JsonFailure in Go's words
 */
export function readJson(text: string): JsonNode {
  const cursor = { text, endText: "unexpected end of JSON input", at: 0, depth: 0 };
  const node = readValue(cursor);
  if (skipBlanks(cursor) !== undefined) throw unexpected(cursor, "after top-level value");
  return node;
}

/**
 * Reads the first JSON value of a text, as Go's `json.Decoder` reads a body; what follows the value is ignored.
 * @throws JsonFailure in Go's words
 */
export function readJsonStream(text: string): JsonNode {
  const endText = /^[ \t\r\n]*$/.test(text) ? "EOF" : "unexpected EOF";
  return readValue({ text, endText, at: 0, depth: 0 });
}

function readValue(cursor: Cursor): JsonNode {
  const first = skipBlanks(cursor);
  if (first === "{" || first === "[") return readContainer(cursor, first);
  if (first === '"') return { kind: "string", text: readString(cursor) };
  if (first === "t") return readLiteral(cursor, "true", { kind: "bool", value: true });
  if (first === "f") return readLiteral(cursor, "false", { kind: "bool", value: false });
  if (first === "n") return readLiteral(cursor, "null", { kind: "null" });
  if (first !== undefined && /[-\d]/.test(first)) return readNumber(cursor);
  throw unexpected(cursor, "looking for beginning of value");
}

function readContainer(cursor: Cursor, first: "{" | "["): JsonNode {
  cursor.depth += 1;
  if (cursor.depth > maxDepth) throw unexpected(cursor, "exceeded max depth");
  cursor.at += 1;
  const node: JsonNode =
    first === "{"
      ? { kind: "object", members: readMembers(cursor) }
      : { kind: "array", elements: readElements(cursor) };
  cursor.depth -= 1;
  return node;
}

function readMembers(cursor: Cursor): (readonly [string, JsonNode])[] {
  const members: (readonly [string, JsonNode])[] = [];
  if (take(cursor, "}")) return members;
  for (;;) {
    if (skipBlanks(cursor) !== '"') throw unexpected(cursor, "looking for beginning of object key string");
    const key = readString(cursor);
    if (!take(cursor, ":")) throw unexpected(cursor, "after object key");
    members.push([key, readValue(cursor)]);
    if (take(cursor, "}")) return members;
    if (!take(cursor, ",")) throw unexpected(cursor, "after object key:value pair");
  }
}

function readElements(cursor: Cursor): JsonNode[] {
  const elements: JsonNode[] = [];
  if (take(cursor, "]")) return elements;
  for (;;) {
    elements.push(readValue(cursor));
    if (take(cursor, "]")) return elements;
    if (!take(cursor, ",")) throw unexpected(cursor, "after array element");
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids these in a string
const plainRun = /[^"\\\0-\x1f]*/y;

function readString(cursor: Cursor): string {
  const start = cursor.at;
  cursor.at += 1;
  for (;;) {
    plainRun.lastIndex = cursor.at;
    plainRun.test(cursor.text);
    cursor.at = plainRun.lastIndex;
    const character = cursor.text[cursor.at];
    if (character !== '"' && character !== "\\") throw unexpected(cursor, "in string literal");
    cursor.at += 1;
    if (character === '"') break;
    skipEscape(cursor);
  }
  const text: unknown = JSON.parse(cursor.text.slice(start, cursor.at));
  return String(text).toWellFormed();
}

function skipEscape(cursor: Cursor): void {
  const letter = cursor.text[cursor.at];
  if (letter === undefined || !'"\\/bfnrtu'.includes(letter)) throw unexpected(cursor, "in string escape code");
  cursor.at += 1;
  if (letter !== "u") return;
  for (let digits = 0; digits < 4; digits += 1) {
    if (!/[\da-fA-F]/.test(cursor.text[cursor.at] ?? "")) {
      throw unexpected(cursor, "in \\u hexadecimal character escape");
    }
    cursor.at += 1;
  }
}

function readLiteral(cursor: Cursor, literal: string, node: JsonNode): JsonNode {
  for (const expected of literal) {
    if (cursor.text[cursor.at] !== expected) {
      throw unexpected(cursor, `in literal ${literal} (expecting '${expected}')`);
    }
    cursor.at += 1;
  }
  return node;
}

function readNumber(cursor: Cursor): JsonNode {
  const start = cursor.at;
  if (cursor.text[cursor.at] === "-") cursor.at += 1;
  if (cursor.text[cursor.at] === "0") cursor.at += 1;
  else skipDigits(cursor, "in numeric literal");
  if (cursor.text[cursor.at] === ".") {
    cursor.at += 1;
    skipDigits(cursor, "after decimal point in numeric literal");
  }
  if (/[eE]/.test(cursor.text[cursor.at] ?? "")) {
    cursor.at += 1;
    if (/[+-]/.test(cursor.text[cursor.at] ?? "")) cursor.at += 1;
    skipDigits(cursor, "in exponent of numeric literal");
  }
  return { kind: "number", text: cursor.text.slice(start, cursor.at) };
}

function skipDigits(cursor: Cursor, place: string): void {
  if (!/\d/.test(cursor.text[cursor.at] ?? "")) throw unexpected(cursor, place);
  while (/\d/.test(cursor.text[cursor.at] ?? "")) cursor.at += 1;
}

function take(cursor: Cursor, wanted: string): boolean {
  if (skipBlanks(cursor) !== wanted) return false;
  cursor.at += 1;
  return true;
}

function skipBlanks(cursor: Cursor): string | undefined {
  while (" \t\r\n".includes(cursor.text[cursor.at] ?? "x")) cursor.at += 1;
  return cursor.text[cursor.at];
}

/** Go's scanner works on bytes: its errors name a character by its first one, `é` as `Ã`. */
function unexpected({ text, at, endText }: Cursor, place: string): JsonFailure {
  const code = text.codePointAt(at);
  if (code === undefined) return new JsonFailure(endText);
  const character = Buffer.from(String.fromCodePoint(code)).toString("latin1", 0, 1);
  const shown = character === "'" ? "\\'" : character === '"' ? '"' : goQuoted(character).slice(1, -1);
  return new JsonFailure(`invalid character '${shown}' ${place}`);
}
