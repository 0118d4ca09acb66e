import { goQuoted } from "../framework/go-format";

/** JSON with what Go's decoder sees and JavaScript's forgets: the order of members, and members that repeat. */
export type JsonNode =
  | { readonly kind: "object"; readonly members: readonly (readonly [string, JsonNode])[] }
  | { readonly kind: "array"; readonly elements: readonly JsonNode[] }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "number" | "bool" | "null" };

/** A text that is not JSON, in the words of Go's encoding/json. `atEnd`: it only lacks its rest. */
export class JsonSyntaxFailure extends Error {
  readonly atEnd: boolean;

  constructor(message: string, { atEnd = false }: { atEnd?: boolean } = {}) {
    super(message);
    this.atEnd = atEnd;
  }
}

/** Bytes as one character each: Go's scanner works on bytes, and names the first byte of `é` in its errors. */
interface Cursor {
  readonly bytes: string;
  at: number;
  depth: number;
}

// Go's limit is 10,000, which would not fit on the stack; no request of the API nests deeper than three.
const maxDepth = 1_000;

/**
 * Reads the first JSON value of a text.
 * @throws JsonSyntaxFailure
 */
export function readJsonNode(text: string): { readonly node: JsonNode; readonly rest: string } {
  const cursor = { bytes: Buffer.from(text).toString("latin1"), at: 0, depth: 0 };
  const node = readValue(cursor);
  skipBlanks(cursor);
  return { node, rest: cursor.bytes.slice(cursor.at) };
}

/** Go's description of a character that does not belong where it stands. */
export function unexpected(character: string | undefined, place: string): JsonSyntaxFailure {
  if (character === undefined) return new JsonSyntaxFailure("unexpected end of JSON input", { atEnd: true });
  const shown = character === "'" ? "\\'" : character === '"' ? '"' : goQuoted(character).slice(1, -1);
  return new JsonSyntaxFailure(`invalid character '${shown}' ${place}`);
}

function readValue(cursor: Cursor): JsonNode {
  const first = skipBlanks(cursor);
  if (first === "{" || first === "[") return readContainer(cursor, first);
  if (first === '"') return { kind: "string", text: readString(cursor) };
  if (first === "t") return readLiteral(cursor, "true", { kind: "bool" });
  if (first === "f") return readLiteral(cursor, "false", { kind: "bool" });
  if (first === "n") return readLiteral(cursor, "null", { kind: "null" });
  if (first !== undefined && /[-\d]/.test(first)) return readNumber(cursor);
  throw unexpected(first, "looking for beginning of value");
}

function readContainer(cursor: Cursor, first: "{" | "["): JsonNode {
  cursor.depth += 1;
  if (cursor.depth > maxDepth) throw unexpected(first, "exceeded max depth");
  const node = first === "{" ? readObject(cursor) : readArray(cursor);
  cursor.depth -= 1;
  return node;
}

function readObject(cursor: Cursor): JsonNode {
  const members: (readonly [string, JsonNode])[] = [];
  cursor.at += 1;
  if (skipBlanks(cursor) === "}") return closed(cursor, { kind: "object", members });
  for (;;) {
    const quote = skipBlanks(cursor);
    if (quote !== '"') throw unexpected(quote, "looking for beginning of object key string");
    const key = readString(cursor);
    const colon = skipBlanks(cursor);
    if (colon !== ":") throw unexpected(colon, "after object key");
    cursor.at += 1;
    members.push([key, readValue(cursor)]);
    const separator = skipBlanks(cursor);
    if (separator === "}") return closed(cursor, { kind: "object", members });
    if (separator !== ",") throw unexpected(separator, "after object key:value pair");
    cursor.at += 1;
  }
}

function readArray(cursor: Cursor): JsonNode {
  const elements: JsonNode[] = [];
  cursor.at += 1;
  if (skipBlanks(cursor) === "]") return closed(cursor, { kind: "array", elements });
  for (;;) {
    elements.push(readValue(cursor));
    const separator = skipBlanks(cursor);
    if (separator === "]") return closed(cursor, { kind: "array", elements });
    if (separator !== ",") throw unexpected(separator, "after array element");
    cursor.at += 1;
  }
}

function readString(cursor: Cursor): string {
  const start = cursor.at;
  cursor.at += 1;
  for (;;) {
    const character = cursor.bytes[cursor.at];
    if (character === undefined || character < " ") throw unexpected(character, "in string literal");
    cursor.at += 1;
    if (character === '"') break;
    if (character === "\\") skipEscape(cursor);
  }
  const text: unknown = JSON.parse(Buffer.from(cursor.bytes.slice(start, cursor.at), "latin1").toString("utf8"));
  return String(text).toWellFormed();
}

function skipEscape(cursor: Cursor): void {
  const letter = cursor.bytes[cursor.at];
  if (letter === undefined || !'"\\/bfnrtu'.includes(letter)) throw unexpected(letter, "in string escape code");
  cursor.at += 1;
  if (letter !== "u") return;
  for (let digits = 0; digits < 4; digits += 1) {
    const digit = cursor.bytes[cursor.at];
    if (digit === undefined || !/[\da-fA-F]/.test(digit)) {
      throw unexpected(digit, "in \\u hexadecimal character escape");
    }
    cursor.at += 1;
  }
}

function readLiteral(cursor: Cursor, literal: string, node: JsonNode): JsonNode {
  for (const expected of literal) {
    const character = cursor.bytes[cursor.at];
    if (character !== expected) throw unexpected(character, `in literal ${literal} (expecting '${expected}')`);
    cursor.at += 1;
  }
  return node;
}

function readNumber(cursor: Cursor): JsonNode {
  if (cursor.bytes[cursor.at] === "-") cursor.at += 1;
  if (cursor.bytes[cursor.at] === "0") cursor.at += 1;
  else readDigits(cursor, "in numeric literal");
  if (cursor.bytes[cursor.at] === ".") {
    cursor.at += 1;
    readDigits(cursor, "after decimal point in numeric literal");
  }
  if (/[eE]/.test(cursor.bytes[cursor.at] ?? "")) {
    cursor.at += 1;
    if (/[+-]/.test(cursor.bytes[cursor.at] ?? "")) cursor.at += 1;
    readDigits(cursor, "in exponent of numeric literal");
  }
  return { kind: "number" };
}

function readDigits(cursor: Cursor, place: string): void {
  const first = cursor.bytes[cursor.at];
  if (first === undefined || !/\d/.test(first)) throw unexpected(first, place);
  while (/\d/.test(cursor.bytes[cursor.at] ?? "")) cursor.at += 1;
}

function closed(cursor: Cursor, node: JsonNode): JsonNode {
  cursor.at += 1;
  return node;
}

function skipBlanks(cursor: Cursor): string | undefined {
  while (" \t\r\n".includes(cursor.bytes[cursor.at] ?? "x")) cursor.at += 1;
  return cursor.bytes[cursor.at];
}
