import { checkResource } from "../../provider/core/check-set.ts";
import type { Values } from "../../provider/core/definition.ts";
import { diff } from "../../provider/core/diff.ts";
import type { Failure } from "../../provider/core/errors.ts";
import { secretProperties } from "../../provider/core/fingerprint.ts";
import { DEFAULTS } from "../../provider/core/members.ts";
import { isRecord, UNKNOWN } from "../../provider/core/unknowns.ts";
import { normalised, valuesIn } from "../../provider/hosts/terraform/recorded.ts";
import { renamed } from "../../provider/hosts/terraform/shape.ts";
import type { Attribute, ResourceTable } from "../../provider/hosts/terraform/table.ts";
import { hasUnknownRaw, isEqual, type RawRecord, rawOf, type ValueType } from "../../provider/hosts/terraform/value.ts";
import { secretsApart } from "../../tools/terraform/pages/secrets-apart.ts";
import { InputsRefused } from "./inputs-refused.ts";

// What Terraform demands of a plan and an apply, as its core checks them. Each answers the attributes that break a rule.

/** Attributes whose planned value is neither the program's nor, where both are set, the recorded one. */
export function wrongInPlan(table: ResourceTable, prior: RawRecord | undefined, config: RawRecord, planned: RawRecord) {
  return attributesOf(table)
    .filter((each) => {
      const [was, wanted, is] = [prior?.[each.name] ?? null, config[each.name] ?? null, planned[each.name] ?? null];
      if (each.isWriteOnly) return is !== null;
      if (isSame(is, wanted)) return false;
      if (each.isComputed && wanted === null) return false;
      return !(isSame(is, was) && was !== null && wanted !== null);
    })
    .map(({ name }) => name);
}

/** Attributes that an apply has left other than planned, or not known. */
export function wrongInApply(table: ResourceTable, planned: RawRecord, applied: RawRecord): string[] {
  return attributesOf(table)
    .map(({ name }) => name)
    .filter(
      (name) => hasUnknownRaw(applied[name]) || !(hasUnknownRaw(planned[name]) || isSame(planned[name], applied[name])),
    );
}

export interface Replacement {
  readonly prior: RawRecord;
  readonly planned: RawRecord;
  /** What the plan says must be replaced for. */
  readonly paths: readonly string[];
}

/** The properties for which Terraform replaces: of those that it is told, the ones that change, and write-only ones always. */
export function replacedIn(table: ResourceTable, { prior, planned, paths }: Replacement): string[] {
  return attributesOf(table)
    .filter(({ name, isWriteOnly }) => paths.includes(name) && (isWriteOnly || !isSame(prior[name], planned[name])))
    .map(({ property }) => property);
}

/**
 * True where the values mean the same, and Terraform shows a change all the same: what is written out where nothing was
 * said, or the other way round, must be planned as it is written. The provider then sends nothing.
 */
export function isRespelled(table: ResourceTable, prior: RawRecord, planned: RawRecord): boolean {
  const { definition, inputs } = table;
  const differing = attributesOf(table).filter(({ name }) => !isSame(prior[name], planned[name]));
  const isWrittenOut = ({ name }: Attribute) => (prior[name] ?? null) === null || (planned[name] ?? null) === null;
  // The settings of records move to the defaults of their set, and back.
  const hasMoved = differing.some((each) => each.property === DEFAULTS && isWrittenOut(each));
  const mayDiffer = (each: Attribute) =>
    inputs.includes(each) && (isWrittenOut(each) || (hasMoved && each.property === definition.members?.property));
  if (!differing.every(mayDiffer)) return false;
  const [was, is] = [prior, planned].map((record) => normalised(table, valuesIn(table, record)));
  return diff(definition, was ?? {}, is ?? {}).changed.length === 0;
}

/** Throws for values that no program of Terraform can have where the schema has another type: no provider is asked then. */
export function assertTypes(table: ResourceTable, values: Values): void {
  const failures = wrongTypes(table, values);
  if (failures.length > 0) throw new InputsRefused(failures);
}

/** What is wrong with values of another type than the schema has. */
export function wrongTypes({ definition, inputs }: ResourceTable, values: Values): readonly Failure[] {
  const wrong = inputs.filter(({ property, type }) => !isWritable(type, values[property])).map((each) => each.property);
  if (wrong.length === 0) return [];
  return checkResource(definition, values).failures.filter(({ property }) =>
    wrong.some((name) => property.startsWith(name)),
  );
}

/** A document is JSON text in Terraform, where other programs may give an object. */
function isWritable(type: ValueType, value: unknown): boolean {
  if (value === undefined || value === null || value === UNKNOWN || type === "dynamic") return true;
  if (typeof type === "string") return typeof value !== "object";
  const [kind, inside] = type;
  if (kind === "list") return Array.isArray(value);
  // A map has one type inside.
  const isMap = kind === "map";
  return isRecord(value) && (!isMap || Object.values(value).every((item) => isWritable(inside as ValueType, item)));
}

/** A program's configuration with these values. */
export function configWith(table: ResourceTable, values: Values): RawRecord {
  const unset = [...table.own, ...table.outputs].map(({ name }) => [name, null] as const);
  const set = givenIn(table, values).map(([{ name, type }, value]) => [name, rawOf(type, value)] as const);
  return Object.fromEntries([...unset, ...set]);
}

/** What a program says in each attribute to have these values: what is secret is given in the write-only one. */
export function givenIn(table: ResourceTable, values: Values): readonly (readonly [Attribute, unknown])[] {
  const { definition, inputs } = table;
  const secret = secretProperties(definition, values);
  const { values: plain, secrets } = secretsApart(definition, values);
  const isElsewhere = ({ property, isWriteOnly }: Attribute) =>
    typeof definition.secrets[property] === "object" && secret.includes(property) !== isWriteOnly;
  const given = (each: Attribute) => {
    if (each.setting !== undefined) return secrets[each.setting];
    return isElsewhere(each) ? undefined : renamed(each.shape, plain[each.property], "attribute");
  };
  return inputs.map((each) => [each, given(each)]);
}

function attributesOf({ own, inputs, outputs }: ResourceTable): readonly Attribute[] {
  return [...own, ...inputs, ...outputs];
}

function isSame(one: unknown, other: unknown): boolean {
  return isEqual({ value: one ?? null }, { value: other ?? null });
}
