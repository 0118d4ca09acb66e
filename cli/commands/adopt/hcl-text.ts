import { doubleQuoted } from "./escaped-text";

/**
 * Any text as a literal. The only way by which a text of a server becomes code of HCL: its templates begin with `${` and `%{`, and it
 * knows fewer escapes than JSON.
 */
export function hclQuoted(text: string): string {
  return withoutTemplates(doubleQuoted(text).replace(/\\./g, (pair) => ESCAPES[pair] ?? pair));
}

const ESCAPES: Readonly<Record<string, string>> = { "\\b": "\\u0008", "\\f": "\\u000c" };

/** A sign before another one of its kind has no escape that every reader of HCL takes alike: it stands as its number. */
function withoutTemplates(text: string): string {
  return text.replace(/([$%])\{|([$%])(?=[$%]\{)/g, (_, opening: string, before: string) =>
    opening === undefined ? `\\u00${before.charCodeAt(0).toString(16)}` : `${opening}${opening}{`,
  );
}

/** Terraform keeps texts in Unicode's composed form (NFC), whatever a program says. */
export function isKeptByTerraform(text: string): boolean {
  return text.isWellFormed() && text.normalize("NFC") === text;
}

/** A key of an object. */
export function hclKey(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name) && !WORDS.has(name) ? name : hclQuoted(name);
}

const WORDS: ReadonlySet<string> = new Set(["for", "if", "in", "null", "true", "false"]);

/** A name of a resource, a local value or a variable. */
export function hclName(text: string): string {
  const name = text
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .replace(/^_+|_+$/g, "")
    .toLowerCase();
  return /^[a-z]/.test(name) ? name : `n${name}`;
}
