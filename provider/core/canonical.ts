import { isRecord } from "./unknowns";

/** JSON text with sorted keys: equal texts mean equal values, whatever the order of members. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "undefined";
}

/** Unset, null, "", [] and {} mean the same to the servers, which remember how a field became empty. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

/** The members of these names that are set. */
export function picked(values: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  // Every object inherits something by names such as `constructor`.
  const isSet = (name: string) => Object.hasOwn(values, name) && values[name] !== undefined;
  return Object.fromEntries(names.filter(isSet).map((name) => [name, values[name]]));
}

/** Elements without order and repetition. */
export function setOf(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .filter((key) => value[key] !== undefined)
      .map((key) => [key, sorted(value[key])]),
  );
}
