import { same } from "../../../provider/core/field";
import { isRecord } from "../../../provider/core/unknowns";
import type { FoundRecord } from "../../sources/servers/found-record";

/** The record with its sets in one order: that of a server is random. What has an order stays as it is. */
export function sorted(record: FoundRecord): FoundRecord {
  const { fields } = record.definition;
  const values = Object.entries(record.values).map(([property, value]) => {
    const field = fields[property];
    const ordered = sortedWithin(value);
    return [property, field && same(field, value, ordered) ? ordered : value] as const;
  });
  return { ...record, values: Object.fromEntries(values) };
}

function sortedWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.every((item) => typeof item === "string") ? value.toSorted() : value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sortedWithin(member)]));
}
