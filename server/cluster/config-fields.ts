import { goQuoted } from "../framework/go-quoted";
import { isWireList, isWireObject, type WireObject, type WireValue } from "../framework/wire-value";
import { ConsulRefusal } from "./consul-refusal";

/** A config entry, or a record inside one. */
export type Entry = Readonly<Record<string, unknown>>;

/**
 * The fields of a Go struct in their order: text, flag, list of texts, map of texts, record, or list of records; `computed` is
 * taken and forgotten.
 */
export interface EntryShape {
  readonly [name: string]: "text" | "flag" | "texts" | "map" | "computed" | EntryShape | readonly [EntryShape];
}

/**
 * Decodes a config entry: keys in any case and with underscores, what is empty left out. Consul takes a value of another
 * type for what it could mean; this server does not.
 * @throws ConsulRefusal
 */
export function decodeEntry(shape: EntryShape, sent: WireObject): Entry {
  const unknown: string[] = [];
  const entry = decodeRecord(shape, sent, "", unknown);
  const problems = unknown.filter((key) => !/^(Kind|kind|CreateIndex|ModifyIndex)$/.test(key)).map(keyProblem);
  if (problems.length > 0) throw new ConsulRefusal(400, `Request decoding failed: ${errorList(problems)}`);
  return entry;
}

/** Several errors as Consul lists them. */
export function errorList(problems: readonly string[]): string {
  const count = problems.length === 1 ? "1 error" : `${problems.length} errors`;
  return `${count} occurred:\n${problems.map((problem) => `\t* ${problem}\n`).join("")}\n`;
}

function decodeRecord(shape: EntryShape, sent: WireObject, path: string, unknown: string[]): Entry {
  const found = new Map<string, unknown>();
  const own: string[] = [];
  for (const [key, value] of Object.entries(sent)) {
    const name = Object.keys(shape).find((known) => simplified(known) === simplified(key));
    const type = name === undefined ? undefined : shape[name];
    if (name === undefined || type === undefined) own.push(path + key);
    else found.set(name, decodeValue(type, value, path + name, unknown));
  }
  // What is inside is reported first.
  unknown.push(...own.sort());
  const members = Object.keys(shape).map((name) => [name, found.get(name)] as const);
  return Object.fromEntries(members.filter(([, value]) => !isZero(value)));
}

function decodeValue(type: EntryShape[string], value: WireValue, path: string, unknown: string[]): unknown {
  if (value === null || type === "computed") return undefined;
  if (type === "text" && typeof value === "string") return value;
  if (type === "flag" && typeof value === "boolean") return value;
  if (type === "texts" && isTexts(value)) return value;
  if (type === "map" && isWireObject(value) && isTexts(Object.values(value))) return sortedByKey(value);
  if (typeof type === "object" && isList(type)) {
    if (!isWireList(value) || !value.every(isWireObject)) throw otherType(path);
    return value.map((each, index) => decodeRecord(type[0], each, `${path}[${index}].`, unknown));
  }
  if (typeof type === "object" && !isList(type) && isWireObject(value))
    return decodeRecord(type, value, `${path}.`, unknown);
  throw otherType(path);
}

function otherType(path: string): ConsulRefusal {
  return new ConsulRefusal(501, `a ${path} of another type is not supported by the embedded server`);
}

function keyProblem(key: string): string {
  const problem = `invalid config key ${goQuoted(key)}`;
  return /namespace$/i.test(key) ? `${problem}, namespaces are a consul enterprise feature` : problem;
}

function simplified(key: string): string {
  return key.replaceAll("_", "").toLowerCase();
}

function isList(type: EntryShape | readonly [EntryShape]): type is readonly [EntryShape] {
  return Array.isArray(type);
}

function isTexts(value: WireValue | readonly WireValue[]): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function sortedByKey(map: WireObject): Entry {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A record that was sent stays, also an empty one: Go has a pointer to it. */
function isZero(value: unknown): boolean {
  if (value === undefined || value === "" || value === false) return true;
  return Array.isArray(value) && value.length === 0;
}
