import { canonicalText, picked } from "../../core/canonical";
import type { Definition, Values } from "../../core/definition";
import { lookUpProperties } from "../../core/look-up";
import { fill, placeholders } from "../../core/template";
import { hasUnknown } from "../../core/unknowns";
import { INCOMPLETE_ATTRIBUTE } from "./table";
import type { RawRecord } from "./value";

// Terraform replaces what a failed creation has left. The record is what the program wants, but for what is missing: so it
// is not deleted, and the creation takes it over.

/**
 * The same for a record and for one that can become it without a deletion: where it is, and what no update changes. Undefined
 * while that is not known, as where the server gives the id.
 */
export function placeOf(definition: Definition, values: Values): string | undefined {
  const names = placeholders(definition.id);
  const fixed = picked(values, [...names, ...lookUpProperties(definition), ...definition.replaceOn]);
  if (hasUnknown(Object.values(fixed)) || names.some((name) => name in definition.outputs)) return undefined;
  return canonicalText([fill(definition.id, values), fixed]);
}

/** Whether this deletion makes room for the same record. */
export function isTakenOver(definition: Definition, prior: RawRecord, olds: Values, place: string): boolean {
  return prior[INCOMPLETE_ATTRIBUTE] === true && placeOf(definition, olds) === place;
}
