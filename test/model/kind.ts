import type { ResourceName } from "../support/contract-host.ts";
import type { Marked } from "./marks.ts";
import type { Records } from "./world.ts";

export type Args = Marked;

/** A stored record, looked into past all of the provider's code. */
// biome-ignore lint/suspicious/noExplicitAny: what the server keeps has no type of ours.
export type Stored = any;

/** One property that the program edits. */
export interface Field {
  readonly arg: string;
  /** Values to choose from by number; the 0th is the one that is not set, where it can be. */
  value(n: number, fresh: () => string): unknown;
  /** What a record has of it. Undefined where the server says nothing about it. */
  at?(stored: Stored): unknown;
  /** What a record has where the program says this. */
  as?(value: unknown): unknown;
  /** What a state says of it, where that is more than one property. */
  readonly in?: (state: Args) => unknown;
  /** The program can mark it, or a part of it, as secret. */
  readonly markable?: "whole" | "last element";
}

/** One kind of resource: how programs write it, and where the server keeps it. No provider code. */
export interface Kind {
  readonly resource: ResourceName;
  /** Module and class. */
  readonly token: string;
  readonly service: "secrets" | "policy" | "cluster";
  /** Where it lives: what a program must have, or the server has from the start. */
  readonly lives?: "auth mount" | "secrets mount";
  /** Names of which two of the same are one record; none where the mount has one of it. */
  readonly names?: { readonly arg: string; readonly pool: readonly string[] };
  /** Arguments that every program gives. */
  fixed(fresh: () => string): Args;
  readonly fields: readonly Field[];
  /** The arguments that the program gives, of the fields' values: one field may stand for several. */
  written?(values: Args): Args;
  /** Properties that are secret by class, with these arguments. */
  secrets(args: Args): readonly string[];
  /** Where the server keeps it, whether or not it does. */
  path(args: Args, records: Records): string | undefined;
  /** What an import asks for. */
  id(args: Args): string;
  /** The API cannot delete it: it stays. */
  readonly isForgotten?: (args: Args) => boolean;
  /** Of a set: the kind of its records, and the arguments of each. */
  readonly members?: { readonly kind: "jwtRole"; of(args: Args): readonly Args[] };
  /** More storage paths that a write moves. */
  moves?(args: Args): readonly string[];
}

/** A duration of the pool: texts of one unit, or seconds, which are a text in Terraform. */
export function secondsOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (/^\d+$/.test(String(value))) return Number(value);
  const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, d: 86_400 };
  const parts = [...String(value).matchAll(/(\d+)([hmsd])/g)];
  return parts.reduce((sum, [, count, unit = "s"]) => sum + Number(count) * (units[unit] ?? 1), 0);
}

export function seconds(arg: string, wire: string): Field {
  const pool = [undefined, "1h", 1800, "90m"];
  return {
    arg,
    value: (n) => pool[n % pool.length],
    at: (stored) => stored[wire],
    as: secondsOf,
  };
}

/** A text that tells where it came from: no two are the same. */
export function text(arg: string, wire: string): Field {
  return {
    arg,
    value: (n, fresh) => (n % 4 === 0 ? undefined : fresh()),
    at: (stored) => stored[wire] ?? "",
    as: (value) => value ?? "",
    markable: "whole",
  };
}

export function list(arg: string, wire: string): Field {
  return {
    arg,
    value: (n, fresh) => (n % 4 === 0 ? undefined : n % 4 === 1 ? [] : [fresh(), fresh()]),
    at: (stored) => [...(stored[wire] ?? [])].sort(),
    as: (value) => [...((value as string[] | undefined) ?? [])].sort(),
    markable: "last element",
  };
}

/** One of a few words. */
export function word(arg: string, wire: string, pool: readonly (string | undefined)[], unset: string): Field {
  return {
    arg,
    value: (n) => pool[n % pool.length],
    at: (stored) => stored[wire] || unset,
    as: (value) => value ?? unset,
  };
}

/** What the server is not told. */
export function local(arg: string, value: Field["value"]): Field {
  return { arg, value };
}
