/** A piece of a program: in one line, or over several. */
export interface Code {
  /** Undefined for what always takes several lines. */
  readonly flat: string | undefined;
  /** Over several lines; the first one goes on where the text before it ends. */
  broken(indent: string): string;
  /** A text in quotes may begin on a line of its own. */
  readonly isText?: boolean;
  readonly kind?: "object" | "list";
  /** How many members it has. */
  readonly size?: number;
}

const WIDTH = 100;
const STEP = "  ";

/** Words of the language and names that this package has made. Nothing that a server says may come here. */
export function words(text: string): Code {
  return { flat: text, broken: () => text };
}

/**
 * Any text as a literal. The only way by which a text of a server becomes code: JSON's escapes are those of the language,
 * and what is invisible, or turns the direction of a line, is escaped as well.
 */
export function quoted(text: string): string {
  const json = JSON.stringify(text).replace(INVISIBLE, escapedUnit);
  const [double, single] = [text.split('"').length, text.split("'").length];
  if (double <= single) return json;
  // As formatters do: the quotes that need fewer escapes.
  const inside = json.slice(1, -1).replace(/\\.|'/g, (part) => (part === '\\"' ? '"' : part === "'" ? "\\'" : part));
  return `'${inside}'`;
}

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800\ufffc]|(?! )\p{Zs}/gu;

function escapedUnit(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Any value of JSON as a literal. */
export function literal(value: unknown): Code {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return list(value.map(literal));
  if (typeof value === "object" && value !== null)
    return object(Object.entries(value).map(([name, member]) => ({ name, value: literal(member) })));
  return words(JSON.stringify(value));
}

/** A long text is written line by line. */
function text(value: string): Code {
  const lines = value.split("\n");
  if (lines.length < 3) return { ...words(quoted(value)), isText: true };
  const all = list(lines.map((line) => ({ ...words(quoted(line)), isText: true })));
  const end = '.join("\\n")';
  return { flat: all.flat === undefined ? undefined : all.flat + end, broken: (indent) => all.broken(indent) + end };
}

export function list(items: readonly Code[]): Code {
  if (items.length === 0) return words("[]");
  const flats = items.map(({ flat }) => flat);
  const [first, ...rest] = items;
  // Formatters give each of several lists or objects lines of its own.
  const areLarge = rest.length > 0 && items.every(({ kind, size = 0 }) => kind && kind === first?.kind && size > 1);
  return {
    kind: "list",
    size: items.length,
    flat: !areLarge && flats.every((flat) => flat !== undefined) ? `[${flats.join(", ")}]` : undefined,
    broken(indent) {
      const inner = indent + STEP;
      return `[\n${items.map((item) => `${inner}${fitted(item, inner, inner.length + 1)},\n`).join("")}${indent}]`;
    },
  };
}

/** A member of an object; without a value, that of the variable of its name. */
export interface Member {
  readonly name: string;
  readonly value?: Code;
  /** What stands there as a whole, such as `...own`. */
  readonly spread?: true;
}

export function object(members: readonly Member[]): Code {
  if (members.length === 0) return { ...words("{}"), kind: "object" };
  const flats = members.map(({ name, value, spread }) => {
    if (spread) return `...${name}`;
    if (!value) return name;
    return value.flat === undefined ? undefined : `${memberName(name)}: ${value.flat}`;
  });
  return {
    kind: "object",
    size: members.length,
    flat: flats.every((flat) => flat !== undefined) ? `{ ${flats.join(", ")} }` : undefined,
    broken(indent) {
      const inner = indent + STEP;
      return `{\n${members.map((member) => `${inner}${memberIn(member, inner)},\n`).join("")}${indent}}`;
    },
  };
}

function memberIn({ name, value, spread }: Member, indent: string): string {
  if (spread) return `...${name}`;
  if (!value) return name;
  const key = memberName(name);
  const used = indent.length + key.length + 3;
  const isTooLong = value.flat !== undefined && used + value.flat.length > WIDTH;
  // A key that is not longer than the indent gains nothing.
  if (value.isText && isTooLong && key.length > STEP.length + 2) return `${key}:\n${indent}${STEP}${value.flat}`;
  return `${key}: ${fitted(value, indent, used)}`;
}

/** `__proto__` without brackets would set the prototype. */
function memberName(name: string): string {
  if (name === "__proto__") return `[${quoted(name)}]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** A call with its arguments, of which the last one may begin on the line of the call. */
export function call(head: string, args: readonly Code[]): Code {
  const flats = args.map(({ flat }) => flat);
  const [last, before] = [args.at(-1), args.at(-2)];
  return {
    flat: flats.every((flat) => flat !== undefined) ? `${head}(${flats.join(", ")})` : undefined,
    broken(indent) {
      const firsts = flats.slice(0, -1);
      if (last?.kind === "object" && before?.kind !== "object" && firsts.every((flat) => flat !== undefined))
        return `${head}(${[...firsts, last.broken(indent)].join(", ")})`;
      const inner = indent + STEP;
      return `${head}(\n${args.map((arg) => `${inner}${fitted(arg, inner, inner.length + 1)},\n`).join("")}${indent})`;
    },
  };
}

/** A statement at this indent. */
export function statement(before: string, code: Code, indent = ""): string {
  return `${indent}${before}${fitted(code, indent, indent.length + before.length + 1)};`;
}

/** In one line where `used` columns leave room for it. */
function fitted(code: Code, indent: string, used: number): string {
  return code.flat !== undefined && used + code.flat.length <= WIDTH ? code.flat : code.broken(indent);
}
