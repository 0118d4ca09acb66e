import { hclQuoted } from "../../text/quoted";
import { hclKey } from "./hcl-text";

/** An expression of HCL: a text that stands as it is, or something that may take several lines. */
export type Expression =
  | string
  | { readonly list: readonly Expression[] }
  | { readonly object: readonly Assignment[]; readonly isTall?: boolean }
  | { readonly call: string; readonly of: Expression }
  | { readonly document: string };

/** `name = expression`. The name of an attribute is this package's own; that of an object's member is anybody's. */
export interface Assignment {
  readonly name: string;
  readonly value: Expression;
}

const WIDTH = 100;
const STEP = "  ";

/** Any value of JSON. */
export function hclLiteral(value: unknown): Expression {
  if (typeof value === "string") return hclDocument(value);
  if (Array.isArray(value)) return { list: value.map(hclLiteral) };
  if (typeof value === "object" && value !== null)
    return { object: Object.entries(value).map(([name, member]) => ({ name, value: hclLiteral(member) })) };
  return JSON.stringify(value) ?? "null";
}

/** A long text stands line by line, where each line is plain. The first one has no space before it: it tells the indent of all. */
function hclDocument(text: string): Expression {
  const lines = text.replace(/\n$/, "").split("\n");
  const isPlain = lines.length > 2 && lines.every((line) => /^([\x20-\x7e]*[\x21-\x7e])?$/.test(line));
  const isMarked = /^\S/.test(lines[0] ?? "") && lines.at(-1) !== "";
  const isOnlyText = !/[$%]\{/.test(text) && lines.every((line) => line.trim() !== END);
  return isPlain && isMarked && isOnlyText ? { document: text } : hclQuoted(text);
}

const END = "EOT";

/** A block with these lines of assignments; a blank line stands between the groups. */
export function hclBlock(head: string, groups: readonly (readonly Assignment[])[]): string {
  const bodies = groups.filter((group) => group.length > 0).map((group) => aligned(group, STEP, (name) => name));
  return `${head} {\n${bodies.join("\n")}}\n`;
}

/** Assignments, one below the other. Those of one line each have their signs in one column, as `terraform fmt` wants it. */
function aligned(assignments: readonly Assignment[], indent: string, keyOf: (name: string) => string): string {
  const lines = assignments.map(({ name, value }) => {
    const key = keyOf(name);
    const text = fitted(value, indent, indent.length + key.length + 3);
    return { key, text, width: columns(key), isOneLine: isBalanced(text), isOpen: text.includes("\n") };
  });
  const groups: (typeof lines)[] = [];
  let group: typeof lines = [];
  for (const line of lines) {
    if (!line.isOneLine) {
      groups.push(group, [line]);
      group = [];
      continue;
    }
    group.push(line);
    if (!line.isOpen) continue;
    groups.push(group);
    group = [];
  }
  return [...groups, group]
    .flatMap((each) => {
      const widest = Math.max(...each.map(({ width }) => width));
      return each.map(({ key, text, width }) => `${indent}${key}${" ".repeat(widest - width)} = ${text}\n`);
    })
    .join("");
}

/** Whether the first line closes what it opens. */
function isBalanced(text: string): boolean {
  return !text.includes("\n") || text.startsWith("<<");
}

/** How many columns a formatter counts. */
function columns(text: string): number {
  return [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)].length;
}

/** In one line where `used` columns leave room for it. */
function fitted(expression: Expression, indent: string, used: number): string {
  const flat = flatText(expression);
  return flat !== undefined && used + flat.length <= WIDTH ? flat : broken(expression, indent);
}

function flatText(expression: Expression): string | undefined {
  if (typeof expression === "string") return expression;
  if ("document" in expression) return undefined;
  if ("call" in expression) return around(flatText(expression.of), `${expression.call}(`, ")");
  const parts =
    "list" in expression
      ? expression.list.map(flatText)
      : expression.object.map(({ name, value }) => around(flatText(value), `${hclKey(name)} = `, ""));
  if (parts.some((part) => part === undefined)) return undefined;
  if ("list" in expression) return `[${parts.join(", ")}]`;
  if (expression.object.length === 0) return "{}";
  return expression.isTall ? undefined : `{ ${parts.join(", ")} }`;
}

function around(text: string | undefined, before: string, after: string): string | undefined {
  return text === undefined ? undefined : before + text + after;
}

function broken(expression: Expression, indent: string): string {
  if (typeof expression === "string") return expression;
  const inner = indent + STEP;
  if ("document" in expression) return documentText(expression.document, indent);
  if ("call" in expression) return `${expression.call}(${broken(expression.of, indent)})`;
  if ("object" in expression) return `{\n${aligned(expression.object, inner, hclKey)}${indent}}`;
  return `[\n${expression.list.map((item) => `${inner}${fitted(item, inner, inner.length + 1)},\n`).join("")}${indent}]`;
}

/** Its last line break belongs to a text that ends with one. */
function documentText(text: string, indent: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const body = lines.map((line) => (line === "" ? "\n" : `${indent}${STEP}${line}\n`)).join("");
  const marked = `<<-${END}\n${body}${indent}${END}`;
  return text.endsWith("\n") ? marked : `chomp(${marked}\n${indent})`;
}
