import { type ExactJson, isJsonNumber, isJsonObject, readExactJson } from "./exact-json";
import { parseJson } from "./parse-json";
import { placeIn, UnreadableText } from "./unreadable-text";

/**
 * A JSON text in one form: equal ones mean the same. Members are sorted, and those of one name stay in their order, as readers
 * differ about which one counts. Numbers stay as they are written. A text that cannot be read stays as it is.
 */
export function canonicalJson(text: string): string {
  return ifReadable(text, written, () => text);
}

/** What is wrong with a text that is no JSON, and where; undefined for one that is. */
export function jsonProblem(text: string): string | undefined {
  if (parseJson(text) !== undefined) return undefined;
  return ifReadable(
    text,
    () => "is not JSON",
    ({ at }) => {
      const isAfterComma = /,\s*$/.test(text.slice(0, at)) && /^[\]}]/.test(text.slice(at));
      return `is not JSON at ${placeIn(text, at)}${isAfterComma ? ": a comma has nothing after it" : ""}`;
    },
  );
}

/** The value of a JSON text; undefined when it is none, or when JavaScript cannot hold all of it. */
export function losslessJson(text: string): unknown {
  const value = parseJson(text);
  return value !== undefined && canonicalJson(JSON.stringify(value)) === canonicalJson(text) ? value : undefined;
}

/** The value of a JSON text for who looks for something in it: values of one name are one list. Undefined when it is none. */
export function allOfJson(text: string): unknown {
  return ifReadable(text, all, () => undefined);
}

function ifReadable<T>(text: string, use: (value: ExactJson) => T, otherwise: (failure: UnreadableText) => T): T {
  try {
    return use(readExactJson(text));
  } catch (failure) {
    if (failure instanceof UnreadableText) return otherwise(failure);
    throw failure;
  }
}

function all(value: ExactJson): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isJsonNumber(value)) return value.value;
  if (!isJsonObject(value)) return value.map(all);
  const byName = Map.groupBy(value.members, ([name]) => name);
  const members = [...byName].map(([name, its]) => [name, its.map(([, member]) => all(member))] as const);
  return Object.fromEntries(members.map(([name, values]) => [name, values.length > 1 ? values.flat() : values[0]]));
}

function written(value: ExactJson): string {
  if (isJsonNumber(value)) return value.written;
  if (isJsonObject(value)) {
    const members = value.members.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(",")}}`;
  }
  if (typeof value === "object" && value !== null) return `[${value.map(written).join(",")}]`;
  return JSON.stringify(value);
}
