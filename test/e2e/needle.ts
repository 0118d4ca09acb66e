import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A secret of this run, with characters that every notation spells differently. */
export function makeSecret(): string {
  return `p"q\\r/s+t&${randomBytes(16).toString("hex")} é\n`;
}

/**
 * What to look for to find a secret in whatever notation it may have ended up in: its longest run of letters and digits,
 * which JSON, shells and URLs leave alone, as it is, in hexadecimal, and in base64 wherever it begins in the encoded text.
 */
export function needlesOf(secret: string): string[] {
  const core = [...secret.matchAll(/[A-Za-z0-9-]+/g)].map(([run]) => run).sort((a, b) => b.length - a.length)[0] ?? "";
  if (core.length < 16) throw new Error("this secret has no part that is long enough to be looked for");
  return [core, Buffer.from(core).toString("hex"), ...[0, 1, 2].map((before) => insideBase64(core, before))];
}

/** The characters of the base64 text that depend on `core` only, when `before` bytes (modulo 3) precede it. */
function insideBase64(core: string, before: number): string {
  const text = Buffer.from("x".repeat(before) + core).toString("base64url");
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + core.length) * 8) / 6));
}

/** The secrets, by name, of which a trace is in the text. */
export function tracesIn(text: string, secrets: Readonly<Record<string, string>>): string[] {
  const urlAlphabet = text.replaceAll("+", "-").replaceAll("/", "_");
  return Object.entries(secrets)
    .filter(([, secret]) => needlesOf(secret).some((needle) => text.includes(needle) || urlAlphabet.includes(needle)))
    .map(([name]) => name);
}

/** All files below the folder but installed packages, one text by path. */
export function filesBelow(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("node_modules"));
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, "latin1")]));
}
