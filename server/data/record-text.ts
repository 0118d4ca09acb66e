import { isNumberText, numberFromText } from "../framework/wire-value";

/** A number of the wire is stored as `{ "$number": "1.0" }`. A member whose own name begins with `$` gets a second `$`. */
const numberMember = "$number";

/** A record as text. Numbers of the wire keep their own text: `1.0` stays `1.0`. */
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
