/** A value of HCL: a literal, a list or a body in braces. */
export type HclValue = string | number | boolean | readonly HclValue[] | HclBody;

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

/** Deeper texts are refused, so that one cannot exhaust the stack. Policies need six levels. */
export const MOST_LEVELS = 32;

/** Text that cannot be read, and where. */
export class HclFailure extends Error {
  readonly at: number;

  constructor(at: number, reason: string) {
    super(reason);
    this.at = at;
  }
}
