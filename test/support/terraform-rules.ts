import type { Values } from "../../provider/core/definition.ts";
import { secretProperties } from "../../provider/core/fingerprint.ts";
import { renamed } from "../../provider/hosts/terraform/shape.ts";
import type { Attribute, ResourceTable } from "../../provider/hosts/terraform/table.ts";
import { hasUnknownRaw, isEqual, type RawRecord, rawOf } from "../../provider/hosts/terraform/value.ts";

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

/** A program's configuration with these values: what is secret is given in the write-only attribute. */
export function configWith(table: ResourceTable, values: Values): RawRecord {
  const { definition, inputs } = table;
  const secret = secretProperties(definition, values);
  const value = (each: Attribute) => {
    const isConditional = typeof definition.secrets[each.property] === "object";
    if (isConditional && secret.includes(each.property) !== each.isWriteOnly) return null;
    return rawOf(each.type, renamed(each.shape, values[each.property], "attribute"));
  };
  const unset = [...table.own, ...table.outputs].map(({ name }) => [name, null] as const);
  return Object.fromEntries([...unset, ...inputs.map((each) => [each.name, value(each)] as const)]);
}

function attributesOf({ own, inputs, outputs }: ResourceTable): readonly Attribute[] {
  return [...own, ...inputs, ...outputs];
}

function isSame(one: unknown, other: unknown): boolean {
  return isEqual({ value: one ?? null }, { value: other ?? null });
}
