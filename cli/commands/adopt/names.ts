import { createHash } from "node:crypto";

const MOST_LETTERS = 60;

/** The text with letters, digits, `_`, `.` and `-` alone. What loses something gets a short hash, so that it stays apart. */
export function slug(text: string): string {
  const plain = text.replaceAll("/", "-");
  const safe = plain.replace(/[^A-Za-z0-9_.-]+/g, "-").slice(0, MOST_LETTERS);
  return safe === plain && /[A-Za-z0-9]/.test(safe)
    ? safe
    : `${safe.replace(/^-+|-+$/g, "") || "x"}-${shortHash(text)}`;
}

/** The names, those that are there twice with a hash of what they stand for: they do not depend on the order. */
export function uniqueNames<T>(
  items: readonly T[],
  { nameOf, keyOf, isSame = (name) => name, isTaken = () => false }: NameOptions<T>,
): ReadonlyMap<T, string> {
  const groups = Map.groupBy(items, (item) => isSame(nameOf(item)));
  return new Map(
    [...groups.values()].flatMap((group) =>
      group.map(
        (item) =>
          [
            item,
            group.length === 1 && !isTaken(item) ? nameOf(item) : `${nameOf(item)}-${shortHash(keyOf(item))}`,
          ] as const,
      ),
    ),
  );
}

interface NameOptions<T> {
  nameOf(item: T): string;
  keyOf(item: T): string;
  /** The form in which two names are the same, such as that of a file system. */
  isSame?(name: string): string;
  /** Whether something else has the name already. */
  isTaken?(item: T): boolean;
}

/** A name of a variable, or of a key of the configuration, in camel case: `jobsMain` of `jobs-main`. */
export function camelCase(text: string): string {
  const [first = "", ...rest] = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = first.charAt(0).toLowerCase() + first.slice(1) + rest.map(capital).join("");
  return /^[a-z]/.test(joined) ? joined : `n${capital(joined)}`;
}

/** The name and the property as words, without one that is there twice: `oidc-ClientSecret` of `oidc` and `oidcClientSecret`. */
export function withoutDoubling(name: string, property: string): string {
  const last =
    name
      .split(/[^A-Za-z0-9]+/)
      .at(-1)
      ?.toLowerCase() ?? "";
  const [first = ""] = /^[a-z0-9]+/.exec(property) ?? [];
  const rest = property.slice(first.length);
  return first === last && rest !== "" ? `${name}-${rest}` : `${name}-${property}`;
}

/** A name that a program may give a variable: no word of the language, and none of our own. */
export function identifier(text: string, suffix: string): string {
  const name = camelCase(text);
  return TAKEN.has(name) ? name + suffix : name;
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `policies` of `policy`. */
export function pluralOf(word: string): string {
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** The variable of a secret: `clientSecret` of `client` and of `client-secret`. */
export function secretVariable(key: string): string {
  return `${camelCase(key).replace(/Secret$/, "")}Secret`;
}

/** The wanted name; where it is taken the other one, or else one with a number. */
export function freeName(wanted: string, taken: ReadonlySet<string>, other = wanted): string {
  if (!taken.has(wanted)) return wanted;
  if (!taken.has(other)) return other;
  let number = 2;
  while (taken.has(`${wanted}${number}`)) number++;
  return `${wanted}${number}`;
}

/** Six letters that stand for the text. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 6);
}

/** Words of TypeScript, global names of Node.js, and what a generated file calls its own. */
const TAKEN: ReadonlySet<string> = new Set(
  `abstract any arguments as async await boolean break case catch class const constructor continue debugger declare default
  delete do else enum eval export extends false finally for from function get global globalThis if implements import in
  infer infinity instanceof interface is keyof let module namespace never new null number object of package private protected
  prototype public readonly require return satisfies set static string super switch symbol this throw true try type typeof
  undefined unique unknown using var void while with yield console process exports buffer
  adopted config name own policies pulumi trustplane`.split(/\s+/),
);
