import type { Values } from "./definition";

// A template is text in which `{name}` stands for a value; a part in brackets is left out when a value in it is empty.

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
  const names: string[] = [];
  const pattern = template
    .replace(/[.*+?^$()|\\]/g, "\\$&")
    .replace(/\[(.*?)\]/g, "(?:$1)?")
    .replace(/\{(\w+)\}/g, (_, name: string, at: number, text: string) => {
      names.push(name);
      // A path may have several segments; a name after another value has one.
      const last = !text.slice(at).includes("/");
      return last && names.length > 1 ? "([^/]+)" : "(.+)";
    });
  const found = new RegExp(`^${pattern}$`).exec(text);
  if (!found) return undefined;
  const pairs = names.map((name, index) => [name, found[index + 1]] as const);
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** The names in a template. */
export function placeholders(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? "");
}

function render(template: string, values: Values, encode: (value: string) => string): string {
  const textOf = (name: string) => encode(String(values[name] ?? ""));
  return template
    .replace(/\[(.*?)\]/g, (_, part: string) => (placeholders(part).every((name) => values[name]) ? part : ""))
    .replace(/\{(\w+)\}/g, (_, name: string) => textOf(name));
}
