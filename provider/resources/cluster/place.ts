import * as z from "zod";
import { isEmpty } from "../../core/canonical";
import type { Values } from "../../core/definition";
import type { Field } from "../../core/field";
import { isPrintable, lowerCase, NOT_PRINTABLE, string } from "../../core/rows";

/** Partitions and namespaces. `default` is the same as none. The community edition has no others. */

/** The namespace of a service. It is a member of the record: services of one name may be in several. */
export function namespace(): Field<string, false> {
  const schema = z
    .string({ error: "must be a string" })
    .regex(/^[^/\s]*$/, { error: "must be a name without slashes and blanks" })
    .refine(isPrintable, { error: NOT_PRINTABLE })
    .refine((name) => name !== "." && name !== "..", { error: "must not be `.` or `..`" });
  return lowerCase({ ...string("Namespace"), schema, canonical: comparedPlace });
}

/** The form in which names of places are compared. */
export function comparedPlace(value: unknown): string {
  return value === undefined || value === "default" ? "" : String(value);
}

/** Leaves out the default place: the community edition refuses a request that names it. */
export function withoutDefaultPlace(inputs: Values, property = "partition"): Values {
  const { [property]: given, ...rest } = inputs;
  return isEmpty(given) || String(given).toLowerCase() === "default" ? rest : inputs;
}
