/**
 * Reads the part of HCL that policies are written in: blocks with labels, assignments, strings, numbers, booleans, lists,
 * objects and comments.
 */
export type HclValue = string | number | boolean | readonly HclValue[] | HclBody;

export interface HclItem {
  readonly keys: readonly string[];
  readonly value: HclValue;
  readonly line: number;
  /** Where the value begins, as `line:column`. */
  readonly valueAt: string;
}

export interface HclBody {
  readonly items: readonly HclItem[];
}

/** HCL that cannot be read; the message carries Vault's position form `At line:column: …`. */
export class HclFailure extends Error {}

interface Cursor {
  readonly text: string;
  at: number;
}

export function readHcl(text: string): HclBody {
  const cursor = { text, at: 0 };
  const body = readItems(cursor, "");
  return body;
}

export function isHclBody(value: HclValue): value is HclBody {
  return typeof value === "object" && "items" in value;
}

function readItems(cursor: Cursor, end: "" | "}"): HclBody {
  const items: HclItem[] = [];
  for (;;) {
    skipBlanks(cursor, ",");
    if (peek(cursor) === end) {
      cursor.at += end.length;
      return { items };
    }
    if (peek(cursor) === "") throw failure(cursor, "object expected closing RBRACE got: EOF");
    items.push(readItem(cursor));
  }
}

function readItem(cursor: Cursor): HclItem {
  const keys: string[] = [];
  const start = cursor.at;
  for (;;) {
    skipBlanks(cursor);
    const character = peek(cursor);
    if (character === "=" || character === "{") break;
    const key = character === '"' ? readString(cursor) : readWord(cursor);
    if (key === undefined) {
      const reason =
        keys.length === 0
          ? `illegal character`
          : `key '${keys.join(" ")}' expected start of object ('{') or assignment ('=')`;
      throw failure(cursor, reason);
    }
    keys.push(key);
  }
  if (keys.length === 0) throw failure(cursor, "illegal character");
  if (peek(cursor) === "=") cursor.at += 1;
  skipBlanks(cursor);
  const { line, column } = position(cursor.text, cursor.at);
  const valueAt = `${line}:${column}`;
  return { keys, value: readValue(cursor), line: position(cursor.text, start).line, valueAt };
}

function readValue(cursor: Cursor): HclValue {
  skipBlanks(cursor);
  const character = peek(cursor);
  if (character === '"') return readString(cursor);
  if (character === "[") return readList(cursor);
  if (character === "{") {
    cursor.at += 1;
    return readItems(cursor, "}");
  }
  const word = readWord(cursor);
  if (word === "true" || word === "false") return word === "true";
  if (word !== undefined && /^-?\d/.test(word)) return Number(word);
  throw failure(cursor, "Unknown token");
}

function readList(cursor: Cursor): readonly HclValue[] {
  cursor.at += 1;
  const elements: HclValue[] = [];
  for (;;) {
    skipBlanks(cursor, ",");
    if (peek(cursor) === "]") {
      cursor.at += 1;
      return elements;
    }
    if (peek(cursor) === "") throw failure(cursor, "error parsing list, expected comma or list end, got: EOF");
    elements.push(readValue(cursor));
  }
}

function readString(cursor: Cursor): string {
  const match = /"((?:[^"\\\n]|\\.)*)"/y;
  match.lastIndex = cursor.at;
  const found = match.exec(cursor.text);
  if (found === null) throw failure(cursor, "literal not terminated");
  cursor.at = match.lastIndex;
  return (found[1] ?? "").replace(/\\(.)/g, (_, letter: string) => ({ n: "\n", t: "\t", r: "\r" })[letter] ?? letter);
}

function readWord(cursor: Cursor): string | undefined {
  const match = /[\w.-]+/y;
  match.lastIndex = cursor.at;
  const word = match.exec(cursor.text)?.[0];
  if (word !== undefined) cursor.at = match.lastIndex;
  return word;
}

function skipBlanks(cursor: Cursor, also = ""): void {
  for (;;) {
    const blank = /(?:\s+|(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\/)+/y;
    blank.lastIndex = cursor.at;
    if (blank.exec(cursor.text) !== null) cursor.at = blank.lastIndex;
    if (also === "" || peek(cursor) !== also) return;
    cursor.at += 1;
  }
}

function peek(cursor: Cursor): string {
  return cursor.text[cursor.at] ?? "";
}

function failure(cursor: Cursor, reason: string): HclFailure {
  const { line, column } = position(cursor.text, cursor.at);
  return new HclFailure(`At ${line}:${column}: ${reason}`);
}

// HCL's scanner counts columns from 1 and stands two further once the text has ended.
function position(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + (at >= text.length ? 2 : 1) };
}
