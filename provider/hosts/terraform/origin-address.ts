import type { Definition, Values } from "../../core/definition";
import { ProviderError } from "../../core/errors";
import { trimSlashes } from "../../core/rows";
import { fill, parse, placeholders } from "../../core/template";
import { tenantProperty } from "../../core/tenant";
import type { Origin } from "./origins";

/** Whether a resource with these attributes is one of the row. */
export function fits({ when = {} }: Origin, theirs: Values): boolean {
  return Object.entries(when).every(([attribute, value]) => theirs[attribute] === value);
}

/** The id, with the values that it is made of in our form. */
export function addressOf(definition: Definition, { from, type }: Origin, theirs: Values) {
  const tenant = tenantProperty(definition.dialect);
  const given = Object.entries(tenant === undefined ? from : { [tenant]: tenant, ...from }).map(([name, attribute]) => {
    const value = theirs[attribute] ?? undefined;
    return [name, typeof value === "string" ? trimSlashes(value) : value] as const;
  });
  const values: Values = Object.fromEntries(given);
  const id = fill(definition.id, values);
  const inId = parse(definition.id, id);
  if (inId === undefined) {
    throw new ProviderError("InputError", `the state of ${type} has no ${Object.values(from).join(" or no ")}`);
  }
  const names = placeholders(definition.id);
  const others = given.filter(([name, value]) => !names.includes(name) && value !== undefined && value !== "");
  return { id, values: { ...Object.fromEntries(others), ...inId } };
}
