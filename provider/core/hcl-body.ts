/** A value of HCL: a literal, a list or a body in braces. */
export type HclValue = string | boolean | HclNumber | readonly HclValue[] | HclBody;

export interface HclNumber {
  /** As it is written: the server takes that where it wants a text. */
  readonly written: string;
  readonly value: number;
}

/** One item: `path "a" { … }` has the keys `path` and `a`. A key can occur more than once. */
export interface HclItem {
  readonly keys: readonly string[];
  readonly value: HclValue;
}

/** What is in braces, or the whole text. */
export interface HclBody {
  readonly items: readonly HclItem[];
}

export function isHclBody(value: HclValue): value is HclBody {
  return typeof value === "object" && "items" in value;
}

export function isHclNumber(value: HclValue): value is HclNumber {
  return typeof value === "object" && "written" in value;
}
