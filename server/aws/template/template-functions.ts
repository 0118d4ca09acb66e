import { createHash, randomUUID } from "node:crypto";
import { randomText } from "../../cloud/random-text";
import { formatted, printed } from "./go-printf";
import { isTrue, kindOf, type TemplateValue } from "./template-value";
import { timestampText } from "./timestamp-text";

/** What the parameters of a function take; the last one of a variadic function takes all the rest. */
export interface TemplateFunction {
  readonly parameters: readonly ("int" | "string" | "any")[];
  readonly isVariadic?: boolean;
  /** @throws Error with the text behind `error calling <name>: `. */
  call(operands: readonly TemplateValue[], now: Date): TemplateValue;
}

const digits = "0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const base62 = `${digits}${letters}${letters.toLowerCase()}`;

/** Vault's own functions, and those of Go that are useful in a name. */
export const templateFunctions: Readonly<Record<string, TemplateFunction>> = {
  random: of(["int"], ([length]) => randomText(Math.max(0, Number(length)), base62)),
  truncate: of(["int", "string"], ([length, text]) => {
    if (Number(length) <= 0) throw new Error(`max length must be > 0 but was ${length}`);
    return firstBytes(String(text), Number(length));
  }),
  truncate_sha256: of(["int", "string"], ([length, text]) => {
    if (Number(length) <= 8) throw new Error(`max length must be > 8 but was ${length}`);
    const [whole, kept] = [String(text), Number(length) - 8];
    if (Buffer.byteLength(whole) <= Number(length)) return whole;
    return `${firstBytes(whole, kept)}${sha256(Buffer.from(whole).subarray(kept)).slice(0, 8)}`;
  }),
  uppercase: of(["string"], ([text]) => String(text).toUpperCase()),
  lowercase: of(["string"], ([text]) => String(text).toLowerCase()),
  replace: of(["string", "string", "string"], ([find, put, text]) =>
    String(text).replaceAll(String(find), () => String(put)),
  ),
  sha256: of(["string"], ([text]) => sha256(String(text))),
  base64: of(["string"], ([text]) => Buffer.from(String(text)).toString("base64")),
  unix_time: { parameters: [], call: (_none, now) => String(Math.floor(now.getTime() / 1000)) },
  unix_time_millis: { parameters: [], call: (_none, now) => String(now.getTime()) },
  timestamp: { parameters: ["string"], call: ([layout], now) => timestampText(String(layout), now) },
  uuid: of([], () => randomUUID()),
  printf: { ...of(["string", "any"], ([format, ...rest]) => formatted(String(format), rest)), isVariadic: true },
  print: { ...of(["any"], (all) => printed(all)), isVariadic: true },
  println: { ...of(["any"], (all) => `${all.join(" ")}\n`), isVariadic: true },
  len: of(["any"], ([value]) => {
    if (typeof value !== "string") throw new Error(`len of type ${kindOf(value)}`);
    return Buffer.byteLength(value);
  }),
  not: of(["any"], ([value]) => !isTrue(value)),
  // These two stop at the first operand that decides.
  and: { ...of(["any", "any"], (all) => all.find((value) => !isTrue(value)) ?? all.at(-1) ?? ""), isVariadic: true },
  or: { ...of(["any", "any"], (all) => all.find(isTrue) ?? all.at(-1) ?? ""), isVariadic: true },
  eq: {
    ...of(["any", "any"], ([one, ...others]) => {
      if (others.length === 0) throw new Error("missing argument for comparison");
      return others.some((other) => isEqual(one, other));
    }),
    isVariadic: true,
  },
  ne: of(["any", "any"], ([one, other]) => !isEqual(one, other)),
  lt: of(["any", "any"], ([one, other]) => isLess(one, other)),
  le: of(["any", "any"], ([one, other]) => isLess(one, other) || isEqual(one, other)),
  gt: of(["any", "any"], ([one, other]) => isLess(other, one)),
  ge: of(["any", "any"], ([one, other]) => isLess(other, one) || isEqual(one, other)),
};

export const functionNames: ReadonlySet<string> = new Set(Object.keys(templateFunctions));
export const unsupportedFunctions: ReadonlySet<string> = new Set(["call", "html", "index", "slice", "js", "urlquery"]);

function of(
  parameters: TemplateFunction["parameters"],
  call: (operands: readonly TemplateValue[]) => TemplateValue,
): TemplateFunction {
  return { parameters, call: (operands) => call(operands) };
}

/** Go counts bytes. A name has characters beyond ASCII only where the template has them. */
function firstBytes(text: string, length: number): string {
  return Buffer.from(text).subarray(0, length).toString();
}

function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

function isEqual(one: TemplateValue | undefined, other: TemplateValue | undefined): boolean {
  assertComparable(one, other);
  return one === other;
}

function isLess(one: TemplateValue | undefined, other: TemplateValue | undefined): boolean {
  assertComparable(one, other);
  if (typeof one === "boolean") throw new Error("invalid type for comparison");
  return (one ?? "") < (other ?? "");
}

function assertComparable(one: TemplateValue | undefined, other: TemplateValue | undefined): void {
  if (kindOf(one) === kindOf(other)) return;
  throw new Error(`incompatible types for comparison: ${kindOf(one)} and ${kindOf(other)}`);
}
