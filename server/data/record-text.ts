import { isNumberText, numberFromText } from "../framework/wire-value";

/** Where a number stands that keeps its text; a member's own name that begins with `$` gets another one in front. */
const numberMember = "$number";

/** A record as text. A number of the wire is told from a plain one: `1.0` stays `1.0`. */
export function textFromRecord(record: unknown): string {
  return JSON.stringify(record, (_name, value: unknown) => {
    if (isNumberText(value)) return { [numberMember]: value.rawJSON };
    return renamed(value, (name) => (name.startsWith("$") ? `$${name}` : name));
  });
}

/** The record of a text, frozen as a store's records are. @throws SyntaxError */
export function recordFromText(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    if (numberMember in value && typeof value.$number === "string") return numberFromText(value.$number);
    return Object.freeze(renamed(value, (name) => (name.startsWith("$$") ? name.slice(1) : name)));
  });
}

function renamed(value: unknown, newName: (name: string) => string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value);
  if (names.every((name) => newName(name) === name)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [newName(name), member]));
}
