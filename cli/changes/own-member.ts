/**
 * The member of a record that is its own. A claim or a property may have any name, also one that every object inherits
 * something by, such as `constructor`.
 */
export function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
