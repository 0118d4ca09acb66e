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

/** Says why an element of a list cannot be there; undefined where it can. */
type ElementProblem = (element: ExactJson) => string | undefined;

/** Reads a JSON text. @throws UnreadableText */
export function readExactJson(text: string, elementProblem: ElementProblem = () => undefined): ExactJson {
  const reader: Reader = { text, at: 0, elementProblem };
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
  readonly elementProblem: ElementProblem;
  at: number;
}

const MARK = /[{}[\],:]/y;
const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
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
  const written = mark === undefined ? (taken(reader, TEXT) ?? taken(reader, LITERAL)) : undefined;
  if (written === undefined) throw notJson(reader);
  return literalOf(written, reader);
}

function memberAt(reader: Reader, level: number): readonly [string, ExactJson] {
  const name = taken(reader, TEXT);
  if (name === undefined || taken(reader, MARK) !== ":") throw notJson(reader);
  return [String(literalOf(name, reader)), valueAt(reader, level)];
}

function elementAt(reader: Reader, level: number): ExactJson {
  const element = valueAt(reader, level);
  const problem = reader.elementProblem(element);
  if (problem !== undefined) throw new UnreadableText(reader.at, problem);
  return element;
}

/** What is between the marks of a list or an object, with commas in between. */
function separated<T>(reader: Reader, end: "}" | "]", next: () => T): T[] {
  const found: T[] = [];
  const start = reader.at;
  if (taken(reader, MARK) === end) return found;
  reader.at = start;
  for (;;) {
    found.push(next());
    const mark = taken(reader, MARK);
    if (mark === end) return found;
    if (mark !== ",") throw notJson(reader);
  }
}

function literalOf(written: string, reader: Reader): ExactJson {
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === "number") return { written, value };
    return typeof value === "string" || typeof value === "boolean" ? value : null;
  } catch {
    throw notJson(reader);
  }
}

function notJson({ at }: Reader): UnreadableText {
  return new UnreadableText(at, "is not JSON");
}
