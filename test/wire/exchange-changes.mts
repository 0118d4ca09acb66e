import { isDeepStrictEqual } from "node:util";
import type { Answer } from "./exchange.mts";

/** What is different in an answer or exchange, compared with another one. Places are JSON pointers (RFC 6901). */
export interface ExchangeChanges {
  readonly title: string;
  /** Members that are missing here. */
  readonly unset?: readonly string[];
  /** Members that are other values here, or only here. Lists are values. */
  readonly set?: Readonly<Record<string, unknown>>;
}

/** The changes that make one the other; `undefined` where they are equal. Both are of the same step. */
export function changesBetween(base: Answer, exchange: Answer): ExchangeChanges | undefined {
  const unset: string[] = [];
  const set: Record<string, unknown> = {};
  compare(base, exchange, "");
  if (unset.length === 0 && Object.keys(set).length === 0) return undefined;
  return {
    title: exchange.title,
    ...(unset.length === 0 ? {} : { unset: unset.sort() }),
    ...(Object.keys(set).length === 0 ? {} : { set: sorted(set) }),
  };

  function compare(before: object, after: object, place: string): void {
    const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
    for (const name of old.keys()) if (!now.has(name)) unset.push(`${place}/${escaped(name)}`);
    for (const [name, value] of now) {
      const other = old.get(name);
      if (isObject(other) && isObject(value)) compare(other, value, `${place}/${escaped(name)}`);
      else if (!isDeepStrictEqual(other, value)) set[`${place}/${escaped(name)}`] = value;
    }
  }
}

/** Read back, new members stand last: the order of the places must not depend on it. */
function sorted(set: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(set).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What the changes make of another one. */
export function withChanges<Whole extends Answer>(base: Whole, { unset = [], set = {} }: ExchangeChanges): Whole {
  const without = unset.reduce<object>((whole, place) => changed(whole, namesIn(place), undefined), base);
  const entries = Object.entries(set);
  // The changes are those between two of a kind.
  return entries.reduce((whole, [place, value]) => changed(whole, namesIn(place), value), without) as Whole;
}

/** The object with a value at a place; without the member there for `undefined`. */
function changed(whole: object, [name = "", ...inner]: readonly string[], value: unknown): object {
  const members = new Map(Object.entries(whole));
  const member = inner.length === 0 ? value : changed(members.get(name), inner, value);
  if (member === undefined) members.delete(name);
  else members.set(name, member);
  return Object.fromEntries(members);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function namesIn(place: string): string[] {
  const names = place.slice(1).split("/");
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}
