import { hclQuoted } from "../../text/quoted";

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
