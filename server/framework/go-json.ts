import { compareBytes } from "./go-format";
import { isNumberText } from "./wire-value";

/**
 * Prints JSON as Go's encoder does: map keys sorted by bytes, `<`, `>` and `&` escaped, a final newline.
 * `members` is a struct: its own keys keep the order given, everything below is sorted.
 */
export function goJson(members: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(members).map(([key, value]) => `${JSON.stringify(key)}:${sortedJson(value)}`);
  return `${escapeForHtml(`{${parts.join(",")}}`)}\n`;
}

function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (typeof value !== "object" || value === null || isNumberText(value)) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([a], [b]) => compareBytes(a, b));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${sortedJson(member)}`).join(",")}}`;
}

function escapeForHtml(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
