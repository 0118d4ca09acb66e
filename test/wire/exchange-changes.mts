import { isDeepStrictEqual } from "node:util";
import type { Exchange } from "./exchange.mts";

/** What is different in an exchange, compared with that of another server. Places are JSON pointers (RFC 6901). */
export interface ExchangeChanges {
  readonly title: string;
  /** Members that are missing here. */
  readonly unset?: readonly string[];
  /** Members that are other values here, or only here. Lists are values. */
  readonly set?: Readonly<Record<string, unknown>>;
}

/** The changes that make one exchange the other; `undefined` where they are equal. Both are of the same step. */
export function changesBetween(base: Exchange, exchange: Exchange): ExchangeChanges | undefined {
  const unset: string[] = [];
  const set: Record<string, unknown> = {};
  compare(base, exchange, "");
  if (unset.length === 0 && Object.keys(set).length === 0) return undefined;
  return {
    title: exchange.title,
    ...(unset.length === 0 ? {} : { unset }),
    ...(Object.keys(set).length === 0 ? {} : { set }),
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

/** The exchange that the changes make of another server's. */
export function withChanges(base: Exchange, { unset = [], set = {} }: ExchangeChanges): Exchange {
  const without = unset.reduce<object>((whole, place) => changed(whole, namesIn(place), undefined), base);
  const entries = Object.entries(set);
  // The changes are those between two exchanges.
  return entries.reduce((whole, [place, value]) => changed(whole, namesIn(place), value), without) as Exchange;
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
