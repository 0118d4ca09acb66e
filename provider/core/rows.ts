import * as z from "zod";
import { isEmpty, setOf } from "./canonical";
import { canonicalCidr } from "./cidr";
import { formatDuration, parseDuration, parseWrittenDuration } from "./duration";
import { type Field, row } from "./field";

const text = z.string({ error: "must be a string" });
const nonEmpty = text.regex(/\S/, { error: "must not be empty" });
// Made once: a start of the provider makes every row, and a schema costs more than the rest of one.
const flag = z.boolean({ error: "must be true or false" });
const whole = z.int({ error: "must be a whole number" });
const texts = listOf(nonEmpty);
const textsByName = mapOf(text, "must be a map of strings");
const anyDuration = durationSchema({});

export const NOT_PRINTABLE = "must have no control or invisible characters";

/** True without control and format characters, and halves of characters, which no address can hold. */
export function isPrintable(value: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(value);
}

/** A mount or other path of one or more segments, without slashes at its ends. */
export function path(fallback?: string): Field<string, false> {
  return row({
    place: "path",
    wire: "",
    schema: text
      .regex(/^\/*[^/\s]+(\/[^/\s]+)*\/*$/, { error: "must be a path such as `jwt` or `team/jwt`" })
      .refine(isPrintable, { error: NOT_PRINTABLE })
      .refine((value) => !/(^|\/)\.{1,2}(\/|$)/.test(value), { error: "must not have `.` or `..` as a segment" }),
    ...(fallback === undefined ? {} : { fallback }),
    normalise: trimSlashes,
    canonical: (value) => (value === undefined ? fallback : trimSlashes(value)),
  });
}

/** One segment of an address. `pattern` is the server's own; `allowed` says it in words; `wire` names it in the record. */
export function segment(pattern: RegExp, allowed: string, wire = ""): Field<string, false> {
  return row({ place: "path", wire, schema: text.regex(pattern, { error: `must be ${allowed}` }) });
}

/** The same row; the server keeps its value in lower case. */
export function lowerCase<Required extends boolean>(field: Field<string, Required>): Field<string, Required> {
  return {
    ...field,
    normalise: (value) => value.toLowerCase(),
    canonical: (value) => field.canonical(value?.toLowerCase()),
  };
}

/** Text; `serverDefault` is what a read shows when nothing was set. */
export function string(wire: string, options: { serverDefault?: string } = {}): Field<string, false> {
  const unset = options.serverDefault ?? "";
  return row({ place: "body", wire, schema: text, canonical: (value) => (isEmpty(value) ? unset : value) });
}

/** PEM text: white space around it does not count. */
export function pem(wire: string): Field<string, false> {
  return row({ place: "body", wire, schema: text, canonical: (value) => value?.trim() ?? "" });
}

/** One of a few words; the first default is the server's. */
export function oneOf<const Word extends string>(
  wire: string,
  words: readonly Word[],
  serverDefault: Word | "" = "",
): Field<Word, false> {
  return row({
    place: "body",
    wire,
    schema: z.enum(words, { error: `must be one of ${words.map((word) => `"${word}"`).join(", ")}` }),
    empty: serverDefault,
    canonical: (value) => (isEmpty(value) ? serverDefault : value),
  });
}

export function boolean(wire: string, serverDefault = false): Field<boolean, false> {
  return row({
    place: "body",
    wire,
    schema: flag,
    empty: serverDefault,
    canonical: (value) => value ?? serverDefault,
  });
}

export function integer(wire: string, options: { serverDefault?: number; min?: number } = {}): Field<number, false> {
  const unset = options.serverDefault ?? 0;
  const { min } = options;
  return row({
    place: "body",
    wire,
    schema: min === undefined ? whole : whole.min(min, { error: `must be at least ${min}` }),
    empty: unset,
    canonical: (value) => value ?? unset,
  });
}

/** A span of time: seconds, or text in the server's grammar. Written as seconds; `text` keeps it a duration text. */
export function duration(
  wire: string,
  options: { signed?: boolean; text?: boolean; minSeconds?: number } = {},
): Field<string | number, false> {
  const seconds = (value: string | number) => parseDuration(value, { signed: true });
  return row({
    place: "body",
    wire,
    schema: isBounded(options) ? durationSchema(options) : anyDuration,
    empty: options.text ? "" : 0,
    encode: (value) => (options.text ? formatDuration(Number(seconds(value))) : seconds(value)),
    decode: (value) => decodeDuration(value),
    canonical: (value) => (value === undefined ? 0 : seconds(value)),
  });
}

/**
 * Texts of which order and repetition do not matter. The APIs also take one text with commas; it is refused, because a comma
 * inside a value would split that value unseen.
 */
export function stringSet(wire: string, item?: z.ZodType<string>): Field<string[], false> {
  return row({
    place: "body",
    wire,
    schema: item ? listOf(item) : texts,
    empty: [],
    encode: (values) => values.map((value) => value.trim()),
    canonical: (values) => setOf((values ?? []).map((value) => value.trim())),
  });
}

/** Words of a fixed set, in any order. */
export function setOfWords<const Word extends string>(wire: string, words: readonly Word[]): Field<Word[], false> {
  const allowed = `must be one of ${words.map((word) => `"${word}"`).join(", ")}`;
  return row({
    place: "body",
    wire,
    schema: listOf(z.enum(words, { error: allowed })),
    empty: [],
    canonical: (values) => setOf(values ?? []),
  });
}

/** Texts in an order that matters. */
export function stringList(wire: string, item?: z.ZodType<string>): Field<string[], false> {
  return row({
    place: "body",
    wire,
    schema: item ? listOf(item) : texts,
    empty: [],
    encode: (values) => values.map((value) => value.trim()),
    canonical: (values) => (values ?? []).map((value) => value.trim()),
  });
}

/** Address blocks. Anything with a slash that is none would be stored as a socket path. */
export function cidrSet(wire: string): Field<string[], false> {
  const item = text.refine((value) => canonicalCidr(value) !== undefined, {
    error: "must be an IP address or a block such as 10.0.0.0/8",
  });
  return {
    ...stringSet(wire, item),
    canonical: (values) => setOf((values ?? []).map((value) => canonicalCidr(value) ?? value)),
  };
}

/** A map of names that are not empty. */
export function mapOf<Value>(values: z.ZodType<Value>, error: string): z.ZodType<Record<string, Value>> {
  return z.record(nonEmpty, values, { error: ({ code }) => (code === "invalid_key" ? "has an empty name" : error) });
}

/** Declared, because typescript-json-schema makes an empty object of a bare `Record`. */
export interface StringMap {
  [key: string]: string;
}

/** A map of strings to strings. */
export function stringMap(wire: string): Field<StringMap, false> {
  return row<StringMap>({
    place: "body",
    wire,
    schema: textsByName,
    empty: {},
    canonical: (value) => (isEmpty(value) ? {} : value),
  });
}

/** The same row, kept by us and never sent. */
export function local<Value, Required extends boolean>(
  field: Field<Value, Required>,
  fallback?: Value,
): Field<Value, Required> {
  const kept = { ...field, place: "local", wire: "" } as const;
  if (fallback === undefined) return kept;
  return { ...kept, fallback, canonical: (value) => field.canonical(value ?? fallback) };
}

/** The same row, as a part of the address. */
export function inPath<Value, Required extends boolean>(field: Field<Value, Required>): Field<Value, Required> {
  return { ...field, place: "path", wire: "" };
}

function listOf<Item>(item: z.ZodType<Item>): z.ZodType<Item[]> {
  return z.array(item, { error: "must be a list of strings" });
}

function isBounded({ signed = false, minSeconds }: { signed?: boolean; minSeconds?: number }): boolean {
  return signed || minSeconds !== undefined;
}

function durationSchema(options: { signed?: boolean; minSeconds?: number }): z.ZodType<string | number> {
  return z.union([z.string(), z.number()], { error: "must be a number of seconds or a duration such as 1h" }).check(
    z.superRefine((value, context) => {
      // Where there is a least number of seconds, that is what to say.
      const parsed = options.minSeconds === undefined ? parseWrittenDuration : parseDuration;
      const seconds = parsed(value, options);
      const short = typeof seconds === "number" && options.minSeconds !== undefined && seconds < options.minSeconds;
      if (typeof seconds === "string") context.addIssue({ code: "custom", message: seconds });
      if (short) context.addIssue({ code: "custom", message: `must be at least ${options.minSeconds} seconds` });
    }),
  );
}

function decodeDuration(wire: unknown): string | number | undefined {
  if (typeof wire !== "number" && typeof wire !== "string") return undefined;
  const seconds = parseDuration(wire, { signed: true });
  return typeof seconds === "number" ? formatDuration(seconds) : wire;
}

/** A path without slashes at its ends. */
export function trimSlashes(value: string): string {
  return value.replace(/^\/+|\/+$/g, "");
}
