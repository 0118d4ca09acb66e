import { MOST_LEVELS, UnreadableText } from "./unreadable-text";

/** A JSON value without loss: `JSON.parse` keeps one of two members with one name, and rounds numbers. */
export type ExactJson = string | boolean | null | JsonNumber | readonly ExactJson[] | JsonObject;

export interface JsonNumber {
  /** As it is written. */
  readonly written: string;
  /** The nearest that JavaScript can hold. */
  readonly value: number;
}

export interface JsonObject {
  /** In the order of the text; a name can occur more than once. */
  readonly members: readonly (readonly [name: string, value: ExactJson])[];
}

/** In what a reader of JSON differs from the standard. */
export interface JsonDialect {
  /** Reads the text whose first quote is there. @throws UnreadableText */
  readonly textAt: (text: string, start: number) => { readonly value: string; readonly end: number };
  /** Whether a comma can be there before the end of a list or an object. */
  readonly hasLastCommas: boolean;
  /** Says why an element of a list cannot be there; undefined where it can. */
  readonly elementProblem: (element: ExactJson) => string | undefined;
}

/** Reads a JSON text. @throws UnreadableText */
export function readExactJson(text: string, dialect: JsonDialect = STANDARD): ExactJson {
  const reader: Reader = { text, at: 0, dialect };
  const value = valueAt(reader, 0);
  if (taken(reader, MARK) !== undefined || reader.at < text.length) throw notJson(reader);
  return value;
}

export function isJsonNumber(value: ExactJson): value is JsonNumber {
  return typeof value === "object" && value !== null && "written" in value;
}

export function isJsonObject(value: ExactJson): value is JsonObject {
  return typeof value === "object" && value !== null && "members" in value;
}

interface Reader {
  readonly text: string;
  readonly dialect: JsonDialect;
  at: number;
}

const STANDARD: JsonDialect = { textAt: standardText, hasLastCommas: false, elementProblem: () => undefined };
const MARK = /[{}[\],:]/y;
const QUOTE = /"/y;
const LITERAL = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const BLANK = /[ \t\n\r]*/y;

function taken(reader: Reader, pattern: RegExp): string | undefined {
  for (const each of [BLANK, pattern]) {
    each.lastIndex = reader.at;
    const found = each.exec(reader.text)?.[0];
    if (found === undefined) return undefined;
    reader.at += found.length;
    if (each === pattern) return found;
  }
  return undefined;
}

function valueAt(reader: Reader, level: number): ExactJson {
  if (level > MOST_LEVELS) throw new UnreadableText(reader.at, "is nested too deeply");
  const mark = taken(reader, MARK);
  if (mark === "{") return { members: separated(reader, "}", () => memberAt(reader, level + 1)) };
  if (mark === "[") return separated(reader, "]", () => elementAt(reader, level + 1));
  const value = mark === undefined ? (textAt(reader) ?? literalAt(reader)) : undefined;
  if (value === undefined) throw notJson(reader);
  return value;
}

function memberAt(reader: Reader, level: number): readonly [string, ExactJson] {
  const name = textAt(reader);
  if (name === undefined || taken(reader, MARK) !== ":") throw notJson(reader);
  return [name, valueAt(reader, level)];
}

function elementAt(reader: Reader, level: number): ExactJson {
  const element = valueAt(reader, level);
  const problem = reader.dialect.elementProblem(element);
  if (problem !== undefined) throw new UnreadableText(reader.at, problem);
  return element;
}

/** What is between the marks of a list or an object, with commas in between. */
function separated<T>(reader: Reader, end: "}" | "]", next: () => T): T[] {
  const found: T[] = [];
  for (let comma = true; ; ) {
    const start = reader.at;
    const mark = taken(reader, MARK);
    if (mark === end && (!comma || found.length === 0 || reader.dialect.hasLastCommas)) return found;
    if (comma) {
      reader.at = start;
      found.push(next());
    } else if (mark !== ",") throw notJson(reader);
    comma = !comma;
  }
}

function textAt(reader: Reader): string | undefined {
  if (taken(reader, QUOTE) === undefined) return undefined;
  const { value, end } = reader.dialect.textAt(reader.text, reader.at - 1);
  reader.at = end;
  return value;
}

function standardText(text: string, start: number): { readonly value: string; readonly end: number } {
  // Part by part: one expression for all of a text would need a stack in proportion to it.
  const part = /["\\]/g;
  part.lastIndex = start + 1;
  for (;;) {
    const found = part.exec(text);
    if (found === null) throw notJson({ at: start });
    if (found[0] === '"') break;
    part.lastIndex += 1;
  }
  const end = part.lastIndex;
  return { value: String(parsed(text.slice(start, end), end)), end };
}

function literalAt(reader: Reader): ExactJson | undefined {
  const written = taken(reader, LITERAL);
  if (written === undefined) return undefined;
  const value = parsed(written, reader.at);
  return typeof value === "number" ? { written, value } : value === null ? null : Boolean(value);
}

function parsed(written: string, at: number): unknown {
  try {
    return JSON.parse(written);
  } catch {
    throw notJson({ at });
  }
}

function notJson({ at }: { readonly at: number }): UnreadableText {
  return new UnreadableText(at, "is not JSON");
}
