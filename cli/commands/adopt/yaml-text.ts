import { doubleQuoted } from "../../text/quoted";

const REFERENCE = Symbol("reference");

/** A text that stands in the file as it is: a reference that this package has made. */
export interface Reference {
  readonly [REFERENCE]: string;
}

export function reference(text: string): Reference {
  return { [REFERENCE]: text };
}

function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && REFERENCE in value;
}

/** The lines of a value in YAML, without an indent. A text of a server is quoted unless nothing of it could be anything else. */
export function yamlLines(value: unknown): string[] {
  if (isReference(value)) return [value[REFERENCE]];
  if (typeof value === "string") return textLines(value);
  if (Array.isArray(value))
    return value.length === 0 ? ["[]"] : value.flatMap((item) => hanging("- ", yamlLines(item)));
  if (typeof value !== "object" || value === null) return [JSON.stringify(value)];
  const entries = Object.entries(value);
  return entries.length === 0 ? ["{}"] : entries.flatMap(([name, member]) => memberLines(name, member));
}

function memberLines(name: string, value: unknown): string[] {
  const lines = yamlLines(value);
  const [first = "", ...rest] = lines;
  const key = scalar(name);
  const isNested = typeof value === "object" && value !== null && !isReference(value) && !/^(\[\]|\{\})$/.test(first);
  if (isNested) return [`${key}:`, ...indented(lines)];
  return [`${key}: ${first}`, ...rest];
}

/** Text of several lines stands line by line where each of them is plain. */
function textLines(text: string): string[] {
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const lines = body.split("\n");
  const isPlain = lines.length > 2 && lines.every((line) => /^([\x20-\x7e]*[\x21-\x7e])?$/.test(line));
  // The first line tells the indent of all.
  if (!isPlain || !/^\S/.test(lines[0] ?? "") || lines.at(-1) === "") return [scalar(text)];
  return [text.endsWith("\n") ? "|" : "|-", ...indented(lines)];
}

/** A text that could be read as nothing else stands without quotes. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z]([\w ./-]*[\w./-])?$/.test(text) && !WORDS.test(text);
  return isPlain ? text : doubleQuoted(text);
}

const WORDS = /^(y|n|yes|no|on|off|true|false|null)$/i;

function hanging(mark: string, [first = "", ...rest]: readonly string[]): string[] {
  return [mark + first, ...indented(rest)];
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}
