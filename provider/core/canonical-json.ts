import { type ExactJson, isJsonNumber, isJsonObject, readExactJson } from "./exact-json";
import { parseJson } from "./parse-json";
import { placeIn, UnreadableText } from "./unreadable-text";

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

/** What is wrong with a text that is no JSON, and where; undefined for one that is. */
export function jsonProblem(text: string): string | undefined {
  if (parseJson(text) !== undefined) return undefined;
  try {
    readExactJson(text);
    return "is not JSON";
  } catch (failure) {
    if (failure instanceof UnreadableText) return `is not JSON at ${placeIn(text, failure.at)}`;
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
