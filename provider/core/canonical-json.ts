import { type ExactJson, isJsonNumber, isJsonObject, readExactJson } from "./exact-json";
import { parseJson } from "./parse-json";
import { UnreadableText } from "./unreadable-text";

/**
 * A JSON text in one form: equal ones mean the same. Members are sorted, and those of one name stay in their order, as readers
 * differ about which one counts. Numbers stay as they are written. A text that cannot be read stays as it is.
 */
export function canonicalJson(text: string): string {
  try {
    return written(readExactJson(text));
  } catch (failure) {
    if (failure instanceof UnreadableText) return text;
    throw failure;
  }
}

/** The value of a JSON text; undefined when it is none, or when JavaScript cannot hold all of it. */
export function losslessJson(text: string): unknown {
  const value = parseJson(text);
  return value !== undefined && canonicalJson(JSON.stringify(value)) === canonicalJson(text) ? value : undefined;
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
