import { isEmpty } from "../../provider/core/canonical";
import type { Definition, Values } from "../../provider/core/definition";
import { lookUpProperties } from "../../provider/core/look-up";
import { placeProperties } from "../../provider/core/tenant";
import type { RecordPlace } from "./record-place";

/** What of these values says where a record is, and is not in its id. */
export function placeIn(definition: Definition, values: Values): RecordPlace {
  const known = lookUpProperties(definition);
  const names = placeProperties(definition.dialect).filter((name) => known.includes(name) && !isEmpty(values[name]));
  return Object.fromEntries(names.map((name) => [name, String(values[name])]));
}

/** The id as an import takes it: `auth/jwt/role/ci?namespace=team`. A connection is said apart. */
export function placedId({ id, namespace, partition }: RecordPlace & { readonly id: string }): string {
  const named = Object.entries({ namespace, partition }).filter((pair): pair is [string, string] => !isEmpty(pair[1]));
  const query = new URLSearchParams(named).toString();
  return query === "" ? id : `${id}?${query}`;
}
