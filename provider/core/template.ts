import type { Values } from "./definition";

// A template is text in which `{name}` stands for a value, and `{name|word}` for one that is `word` while it is empty.
// A part in brackets is left out when a value in it is empty, or when all values in it are that have such a word.

/** The text of a template, values as they are: ids. */
export function fill(template: string, values: Values): string {
  return render(template, values, (value) => value);
}

/** The path of a request: values percent-encoded, slashes inside a mount path kept. */
export function requestPath(template: string, values: Values): string {
  return render(template, values, (value) => value.split("/").map(encodeURIComponent).join("/"));
}

/** The values that make the text, or undefined when it does not have the template's shape. */
export function parse(template: string, text: string): Record<string, string> | undefined {
  const all = standsIn(template);
  let read = 0;
  const pattern = template
    .replace(/[.*+?^$()|\\]/g, "\\$&")
    .replace(/\[(.*?)\]/g, "(?:$1)?")
    .replace(/\{[^}]+\}/g, (_, at: number, text: string) => {
      read++;
      // A path may have several segments; a name after another value has one.
      const last = !text.slice(at).includes("/");
      return last && read > 1 ? "([^/]+)" : "(.+)";
    });
  const found = new RegExp(`^${pattern}$`).exec(text);
  if (!found) return undefined;
  const pairs = all.flatMap(({ name, otherwise }, index) => {
    const value = found[index + 1];
    return value === undefined || value === otherwise ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** The names in a template. */
export function placeholders(template: string): string[] {
  return standsIn(template).map(({ name }) => name);
}

/** What a template has in the place of an empty value; undefined where it has no such word. */
export function wordFor(template: string, name: string): string | undefined {
  return standsIn(template).find((stand) => stand.name === name)?.otherwise;
}

/** The names in a template whose values must not be empty. */
export function requiredPlaceholders(template: string): string[] {
  const always = template.replace(/\[.*?\]/g, "");
  return standsIn(always).flatMap(({ name, otherwise }) => (otherwise === undefined ? [name] : []));
}

/** What stands for a value. */
interface Stand {
  readonly name: string;
  /** The text while the value is empty. */
  readonly otherwise: string | undefined;
}

function standsIn(template: string): Stand[] {
  return [...template.matchAll(STAND)].map(([, name = "", otherwise]) => ({ name, otherwise }));
}

const STAND = /\{(\w+)(?:\|(\w+))?\}/g;

function render(template: string, values: Values, encode: (value: string) => string): string {
  return template
    .replace(/\[(.*?)\]/g, (_, part: string) => (isGiven(part, values) ? part : ""))
    .replace(STAND, (_, name: string, otherwise = "") => encode(String(values[name] ?? "") || otherwise));
}

function isGiven(part: string, values: Values): boolean {
  const stands = standsIn(part);
  const isThere = ({ name }: Stand) => Boolean(values[name]);
  return stands.some(isThere) && stands.every((stand) => stand.otherwise !== undefined || isThere(stand));
}
