import { type HclBody, HclFailure, type HclItem, type HclValue, isHclBody, MOST_LEVELS } from "./hcl-body";

/**
 * JSON as a body of HCL. `JSON.parse` keeps one of two members with one name; the server has both, and a policy that says
 * more than it shows must not be read as less.
 */
export function jsonBody(text: string): HclBody {
  const reader: Reader = { text, at: 0 };
  const value = jsonValue(reader, 0);
  if (taken(reader, MARK) !== undefined || reader.at < text.length) throw notJson(reader);
  return isHclBody(value) ? flattened(value) : { items: [] };
}

interface Reader {
  readonly text: string;
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

function jsonValue(reader: Reader, level: number): HclValue {
  if (level > MOST_LEVELS) throw new HclFailure(reader.at, "is nested too deeply");
  const mark = taken(reader, MARK);
  if (mark === "{") return { items: separated(reader, "}", () => member(reader, level + 1)) };
  if (mark === "[") return separated(reader, "]", () => jsonValue(reader, level + 1));
  const literal = mark === undefined ? (taken(reader, TEXT) ?? taken(reader, LITERAL)) : undefined;
  if (literal === undefined) throw notJson(reader);
  return literalOf(literal, reader);
}

function member(reader: Reader, level: number): HclItem {
  const name = taken(reader, TEXT);
  if (name === undefined || taken(reader, MARK) !== ":") throw notJson(reader);
  return { keys: [String(literalOf(name, reader))], value: jsonValue(reader, level) };
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

function literalOf(written: string, reader: Reader): string | number | boolean {
  try {
    const value: unknown = JSON.parse(written);
    // HCL has no null: the server takes it for an empty text.
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : "";
  } catch {
    throw notJson(reader);
  }
}

function notJson({ at }: Reader): HclFailure {
  return new HclFailure(at, "is not JSON");
}

/**
 * The items in HCL's form: an object that holds nothing but objects is one entry for each of these, with both keys, and a
 * list of nothing but objects is one for each. `{ "path": { "a": { … } } }` is `path "a" { … }`.
 */
function flattened({ items }: HclBody): HclBody {
  return { items: items.flatMap(unfolded).map(({ keys, value }) => ({ keys, value: within(value) })) };
}

function unfolded({ keys, value }: HclItem): readonly HclItem[] {
  if (typeof value !== "object") return [{ keys, value }];
  if (!isHclBody(value)) {
    if (value.length === 0 || !value.every(isHclBody)) return [{ keys, value }];
    return value.flatMap((element) => unfolded({ keys, value: element }));
  }
  const inner = value.items;
  if (inner.length === 0 || !inner.every((item) => isHclBody(item.value))) return [{ keys, value }];
  return inner.flatMap((item) => unfolded({ keys: [...keys, ...item.keys], value: item.value }));
}

function within(value: HclValue): HclValue {
  if (typeof value !== "object") return value;
  return isHclBody(value) ? flattened(value) : value.map(within);
}
