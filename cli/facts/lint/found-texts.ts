import { parseDuration } from "../../../provider/core/duration";
import { step } from "../../../provider/core/property-path";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";

/** A text in the values of a record. */
export interface FoundText {
  readonly property: string;
  readonly text: string;
}

/** The texts in a value, each with its path. */
export function textsIn(property: string, value: unknown): readonly FoundText[] {
  if (hasUnknown(value)) return Array.isArray(value) ? known(property, value) : [];
  if (typeof value === "string") return [{ property, text: value }];
  if (Array.isArray(value)) return known(property, value);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(property + step(name), member));
}

function known(property: string, values: readonly unknown[]): readonly FoundText[] {
  return values.flatMap((value, index) => (hasUnknown(value) ? [] : textsIn(property + step(index), value)));
}

/** Undefined for what is unset, 0 (the server's own limit) or not known. */
export function secondsOf(value: unknown): number | undefined {
  if ((typeof value !== "string" && typeof value !== "number") || value === "") return undefined;
  const seconds = parseDuration(value);
  return typeof seconds === "number" && seconds > 0 ? seconds : undefined;
}
