import type { FieldData } from "../framework/field-data";
import type { Fields } from "../framework/field-type";

/** The record after a write of the engine, which merges: of the named fields, those in the request replace the stored ones. */
export function withGivenFields<F extends Fields, R extends { readonly [K in N]: unknown }, N extends keyof F & string>(
  record: R,
  data: FieldData<F>,
  names: readonly N[],
): R {
  const given = names.map((name) => [name, data.given(name)] as const).filter(([, value]) => value !== undefined);
  return { ...record, ...Object.fromEntries(given) };
}
