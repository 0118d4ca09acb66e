import { createScanner, HclFailure, type Position, positioned, type Scanner, type Token } from "./hcl-scanner";

/*
 * Reads HCL, in which policies are written: blocks with labels, assignments, texts, numbers, booleans, lists, objects and
 * comments. Its errors are those of HCL's own parser.
 */

export type HclNode =
  | (Position & { readonly kind: "literal"; readonly type: LiteralType; readonly text: string })
  | (Position & { readonly kind: "list"; readonly elements: readonly HclNode[] })
  | HclObject;

export type LiteralType = "STRING" | "HEREDOC" | "NUMBER" | "FLOAT" | "BOOL";

export interface HclObject extends Position {
  readonly kind: "object";
  readonly items: readonly HclItem[];
}

export interface HclItem {
  readonly keys: readonly string[];
  readonly value: HclNode;
  /** Of the equals sign; 0 for a block. */
  readonly line: number;
}

// HCL has no limit of its own. No policy nests deeper than five.
const maxDepth = 100;

/** What the parser looks at: the present token, and whether it is to be taken once more. */
interface Cursor {
  readonly scanner: Scanner;
  readonly isJson: boolean;
  readonly takesRepeatedKeys: boolean;
  token: Token;
  isKept: boolean;
  depth: number;
}

/** Reads a whole text, HCL or JSON. @throws HclFailure */
export function readHcl(text: string, { takesRepeatedKeys = false } = {}): HclObject {
  const isJson = text.trimStart().startsWith("{");
  const scanner = createScanner(text, { json: isJson });
  const start: Token = { type: "ILLEGAL", text: "", line: 1, column: 1 };
  const cursor: Cursor = {
    scanner,
    isJson,
    takesRepeatedKeys: isJson || takesRepeatedKeys,
    token: start,
    isKept: false,
    depth: 0,
  };
  try {
    if (isJson) scan(cursor);
    const items = readItems(cursor, isJson);
    return { kind: "object", line: 1, column: 1, items: isJson ? flattened(items) : items };
  } catch (failure) {
    throw (failure instanceof HclFailure ? scanner.failure() : undefined) ?? failure;
  }
}

function scan(cursor: Cursor): Token {
  if (cursor.isKept) cursor.isKept = false;
  else cursor.token = cursor.scanner.next();
  return cursor.token;
}

function peek(cursor: Cursor): Token {
  const token = scan(cursor);
  cursor.isKept = true;
  return token;
}

function failAt(place: Position, reason: string): HclFailure {
  return new HclFailure(`${positioned(place)}${reason}`);
}

function readItems(cursor: Cursor, isInObject: boolean): readonly HclItem[] {
  const items: HclItem[] = [];
  const seen = new Set<string>();
  while (!(isInObject && peek(cursor).type === "RBRACE")) {
    const item = readItem(cursor, seen);
    if (item === undefined) break;
    items.push(item);
    if (peek(cursor).type === "COMMA") scan(cursor);
  }
  const failure = cursor.scanner.failure();
  if (failure !== undefined) throw failure;
  return items;
}

function readItem(cursor: Cursor, seen: Set<string>): HclItem | undefined {
  const keys = readKeys(cursor);
  if (keys === undefined) return undefined;
  const { token } = cursor;
  if (token.type === "LBRACE") return { keys: keys.map(textOf), value: readObject(cursor), line: 0 };
  const value = readValue(cursor);
  if (value === undefined) return undefined;
  if (!cursor.takesRepeatedKeys) refuseRepeated(keys, seen);
  return { keys: keys.map(textOf), value, line: token.line };
}

function refuseRepeated(keys: readonly Token[], seen: Set<string>): void {
  for (const { text, line, column } of keys) {
    if (seen.has(text)) {
      const told = `The argument ${JSON.stringify(text)} at ${line}:${column} was already set`;
      throw new HclFailure(`${told}. Each argument can only be defined once`);
    }
    seen.add(text);
  }
}

/** The keys before `=` or `{`, which is then the present token; `undefined` where the text has ended. */
function readKeys(cursor: Cursor): readonly Token[] | undefined {
  const keys: Token[] = [];
  for (;;) {
    const token = scan(cursor);
    switch (token.type) {
      case "IDENT":
      case "STRING":
        keys.push(token);
        break;
      case "EOF":
        if (keys.length === 0) return undefined;
        throw unassigned(keys, token);
      case "ASSIGN":
        if (keys.length === 0) throw failAt(token, "no object keys found!");
        if (keys.length > 1) throw failAt(token, "nested object expected: LBRACE got: ASSIGN");
        return keys;
      case "LBRACE":
        if (keys.length === 0) throw failAt(token, "expected: IDENT | STRING got: LBRACE");
        return keys;
      case "RBRACE":
        if (keys.length > 0) throw unassigned(keys, token);
        throw failAt(token, "expected: IDENT | STRING | ASSIGN | LBRACE got: RBRACE");
      case "ILLEGAL":
        throw failAt(token, "illegal character");
      default:
        if (cursor.isJson) throw new HclFailure(`expected: STRING got: ${token.type}`);
        throw failAt(token, `expected: IDENT | STRING | ASSIGN | LBRACE got: ${token.type}`);
    }
  }
}

