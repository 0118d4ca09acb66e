import type { JsonNode } from "./json-reader";

/**
 * JSON as Vault sees it: numbers stay text (Go's `json.Number`), so `1.0` is stored and returned as `1.0`.
 * The number form is JavaScript's own raw JSON object, which `JSON.stringify` prints verbatim.
 */
export interface NumberText {
  readonly rawJSON: string;
}

export interface WireObject {
  readonly [key: string]: WireValue;
}

export type WireValue = string | boolean | null | NumberText | readonly WireValue[] | WireObject;

interface RawJsonSupport {
  rawJSON(text: string): NumberText;
  isRawJSON(value: unknown): boolean;
}

// TypeScript's library does not declare the raw JSON functions yet; Node has them from 21 on.
const rawJsonSupport = JSON as unknown as RawJsonSupport;

export function numberFromText(text: string): NumberText {
  return rawJsonSupport.rawJSON(text);
}

export function isNumberText(value: unknown): value is NumberText {
  return rawJsonSupport.isRawJSON(value);
}

export function isWireList(value: WireValue | undefined): value is readonly WireValue[] {
  return Array.isArray(value);
}

export function isWireObject(value: WireValue | undefined): value is WireObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isNumberText(value);
}

/** The value of a JSON text, without the order of members. Of repeated members the last one counts. */
export function wireValue(node: JsonNode): WireValue {
  switch (node.kind) {
    case "object": {
      // No prototype: a body may hold a member called `__proto__`.
      const members: Record<string, WireValue> = Object.create(null);
      for (const [key, member] of node.members) members[key] = wireValue(member);
      return members;
    }
    case "array":
      return node.elements.map(wireValue);
    case "string":
      return node.text;
    case "number":
      return numberFromText(node.text);
    case "bool":
      return node.value;
    case "null":
      return null;
  }
}
