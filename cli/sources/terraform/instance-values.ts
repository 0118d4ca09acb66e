import { picked } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { asSecret } from "../../../provider/core/secret-envelope";
import { FINGERPRINTS } from "../../../provider/core/state-names";
import { isRecord } from "../../../provider/core/unknowns";
import type { Kept } from "../../../provider/hosts/terraform/kept";
import { withRecordSecrets } from "../../../provider/hosts/terraform/record-secrets";
import { printsIn, recordedIn } from "../../../provider/hosts/terraform/recorded";
import type { Attribute, ResourceTable } from "../../../provider/hosts/terraform/table";
import { type RawRecord, rawOf } from "../../../provider/hosts/terraform/value";

/** Attributes as Terraform's JSON has them. */
export interface Instance {
  readonly values: Readonly<Record<string, unknown>>;
  /** The attributes that the program keeps secret, or that have a part which it does. */
  readonly sensitive: ReadonlySet<string>;
  readonly kept: Kept;
}

/** An instance by the names of the tables, as a state of Pulumi would have it. */
export interface InstanceValues {
  readonly inputs: Values;
  readonly outputs: Values;
}

/** `hide` makes the envelope of a value that the program keeps secret, and that Terraform has all the same. */
export function instanceValues(
  table: ResourceTable,
  { values, sensitive, kept }: Instance,
  hide: (value: unknown) => unknown,
): InstanceValues {
  const raw = rawRecord(table, values);
  // What stands for the secret of a record has its fingerprint, so another one is a change.
  const recorded = withRecordSecrets(table.definition, recordedIn(table, raw, kept), ({ value }) => hide(value));
  const secrets = secretsIn(table, raw).map((name) => [name, asSecret(undefined)] as const);
  const hidden = [...table.inputs, ...table.outputs]
    .filter(
      ({ name, property, isWriteOnly }) => !isWriteOnly && sensitive.has(name) && recorded[property] !== undefined,
    )
    .map(({ property }) => [property, hide(recorded[property])] as const);
  const outputs = { ...recorded, ...Object.fromEntries(hidden), ...Object.fromEntries(secrets) };
  return { inputs: picked(outputs, [...Object.keys(table.definition.fields), FINGERPRINTS]), outputs };
}

/** The secrets that were written. Terraform has only their fingerprints. */
function secretsIn(table: ResourceTable, raw: RawRecord): readonly string[] {
  const { secrets } = table.definition;
  return Object.keys(printsIn(table, raw)).filter((property) => property in secrets);
}

/** The attributes as the CLI would send them. */
export function rawRecord(table: ResourceTable, values: Readonly<Record<string, unknown>>): RawRecord {
  const raw = (each: Attribute) => [each.name, rawOf(each.type, values[each.name])] as const;
  return Object.fromEntries([...table.own, ...table.inputs, ...table.outputs].map(raw));
}

/** True when the value, or anything inside it, is marked in one of Terraform's trees of marks. */
export function isMarked(marks: unknown): boolean {
  if (Array.isArray(marks)) return marks.some(isMarked);
  return isRecord(marks) ? Object.values(marks).some(isMarked) : marks === true;
}

/** The attributes that are marked, as a whole or in part. */
export function markedAttributes(marks: unknown): ReadonlySet<string> {
  const all = Object.entries(isRecord(marks) ? marks : {});
  return new Set(all.filter(([, mark]) => isMarked(mark)).map(([name]) => name));
}
