import { DurationFailure, nanosecondsFromText } from "../framework/go-duration";
import type { HclItem, HclNode } from "./hcl-reader";
import { HclFailure, positioned } from "./hcl-scanner";

/** A value of HCL as a condition compares it. */
export type HclValue = string | number | boolean | readonly HclValue[] | null;

/** All values of one key, in order; labels that follow the key are objects of one member. */
export function valuesOf(items: readonly HclItem[], key: string): readonly HclNode[] {
  return items
    .filter(({ keys }) => keys[0] === key)
    .map(({ keys, value, line }) =>
      keys
        .slice(1)
        .reduceRight<HclNode>(
          (inner, label) => ({ kind: "object", line: 0, column: 0, items: [{ keys: [label], value: inner, line }] }),
          value,
        ),
    );
}

export function itemsOf(node: HclNode): readonly HclItem[] {
  return node.kind === "object" ? node.items : [];
}

/** @throws HclFailure */
export function textFrom(node: HclNode, name: string): string {
  if (node.kind === "literal" && node.type !== "BOOL" && node.type !== "FLOAT") return node.text;
  throw new HclFailure(`${positioned(node)}${name}: unknown type for string ${typeName(node)}`);
}

/** @throws HclFailure */
export function textsFrom(nodes: readonly HclNode[], name: string): readonly string[] {
  return nodes.flatMap(elementsOf).map((element, at) => textFrom(element, `${name}[${at}]`));
}

/** The members of objects, each a list; members of one name add up. @throws HclFailure */
export function listsFrom(nodes: readonly HclNode[], name: string): ReadonlyMap<string, readonly HclValue[]> {
  const lists = new Map<string, readonly HclValue[]>();
  for (const node of nodes) {
    if (node.kind !== "object") {
      throw new HclFailure(`${positioned(node)}${name}: not an object type for map (${typeName(node)})`);
    }
    for (const { keys, value } of node.items) {
      const [key = ""] = keys;
      lists.set(key, [...(lists.get(key) ?? []), ...elementsOf(value).map(valueIn)]);
    }
  }
  return lists;
}

/** Seconds of a duration; `undefined` when there is none. @throws HclFailure, also one that begins with `problem` */
export function secondsFrom(nodes: readonly HclNode[], problem: string): number | undefined {
  const node = nodes.at(-1);
  if (node === undefined) return undefined;
  const value = valueIn(node);
  if (typeof value === "number") return Math.trunc(value);
  if (typeof value !== "string") throw new HclFailure(`${problem}: could not parse duration from input`);
  try {
    return Number(nanosecondsFromText(value)) / 1e9;
  } catch (failure) {
    if (failure instanceof DurationFailure) throw new HclFailure(`${problem}: ${failure.message}`);
    throw failure;
  }
}

/** As HCL's errors name it. */
export function typeName({ kind }: HclNode): string {
  return { literal: "*ast.LiteralType", list: "*ast.ListType", object: "*ast.ObjectType" }[kind];
}

function elementsOf(node: HclNode): readonly HclNode[] {
  if (node.kind === "literal") throw new HclFailure(`${positioned(node)}unknown slice type: ${typeName(node)}`);
  return node.kind === "list" ? node.elements : [];
}

// An object is equal to nothing that a request can hold.
function valueIn(node: HclNode): HclValue {
  if (node.kind === "list") return node.elements.map(valueIn);
  if (node.kind === "object") return null;
  if (node.type === "BOOL") return node.text === "true";
  if (node.type !== "NUMBER" && node.type !== "FLOAT") return node.text;
  return /^-?0[0-7]+$/.test(node.text) ? Number.parseInt(node.text, 8) : Number(node.text);
}
