import type { Definition, Values } from "../core/definition";
import { SERVER } from "../core/state-names";
import { placeProperties } from "../core/tenant";

/** Between the two servers of a pair. */
export const BETWEEN_SERVERS = " + ";

export function serversOf(values: Values): string[] {
  return String(values[SERVER] ?? "").split(BETWEEN_SERVERS);
}

/** The properties that name a connection and a tenant, by what a single record calls them, each with the server of the state. */
export function statePlacesOf({ parts, dialect }: Definition, state: Values) {
  const properties = placeProperties(dialect);
  if (!parts) return [{ names: Object.fromEntries(properties.map((name) => [name, name])), server: state[SERVER] }];
  return [parts.issuerFields, parts.takerFields].map((fields, side) => {
    const names = Object.entries(fields).filter(([, own]) => properties.includes(own));
    return { names: Object.fromEntries(names), server: serversOf(state)[side] };
  });
}
