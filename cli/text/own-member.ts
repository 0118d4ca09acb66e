/**
 * A member of the record itself, not an inherited one: a claim or a property may have any name, also `constructor`,
 * which every object inherits.
 */
export function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
