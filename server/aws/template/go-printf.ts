import { goQuoted } from "../../framework/go-quoted";
import { unsupported } from "./template-failure";
import { kindOf, type TemplateValue } from "./template-value";

/** Go's `Sprintf`, for texts, whole numbers and booleans. @throws Error for verbs that are missing here. */
export function formatted(format: string, operands: readonly TemplateValue[]): string {
  let used = 0;
  const text = format.replace(
    /%([-+0# ]*)(\d*)(?:\.(\d+))?(.?)/gsu,
    (directive, flags: string, width: string, precision: string | undefined, verb: string) => {
      if (verb === "%") return "%";
      if (verb === "") return "%!(NOVERB)";
      const value = operands[used++];
      if (value === undefined) return `%!${verb}(MISSING)`;
      const isPrecise = precision !== undefined && typeof value !== "string";
      const isOther = otherVerbs.has(verb) || (verb === "q" && typeof value === "number");
      if (isOther || isPrecise || /[+# ]/.test(flags)) throw unsupported(directive);
      const converted = conversions[verb]?.(value);
      if (converted === undefined) return `%!${verb}(${kindOf(value)}=${value})`;
      const cut = precision === undefined ? converted : converted.slice(0, Number(precision));
      if (flags.includes("-")) return cut.padEnd(Number(width));
      return cut.padStart(Number(width), flags.includes("0") ? "0" : " ");
    },
  );
  const extra = operands.slice(used).map((value) => `${kindOf(value)}=${value}`);
  return extra.length > 0 ? `${text}%!(EXTRA ${extra.join(", ")})` : text;
}

/** What Go has beyond the conversions below. */
const otherVerbs: ReadonlySet<string> = new Set("cUXTobOeEfFgGp");

const conversions: Readonly<Record<string, (value: TemplateValue) => string | undefined>> = {
  v: String,
  s: (value) => (typeof value === "string" ? value : undefined),
  q: (value) => (typeof value === "string" ? goQuoted(value) : undefined),
  d: (value) => (typeof value === "number" ? String(value) : undefined),
  t: (value) => (typeof value === "boolean" ? String(value) : undefined),
  x: (value) => {
    if (typeof value === "string") return Buffer.from(value).toString("hex");
    return typeof value === "number" ? value.toString(16) : undefined;
  },
};

/** Go's `Sprint`: a blank between two operands of which neither is a text. */
export function printed(operands: readonly TemplateValue[]): string {
  return operands
    .map((value, at) => {
      const before = operands[at - 1];
      const isApart = before !== undefined && typeof before !== "string" && typeof value !== "string";
      return `${isApart ? " " : ""}${value}`;
    })
    .join("");
}
