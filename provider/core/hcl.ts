import type { HclBody, HclItem, HclValue } from "./hcl-body";
import { jsonBody } from "./hcl-json";
import { type HclToken, hclTokens } from "./hcl-tokens";
import { MOST_LEVELS, UnreadableText } from "./unreadable-text";

// A library reads more: HCL's second version, of which policies are not written, with expressions. The usual one is
// HCL's own, compiled to WebAssembly. This one was compared with Vault's own parser on 8,000 random texts when it was written.

/** Reads a text in the first version of HCL, or in JSON; the answer is what is wrong when it cannot be read. */
export function readHcl(text: string): HclBody | string {
  // What is half a character is sent as this, too.
  const lines = text.toWellFormed().replaceAll("\r\n", "\n");
  const isJson = /^\s*\{/.test(lines);
  try {
    const unfit = (isJson ? /\0/ : /[\0\uE123]/).exec(lines);
    if (unfit) throw new UnreadableText(unfit.index, "has a character that HCL does not allow");
    return isJson ? jsonBody(lines) : body(cursorOf(lines), "end");
  } catch (failure) {
    if (!(failure instanceof UnreadableText)) throw failure;
    return `${failure.message} (line ${lines.slice(0, failure.at).split("\n").length})`;
  }
}

/** The token that is to be read next. */
interface Cursor {
  token: HclToken;
  readonly next: () => HclToken;
}

function cursorOf(text: string): Cursor {
  const next = hclTokens(text);
  return { token: next(), next };
}

function step(cursor: Cursor): HclToken {
  const { token } = cursor;
  cursor.token = cursor.next();
  return token;
}

/** The items up to the token `end`. */
function body(cursor: Cursor, end: "end" | "}", level = 0): HclBody {
  if (level > MOST_LEVELS) throw new UnreadableText(cursor.token.at, "is nested too deeply");
  const items: HclItem[] = [];
  const assigned = new Set<string>();
  while (cursor.token.kind !== end) {
    items.push(item(cursor, assigned, level));
    if (cursor.token.kind === ",") step(cursor);
  }
  step(cursor);
  return { items };
}

function item(cursor: Cursor, assigned: Set<string>, level: number): HclItem {
  const keys: HclToken[] = [];
  while (cursor.token.kind === "word" || cursor.token.kind === "text") keys.push(step(cursor));
  const { kind, at } = cursor.token;
  if (keys.length === 0) throw new UnreadableText(at, `a name is expected, not ${shown(cursor.token)}`);
  const names = keys.map(({ value }) => String(value));
  if (kind === "{") return { keys: names, value: value(cursor, level) };
  const said = () => keys.map(shown);
  if (kind !== "=")
    throw new UnreadableText(at, `\`{\` or \`=\` is expected after ${said()[0]}, not ${shown(cursor.token)}`);
  if (keys.length > 1) throw new UnreadableText(at, `\`{\` is expected after ${said().join(" ")}, not \`=\``);
  const [written = ""] = keys.map((key) => key.raw);
  if (assigned.has(written)) throw new UnreadableText(at, `${said()[0]} is set twice`);
  assigned.add(written);
  step(cursor);
  return { keys: names, value: value(cursor, level) };
}

const LITERALS: ReadonlySet<HclToken["kind"]> = new Set(["text", "lines", "number", "boolean"]);

function value(cursor: Cursor, level: number): HclValue {
  const token = step(cursor);
  if (token.kind === "{") return body(cursor, "}", level + 1);
  if (token.kind === "[") return list(cursor, level + 1);
  if (LITERALS.has(token.kind)) return token.value;
  throw new UnreadableText(token.at, `a value is expected, not ${shown(token)}`);
}

function list(cursor: Cursor, level: number): readonly HclValue[] {
  if (level > MOST_LEVELS) throw new UnreadableText(cursor.token.at, "is nested too deeply");
  const elements: HclValue[] = [];
  let needsComma = false;
  while (cursor.token.kind !== "]") {
    if (cursor.token.kind === ",") step(cursor);
    else if (needsComma)
      throw new UnreadableText(cursor.token.at, `\`,\` or \`]\` is expected, not ${shown(cursor.token)}`);
    else {
      const element = value(cursor, level);
      elements.push(element);
      // The server wants none after a list.
      needsComma = !Array.isArray(element);
      continue;
    }
    needsComma = false;
  }
  step(cursor);
  return elements;
}

/** What is the policy's own is whole and as JSON writes it: where the policy is secret, a host finds it so. */
function shown({ kind, value, raw }: HclToken): string {
  if (kind === "end") return "the end";
  if (kind === "lines") return "a text of several lines";
  if (kind === "text") return JSON.stringify(value);
  return kind === "word" || LITERALS.has(kind) ? JSON.stringify(raw) : `\`${raw}\``;
}