function unassigned(keys: readonly Token[], token: Token): HclFailure {
  const named = keys.map(({ text }) => text).join(" ");
  return failAt(token, `key '${named}' expected start of object ('{') or assignment ('=')`);
}

function readValue(cursor: Cursor): HclNode | undefined {
  const token = scan(cursor);
  if (token.type === "EOF") return undefined;
  const value = readAny(cursor, token);
  if (value !== undefined) return value;
  // JSON's null is an empty text.
  if (cursor.isJson && token.text === "null") return { kind: "literal", type: "STRING", text: "", ...nowhere };
  throw failAt(token, `Unknown token: ${token.line}:${token.column} ${token.type} ${token.text}`);
}

function readAny(cursor: Cursor, token: Token): HclNode | undefined {
  if (token.type === "LBRACE") return readObject(cursor);
  return token.type === "LBRACK" ? readList(cursor) : literal(cursor, token);
}

function readObject(cursor: Cursor): HclObject {
  const { token } = cursor;
  enter(cursor);
  const items = readItems(cursor, true);
  const end = scan(cursor);
  if (end.type !== "RBRACE" && !cursor.isJson) throw failAt(end, `object expected closing RBRACE got: ${end.type}`);
  cursor.depth -= 1;
  return { kind: "object", items: cursor.isJson ? flattened(items) : items, ...placeIn(cursor, token) };
}

function readList(cursor: Cursor): HclNode {
  const { token } = cursor;
  enter(cursor);
  const elements: HclNode[] = [];
  for (let needsComma = false; ; ) {
    const next = scan(cursor);
    if (next.type === "RBRACK") break;
    if (next.type === "COMMA") {
      needsComma = false;
      continue;
    }
    if (needsComma) throw failAt(next, `error parsing list, expected comma or list end, got: ${next.type}`);
    const element = readAny(cursor, next);
    if (element === undefined) throw failAt(next, `unexpected token while parsing list: ${next.type}`);
    elements.push(element);
    needsComma = next.type !== "LBRACK";
  }
  cursor.depth -= 1;
  return { kind: "list", elements, ...placeIn(cursor, token) };
}

function enter(cursor: Cursor): void {
  cursor.depth += 1;
  if (cursor.depth > maxDepth) {
    throw failAt(cursor.token, `nested deeper than the ${maxDepth} levels that the embedded server supports`);
  }
}

function literal(cursor: Cursor, token: Token): HclNode | undefined {
  const { type } = token;
  if (type !== "STRING" && type !== "HEREDOC" && type !== "NUMBER" && type !== "FLOAT" && type !== "BOOL") {
    return undefined;
  }
  return { kind: "literal", type, text: textOf(token), ...placeIn(cursor, token) };
}

const nowhere: Position = { line: 0, column: 0 };

/** The values of JSON have no place in errors. */
function placeIn({ isJson }: Cursor, { line, column }: Position): Position {
  return isJson ? nowhere : { line, column };
}

/** In JSON, an object of nothing but objects and a list of nothing but objects are blocks with one label more. */
function flattened(items: readonly HclItem[]): readonly HclItem[] {
  return items.flatMap((item): readonly HclItem[] => {
    const { keys, value, line } = item;
    if (value.kind === "list" && value.elements.length > 0 && value.elements.every(isObject)) {
      return flattened(value.elements.map((element) => ({ keys, line, value: element })));
    }
    if (!isObject(value) || value.items.length === 0 || !value.items.every((inner) => isObject(inner.value))) {
      return [item];
    }
    return flattened(value.items.map((inner) => ({ ...inner, keys: [...keys, ...inner.keys], line })));
  });
}

function isObject(node: HclNode): node is HclObject {
  return node.kind === "object";
}

/** What a token stands for. */
function textOf({ type, text }: Token): string {
  if (type === "HEREDOC") return heredocText(text);
  if (type !== "STRING") return text;
  // What is in `${…}` stays as it is written.
  return text.slice(1, -1).replace(/\$\{[^}]*\}|\\(?:x(..)|u(....)|U(.{8})|([0-7]{3})|(.))/g, unescaped);
}

const letterEscapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function unescaped(whole: string, x?: string, u?: string, long?: string, octal?: string, letter?: string): string {
  const code = octal === undefined ? Number.parseInt(x ?? u ?? long ?? "", 16) : Number.parseInt(octal, 8);
  if (letter !== undefined) return Object.hasOwn(letterEscapes, letter) ? (letterEscapes[letter] ?? "") : letter;
  return whole.startsWith("${") || Number.isNaN(code) || code > 0x10ffff ? whole : String.fromCodePoint(code);
}

function heredocText(text: string): string {
  const [head = "", ...lines] = text.replace(/\n$/, "").split("\n");
  const indent = lines.pop()?.match(/^\s*/)?.[0] ?? "";
  const isIndented = head.startsWith("<<-") && lines.every((line) => line.startsWith(indent));
  return lines.map((line) => `${isIndented ? line.slice(indent.length) : line}\n`).join("");
}
