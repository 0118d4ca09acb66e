import * as z from "zod";
import type { Args, Resource } from "./definition";
import { type Field, type Fields, row } from "./field";
import { boolean, integer, local, stringSet } from "./rows";
import type { CommonName } from "./tenant";

/** What a program writes of one record of a set: all but its name, and what the records of the set share. */
export type Settings<D extends Resource, Shared extends keyof Args<D>> = Partial<Omit<Args<D>, Shared | CommonName>>;

const settings = z.record(z.string(), z.unknown(), { error: "must be an object of settings" });

/** The records of a set, by name. Their settings are checked by the table of a single record. */
export function recordsByName<Records>(): Field<Records, false> {
  return row<Records>({
    place: "local",
    wire: "",
    schema: z.record(z.string(), settings, {
      error: "must be a map of names to settings",
    }) as unknown as z.ZodType<Records>,
    mayBeEmpty: true,
    canonical: (records) => records ?? {},
  });
}

/** The settings that all records of a set have unless they say otherwise. */
export function commonSettings<Value>(): Field<Value, false> {
  return row<Value>({
    place: "local",
    wire: "",
    // The settings are checked with those of each record.
    schema: settings as unknown as z.ZodType<Value>,
    canonical: (value) => value ?? {},
  });
}

/** How a set treats the other records of its mount or policy set, and how it works. */
export const setRows = {
  /** Make the set the whole truth of its mount or policy set: a record that nobody of the program has, and that `ignore` does not name, is drift, and an update removes it once a preview has shown it. @default false */
  exclusive: local(boolean("")),
  /** Names of records that the set leaves alone, also those that it had before; `*` stands for any characters. Names are compared as the server compares them. */
  ignore: local(stringSet("")),
  /** How many records one update of an exclusive set may remove. With more, the update is refused before it changes anything. @default 10 */
  maxDeletes: local(integer("", { serverDefault: 10, min: 0 })),
  /** How many records are worked on at the same time. @default 16 */
  parallel: local(integer("", { serverDefault: 16, min: 1 })),
} satisfies Fields;

/** What a set shows of the other records of its mount or policy set. */
export const setOutputs = {
  /** Names of records on the server that nobody of the program has and that `ignore` does not name, as an exclusive set found them. Absent where there are none. */
  unmanaged: local(stringSet("")),
} satisfies Fields;

export const PARALLEL = 16;
export const MAX_DELETES = 10;
