import type { Values, WireRecord } from "../../core/definition";

/**
 * Finds a record in a list: by its id, or by its name where the id is not known yet. An import may give the name instead of
 * the id: then it stands where the id would.
 */
export function byIdOr(idProperty: string, nameProperty: string) {
  return (list: unknown, values: Values): WireRecord | undefined => {
    const records = Array.isArray(list) ? (list as WireRecord[]) : [];
    const { [idProperty]: id, [nameProperty]: known } = values;
    const name = id === undefined ? known : known === undefined ? id : undefined;
    return records.find((entry) => entry["id"] === id) ?? records.find((entry) => entry[nameProperty] === name);
  };
}
