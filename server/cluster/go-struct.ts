import { goQuoted } from "../framework/go-quoted";
import type { JsonNode } from "../framework/json-reader";
import { type WireValue, wireValue } from "../framework/wire-value";

/** A Go struct as data: its fields in the order of their declaration. */
export interface GoStruct {
  readonly package: string;
  readonly name: string;
  /** Whether the field that holds it is a pointer, so that it can be null. */
  readonly pointer?: boolean;
  readonly fields: { readonly [name: string]: GoType };
}

/** A list of structs. */
export interface GoList {
  readonly elements: GoStruct;
}

/** `any` takes whatever comes. */
export type GoType = "string" | "any" | "[]string" | "map[string]string" | GoStruct | GoList;

/** What a Go type decodes to: zero values where the JSON has nothing. */
export type GoValue<T extends GoType> = T extends "string"
  ? string
  : T extends "any"
    ? WireValue
    : T extends "[]string"
      ? readonly string[] | null
      : T extends "map[string]string"
        ? Readonly<Record<string, string>> | null
        : T extends GoList
          ? readonly Exclude<GoValue<T["elements"]>, null>[] | null
          : T extends GoStruct
            ?
                | { readonly [K in keyof T["fields"]]: GoValue<T["fields"][K]> }
                | (T["pointer"] extends true ? null : never)
            : never;

interface Decoding {
  readonly refusesUnknown: boolean;
  /** Go goes on after a value that does not fit and reports the first one. */
  readonly failures: string[];
}

/** Where a value stands: the innermost struct's name and the path from the outermost one. */
interface Place {
  readonly struct?: string;
  readonly path: readonly string[];
}

/**
 * Decodes JSON into a Go struct as encoding/json does: keys in any case, null ignored, a repeated map merged.
 * @throws Error in the words of encoding/json.
 */
export function decodeGoStruct<T extends GoStruct>(
  type: T,
  node: JsonNode,
  { refusesUnknown }: { refusesUnknown: boolean },
): Exclude<GoValue<T>, null> {
  const decoding: Decoding = { refusesUnknown, failures: [] };
  const value = decodeStruct({ ...type, pointer: false }, { node, place: { path: [] } }, decoding);
  const [failure] = decoding.failures;
  if (failure !== undefined) throw new Error(`json: ${failure}`);
  // decodeStruct fills exactly the fields of the table with values of their types, which is what GoValue says.
  return value as Exclude<GoValue<T>, null>;
}

interface Slot {
  readonly node: JsonNode;
  readonly place: Place;
  readonly current?: unknown;
}

function decodeStruct(type: GoStruct, { node, place, current }: Slot, decoding: Decoding): unknown {
  if (node.kind === "null") return current ?? zeroValue(type);
  if (node.kind !== "object")
    return misfit(`${type.package}.${type.name}`, { node, place }, decoding) ?? zeroValue(type);
  const names = Object.keys(type.fields);
  const decoded: Record<string, unknown> = Object.fromEntries(
    Object.entries(type.fields).map(([name, field]) => [name, zeroValue(field)]),
  );
  for (const [key, member] of node.members) {
    const name = names.find((known) => known.toLowerCase() === key.toLowerCase());
    const field = name === undefined ? undefined : type.fields[name];
    if (name === undefined || field === undefined) {
      if (decoding.refusesUnknown) decoding.failures.push(`unknown field ${goQuoted(key)}`);
      continue;
    }
    const inner = { struct: type.name, path: [...place.path, name] };
    decoded[name] = decodeValue(field, { node: member, place: inner, current: decoded[name] }, decoding);
  }
  return decoded;
}

function decodeValue(type: GoType, slot: Slot, decoding: Decoding): unknown {
  const { node, place, current } = slot;
  if (typeof type === "object" && !("elements" in type)) return decodeStruct(type, slot, decoding);
  if (type === "string") return decodeString(slot, decoding);
  if (type === "any") return wireValue(node);
  if (node.kind === "null") return null;
  if (typeof type === "object") {
    if (node.kind !== "array")
      return misfit(`[]${type.elements.package}.${type.elements.name}`, slot, decoding) ?? null;
    return node.elements.map((element) => decodeStruct(type.elements, { node: element, place }, decoding));
  }
  if (type === "[]string") {
    if (node.kind !== "array") return misfit(type, slot, decoding) ?? null;
    return node.elements.map((element) => decodeString({ node: element, place }, decoding));
  }
  if (node.kind !== "object") return misfit(type, slot, decoding) ?? null;
  const members = node.members.map(([key, member]) => [key, decodeString({ node: member, place }, decoding)] as const);
  return { ...(typeof current === "object" ? current : {}), ...Object.fromEntries(members) };
}

function decodeString(slot: Slot, decoding: Decoding): string {
  const before = typeof slot.current === "string" ? slot.current : "";
  if (slot.node.kind === "string") return slot.node.text;
  if (slot.node.kind !== "null") misfit("string", slot, decoding);
  return before;
}

function misfit(type: string, { node, place }: Slot, decoding: Decoding): undefined {
  const target = place.struct === undefined ? "Go value" : `Go struct field ${place.struct}.${place.path.join(".")}`;
  decoding.failures.push(`cannot unmarshal ${node.kind} into ${target} of type ${type}`);
  return undefined;
}

function zeroValue(type: GoType): unknown {
  if (type === "string") return "";
  if (typeof type === "string" || "elements" in type || type.pointer) return null;
  return Object.fromEntries(Object.entries(type.fields).map(([name, field]) => [name, zeroValue(field)]));
}
