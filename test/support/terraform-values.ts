import { isRecord } from "../../provider/core/unknowns.ts";
import { propertyValue, valuesIn } from "../../provider/hosts/terraform/recorded.ts";
import type { Attribute, ResourceTable } from "../../provider/hosts/terraform/table.ts";
import { isUnknownRaw, type RawRecord, type ValueType } from "../../provider/hosts/terraform/value.ts";
import type { StackEntry } from "./contract-stack.ts";

// Values as Terraform's core reads them, and as its state keeps them in JSON.

/** Attributes that are missing, or whose value has not the type of the schema: core refuses the whole answer. */
export function wrongInType(table: ResourceTable, record: RawRecord): string[] {
  const attributes = attributesOf(table);
  const unknown = Object.keys(record).filter((name) => attributes.every((each) => each.name !== name));
  const wrong = attributes.filter((each) => !(each.name in record) || !conforms(each.type, record[each.name]));
  return [...unknown, ...wrong.map(({ name }) => name)];
}

/** True where the value is one of the type. Null and unknown are of each. */
export function conforms(type: ValueType, raw: unknown): boolean {
  if (raw === null || isUnknownRaw(raw)) return true;
  if (type === "string") return typeof raw === "string";
  if (type === "bool") return typeof raw === "boolean";
  if (type === "number") return typeof raw === "number" || typeof raw === "bigint";
  if (typeof type === "string")
    return type === "dynamic" && Array.isArray(raw) && raw.length === 2 && conforms(dynamicType(raw[0]), raw[1]);
  const [kind, inside] = type;
  // A list and a map have one type inside, an object and a tuple one for each member.
  const [one, each] = [inside as ValueType, inside as Readonly<Record<string | number, ValueType>>];
  if (kind === "list") return Array.isArray(raw) && raw.every((item) => conforms(one, item));
  if (kind === "tuple") return Array.isArray(raw) && raw.every((item, at) => conforms(each[at] ?? "none", item));
  if (!isRecord(raw)) return false;
  if (kind === "map") return Object.values(raw).every((item) => conforms(one, item));
  const names = Object.keys(each);
  return Object.keys(raw).length === names.length && names.every((name) => conforms(each[name] ?? "none", raw[name]));
}

/** The attributes of a state file. What is `dynamic` stands there with its type. */
export function stateFileOf(table: ResourceTable, record: RawRecord): Uint8Array {
  const written = ({ name, type }: Attribute) => {
    const value = record[name] ?? null;
    return type === "dynamic" && Array.isArray(value) ? { value: value[1], type: dynamicType(value[0]) } : value;
  };
  const entries = attributesOf(table).map((each) => [each.name, written(each)]);
  return Buffer.from(JSON.stringify(Object.fromEntries(entries)));
}

/** What core makes of the JSON of an upgraded state. */
export function recordInFile(table: ResourceTable, json: Uint8Array | undefined): RawRecord {
  const state = JSON.parse(Buffer.from(json ?? []).toString()) as RawRecord;
  const read = ({ name, type }: Attribute) => {
    const value = state[name] ?? null;
    return type === "dynamic" && isRecord(value) ? [typeBytes(value["type"]), value["value"]] : value;
  };
  return Object.fromEntries(attributesOf(table).map((each) => [each.name, read(each)]));
}

/** What Terraform's state has of one resource. */
export interface KeptRecord {
  readonly record: RawRecord;
  /** Its creation has failed: the next run makes it anew. */
  readonly isTainted: boolean;
}

/** The same as the suite has it, by the names of the tables. */
export function entryOf(table: ResourceTable, { record, isTainted }: KeptRecord): StackEntry {
  const inputs = valuesIn(table, record);
  const others = [...table.own, ...table.outputs].map((each) => [each.property, propertyValue(each, record)] as const);
  const { id, incomplete, ...outputs } = Object.fromEntries(others.filter(([, value]) => value !== undefined));
  return {
    id: String(id),
    inputs,
    outputs: { ...inputs, ...outputs },
    unfinished: isTainted || incomplete === true,
  };
}

function attributesOf({ own, inputs, outputs }: ResourceTable): readonly Attribute[] {
  return [...own, ...inputs, ...outputs];
}

function dynamicType(bytes: unknown): ValueType {
  return JSON.parse(Buffer.from(bytes as Uint8Array).toString()) as ValueType;
}

function typeBytes(type: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(type));
}
