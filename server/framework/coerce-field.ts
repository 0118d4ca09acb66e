import { CoercionFailure } from "./coercion-failure";
import type { CoercionProblem } from "./coercion-problem";
import type { FieldType, FieldValues } from "./field-type";
import { DurationFailure, nanosecondsFromText, wholeSeconds } from "./go-duration";
import { goQuoted } from "./go-quoted";
import { headerValues } from "./header-field";
import { isNumberText, isWireList, isWireObject, type WireObject, type WireValue } from "./wire-value";

/**
 * Decodes one supplied value. `undefined` means "treated as not supplied", which only durations do, for null.
 * @throws CoercionFailure
 */
export function coerceField<T extends FieldType>(type: T, value: WireValue): FieldValues[T] | undefined {
  return coercions[type](value);
}

const coercions: { readonly [T in FieldType]: (value: WireValue) => FieldValues[T] | undefined } = {
  string: (value) => weakString(value, ""),
  lowerCaseString: (value) => weakString(value, "").toLowerCase(),
  bool: weakBool,
  int: weakInt,
  durationSecond: (value) => duration(value, { negative: "refused" }),
  signedDurationSecond: (value) => duration(value, { negative: "allowed" }),
  commaStringSlice,
  slice,
  map: (value) => weakMap(value, ""),
  kvPairs,
  header: headerValues,
};

function weakString(value: WireValue, name: string): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "1" : "0";
  if (isNumberText(value)) return value.rawJSON;
  throw unconvertible(value, { name, expected: "string" });
}

// What Go's strconv.ParseBool takes.
const boolTexts: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(["1", "t", "T", "TRUE", "true", "True"].map((text) => [text, true])),
  ...Object.fromEntries(["0", "f", "F", "FALSE", "false", "False"].map((text) => [text, false])),
};

/** Go's `strconv.ParseBool`; `undefined` when the text is no boolean. */
export function parseGoBool(text: string): boolean | undefined {
  return Object.hasOwn(boolTexts, text) ? boolTexts[text] : undefined;
}

function weakBool(value: WireValue): boolean {
  if (value === null || value === "") return false;
  if (typeof value === "boolean") return value;
  if (isWireList(value) || isWireObject(value)) throw unconvertible(value, { name: "", expected: "bool" });
  const text = weakString(value, "");
  const parsed = parseGoBool(text);
  if (parsed !== undefined) return parsed;
  throw new CoercionFailure({ kind: "notBool", text });
}

function weakInt(value: WireValue): number {
  if (value === null || value === "") return 0;
  if (isWireList(value) || isWireObject(value)) throw unconvertible(value, { name: "", expected: "int" });
  const text = weakString(value, "");
  const match = /^([+-]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9]\d*))$/.exec(
    text.replace(/(?<=\w)_(?=\w)/g, ""),
  );
  if (match === null) throw notInt(text, "invalid syntax");
  const [, sign, hex, binary, octal, decimal] = match;
  const digits = hex ? `0x${hex}` : binary ? `0b${binary}` : octal ? `0o${octal}` : (decimal ?? "0");
  const parsed = sign === "-" ? -BigInt(digits) : BigInt(digits);
  if (parsed < -(2n ** 63n) || parsed >= 2n ** 63n) throw notInt(text, "value out of range");
  return Number(parsed);
}

function notInt(text: string, reason: string): CoercionFailure {
  return new CoercionFailure({ kind: "notInt", text, reason });
}

function said(text: string): CoercionFailure {
  return new CoercionFailure({ kind: "said", text });
}

function duration(value: WireValue, { negative }: { negative: "refused" | "allowed" }): number | undefined {
  if (value === null) return undefined;
  if (typeof value !== "string" && !isNumberText(value)) throw said("could not parse duration from input");
  const seconds = wholeSeconds(parseDuration(weakString(value, "")));
  if (seconds < 0 && negative === "refused") throw said(`cannot provide negative value '${seconds}'`);
  return seconds;
}

function parseDuration(text: string): bigint {
  try {
    return nanosecondsFromText(text);
  } catch (failure) {
    if (failure instanceof DurationFailure) throw said(failure.message);
    throw failure;
  }
}

function commaStringSlice(value: WireValue): readonly string[] {
  if (value === null || value === "") return [];
  if (typeof value === "string") return value.split(",").map(trimmed);
  try {
    return weakStringList(value).map(trimmed);
  } catch (failure) {
    // Another library decodes lists; its texts are the same in every product.
    throw failure instanceof CoercionFailure ? said(failure.message) : failure;
  }
}

function weakStringList(value: WireValue): readonly string[] {
  const elements = wrappedAsList(value);
  const problems: CoercionProblem[] = [];
  const texts = elements.map((element, index) => {
    try {
      return weakString(element, `[${index}]`);
    } catch (failure) {
      if (!(failure instanceof CoercionFailure)) throw failure;
      problems.push(failure.problem);
      return "";
    }
  });
  if (problems.length === 0) return texts;
  throw new CoercionFailure({ kind: "elements", problems });
}

// mapstructure's weak decoding: an empty object is an empty list, anything else that is no list becomes one element.
function wrappedAsList(value: WireValue): readonly WireValue[] {
  if (value === null) return [];
  if (isWireList(value)) return value;
  return isWireObject(value) && Object.keys(value).length === 0 ? [] : [value];
}

function slice(value: WireValue): readonly WireValue[] {
  return wrappedAsList(value);
}

function weakMap(value: WireValue, name: string): WireObject | null {
  if (value === null) return null;
  if (isWireObject(value)) return value;
  if (!isWireList(value)) throw new CoercionFailure({ kind: "notMap", name, value });
  const merged: Record<string, WireValue> = Object.create(null);
  value.forEach((element, index) => {
    Object.assign(merged, weakMap(element, `${name}[${index}]`));
  });
  return merged;
}

function kvPairs(value: WireValue): Readonly<Record<string, string>> | null {
  if (value === null) return null;
  const asMap = stringMap(value);
  if (asMap !== undefined) return asMap;
  const pairs: Record<string, string> = Object.create(null);
  for (const pair of weakStringList(value)) {
    const separator = pair.indexOf("=");
    if (separator <= 0) throw said(`invalid key pair ${goQuoted(pair)}`);
    pairs[pair.slice(0, separator)] = pair.slice(separator + 1);
  }
  return pairs;
}

function stringMap(value: WireValue): Record<string, string> | undefined {
  const texts: Record<string, string> = Object.create(null);
  try {
    for (const [key, member] of Object.entries(weakMap(value, "") ?? {})) texts[key] = weakString(member, key);
    return texts;
  } catch (failure) {
    if (failure instanceof CoercionFailure) return undefined;
    throw failure;
  }
}

// Go trims what Unicode calls white space, which is JavaScript's set but for the byte order mark and the next-line sign.
function trimmed(text: string): string {
  return text.trim();
}

function unconvertible(value: WireValue, { name, expected }: { name: string; expected: string }): CoercionFailure {
  return new CoercionFailure({ kind: "unconvertible", name, expected, value });
}
