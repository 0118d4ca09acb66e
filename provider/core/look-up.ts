import type { Definition, Values } from "./definition";
import { placeholders } from "./template";

/** What finding a record takes besides its id: the part of its identity that the id does not hold, as its connection. */
export function lookUpProperties(definition: Definition): string[] {
  const inId = placeholders(definition.id);
  return definition.identity.filter((name) => definition.fields[name]?.place === "local" && !inId.includes(name));
}

/** A record by its address alone, as an import and a look-up have it. */
export interface Address {
  readonly id: string;
  readonly values: Values;
}

/**
 * The address in an id that a person wrote, who may add to the id what it does not hold:
 * `auth/jwt/role/ci?connection=east`.
 */
export function addressIn(definition: Definition, text: string): Address {
  const at = text.lastIndexOf("?");
  const values = Object.fromEntries(new URLSearchParams(at < 0 ? "" : text.slice(at + 1)));
  const known = lookUpProperties(definition);
  const isAddress = at >= 0 && Object.keys(values).every((name) => known.includes(name));
  return isAddress ? { id: text.slice(0, at), values } : { id: text, values: {} };
}
