import { hclKey } from "../../../cli/commands/adopt/hcl-text";
import { hclQuoted } from "../../../cli/text/quoted";

/** A part of a program that is no value: a reference to something else. */
export class Expression {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value as a program in HCL has it, in the layout of `terraform fmt`. */
export function hclText(value: unknown, indent = ""): string {
  if (value instanceof Expression) return value.text;
  if (typeof value === "string") return hclQuoted(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => hclText(item, `${indent}  `));
    const line = `[${items.join(", ")}]`;
    if (!line.includes("\n") && line.length < 80) return line;
    return `[\n${items.map((item) => `${indent}  ${item},\n`).join("")}${indent}]`;
  }
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  return `{\n${attributesText(entries, `${indent}  `)}${indent}}`;
}

/** Lines of attributes, with their equal signs below each other where neighbours have one line each. */
export function attributesText(entries: readonly (readonly [string, unknown])[], indent: string): string {
  const lines = entries.map(([name, value]) => [hclKey(name), hclText(value, indent)] as const);
  const isLong = (index: number) => lines[index]?.[1].includes("\n") ?? true;
  return lines
    .map(([name, text], index) => {
      // A value of several lines ends a group of lines that belong together, and so does the end.
      let [start, end] = [index, index];
      while (!isLong(index) && !isLong(start - 1)) start--;
      while (!isLong(index) && !isLong(end + 1)) end++;
      const width = Math.max(...lines.slice(start, end + 1).map(([each]) => each.length));
      return `${indent}${name.padEnd(width)} = ${text}\n`;
    })
    .join("");
}
