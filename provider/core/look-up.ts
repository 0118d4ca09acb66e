import { isEmpty } from "./canonical";
import { recordedForm } from "./check";
import type { Definition, Values } from "./definition";
import { type Failure, ProviderError, textOf } from "./errors";
import { addressProperties } from "./move";
import { idIn } from "./record-id";
import { removalOf } from "./removal";
import { parse, placeholders, requiredPlaceholders } from "./template";

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
 * The address in an id that a person wrote, who may add to the id what it does not hold: `auth/jwt/role/ci?connection=east`.
 * What the id says may have any form that a program may give it: `auth/jwt/role/CI` is `auth/jwt/role/ci`.
 */
export function addressIn(definition: Definition, text: string): Address {
  const at = text.lastIndexOf("?");
  const values = Object.fromEntries(new URLSearchParams(at < 0 ? "" : text.slice(at + 1)));
  const known = lookUpProperties(definition);
  const added = Object.keys(values);
  // A question mark that nothing follows is part of a name.
  const isAddress = added.length > 0 && added.every((name) => known.includes(name));
  return { id: recordedId(definition, isAddress ? text.slice(0, at) : text), values: isAddress ? values : {} };
}

function recordedId(definition: Definition, id: string): string {
  const recorded = Object.entries(parse(definition.id, id) ?? {}).map(([name, value]) => {
    const field = definition.fields[name];
    return [name, field ? recordedForm(name, field, value) : value] as const;
  });
  return recorded.length === 0 ? id : idIn(definition, Object.fromEntries(recorded));
}

/**
 * The values that stand for a record: what its id says, under what is recorded of it. Nobody has checked them yet:
 * `assertAddress` does, before they become a path.
 */
export function valuesFromId(definition: Definition, id: string, state: Values): Values {
  return { ...parse(definition.id, id), ...state };
}

/**
 * Refuses values of an id or a state that would lead to another record than one of this resource. The rows are those
 * that check a program's inputs: a state file, and an id to import, are as untrusted as a program. A read looks some
 * records up in a collection, by whatever its id says; then only what stands in the path of the read has to fit.
 */
export function assertAddress(definition: Definition, id: string, values: Values, request: "read" | "write"): void {
  const rows = { ...definition.outputs, ...definition.fields };
  const paths = pathsOf(definition, values, request);
  // An id that has a word for each of its values must still have the form of one.
  const isForeign = requiredPlaceholders(definition.id).length === 0 && parse(definition.id, id) === undefined;
  const isWhole = definition.parts !== undefined || isForeign;
  const needed = isWhole ? placeholders(definition.id) : paths.flatMap(requiredPlaceholders);
  const names = new Set([...needed, ...paths.flatMap(placeholders), ...addressProperties(definition)]);
  const failures = [...names].flatMap((name): Failure[] => {
    const [row, value] = [rows[name], values[name]];
    // The paths of a pair are those of its parts, which are checked in their turn.
    if (row === undefined) return [];
    if (isEmpty(value)) return needed.includes(name) ? [{ property: name, reason: "is missing" }] : [];
    const { error } = row.schema.safeParse(value);
    return (error?.issues ?? []).map(({ message }) => ({ property: name, reason: message }));
  });
  if (failures.length === 0) return;
  throw new ProviderError(
    "InputError",
    `the id ${JSON.stringify(id)}, with what the state records, leads to no such record: ${textOf(failures)}. The form of the id is ${definition.id}; correct the id or the state.`,
    { failures },
  );
}

function pathsOf(definition: Definition, values: Values, request: "read" | "write"): string[] {
  if (request === "read") return [definition.read.path];
  const removal = removalOf(definition, values);
  const written = [definition.read.path, definition.create.path, definition.update.path];
  return removal ? [...written, removal.path] : written;
}
