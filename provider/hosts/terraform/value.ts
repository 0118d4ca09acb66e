import { decode, ExtData, encode } from "@msgpack/msgpack";
import { ProviderError } from "../../core/errors";
import { isRecord, UNKNOWN } from "../../core/unknowns";
import type { Shape } from "./shape";

/** A type as Terraform writes it in JSON: `"string"`, `["list", "string"]`, `["object", { name: "string" }]`. */
export type ValueType = string | readonly [kind: string, of: unknown];

/** Values of attributes as they came: what is not changed goes back as it is, of the type that it had. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** What is known after the apply. */
export const UNKNOWN_RAW = new ExtData(0, new Uint8Array(1));

/** Unknown as such, and unknown with hints at what it will be. */
const UNKNOWN_KINDS = [0, 12];

/** Attributes in a message; undefined where there is no record. */
export function recordIn(bytes: Uint8Array | undefined): RawRecord | undefined {
  const decoded = valueIn(bytes);
  return isRecord(decoded) ? decoded : undefined;
}

/** A value that is no record, in a message. */
export function valueIn(bytes: Uint8Array | undefined): unknown {
  return bytes === undefined || bytes.length === 0 ? undefined : decode(bytes, { useBigInt64: true });
}

/** Such a value for a message. */
export function messageWith(value: string | number): { readonly msgpack: Uint8Array } {
  return { msgpack: encode(value) };
}

/** A record, or none, for a message. */
export function messageOf(record: RawRecord | undefined): { readonly msgpack: Uint8Array } {
  return { msgpack: encode(record ?? null, { useBigInt64: true, sortKeys: true }) };
}

/** True for records that are the same message. */
export function isEqual(one: RawRecord, other: RawRecord): boolean {
  return Buffer.compare(messageOf(one).msgpack, messageOf(other).msgpack) === 0;
}

export function isUnknownRaw(raw: unknown): boolean {
  return raw instanceof ExtData && UNKNOWN_KINDS.includes(raw.type);
}

/** True for null, also for one that has a type: so a module's variable gives it to an attribute of any type. */
export function isNullRaw(raw: unknown): boolean {
  return raw === null || raw === undefined || (Array.isArray(raw) && raw[0] instanceof Uint8Array && raw[1] === null);
}

/** True when the value, or anything inside it, is not known yet. */
export function hasUnknownRaw(raw: unknown): boolean {
  if (isUnknownRaw(raw)) return true;
  if (Array.isArray(raw)) return raw.some(hasUnknownRaw);
  return isRecord(raw) && !(raw instanceof Uint8Array) && Object.values(raw).some(hasUnknownRaw);
}

/** The type of the values of a shape. */
export function typeOf(shape: Shape): ValueType {
  if (shape.kind === "list" || shape.kind === "map") return [shape.kind, typeOf(shape.item)];
  if (shape.kind === "record")
    return ["object", Object.fromEntries(shape.members.map((member) => [member.attribute, typeOf(member.shape)]))];
  return { text: "string", number: "number", bool: "bool", any: "dynamic" }[shape.kind];
}

/** A plain value of what came in a message: null members of objects and maps are left out. */
export function plainOf(type: ValueType, raw: unknown): unknown {
  if (raw === null || raw === undefined) return undefined;
  if (raw instanceof ExtData) return UNKNOWN;
  // A file has the type by its name, a message before the value.
  if (type === "dynamic" && isRecord(raw)) return plainOf(raw["type"] as ValueType, raw["value"]);
  if (type === "dynamic") return Array.isArray(raw) ? plainOf(typeIn(raw[0]), raw[1]) : undefined;
  if (type === "number") return numberOf(raw);
  if (typeof type === "string") return raw;
  const inside = typesInside(type);
  if (Array.isArray(raw)) return raw.map((item, at) => plainOf(inside(at), item) ?? null);
  if (!isRecord(raw)) return raw;
  const entries = Object.entries(raw).map(([key, item]) => [key, plainOf(inside(key), item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/** A plain value for a message. What is `dynamic` goes with the type that it has. */
export function rawOf(type: ValueType, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (value === UNKNOWN) return UNKNOWN_RAW;
  if (type === "dynamic") {
    const own = ownType(value);
    return [new TextEncoder().encode(JSON.stringify(own)), rawOf(own, value)];
  }
  // A document may be given as an object elsewhere.
  if (type === "string") return typeof value === "object" ? JSON.stringify(value) : String(value);
  if (typeof type === "string") return value;
  const [kind, of] = type;
  const inside = typesInside(type);
  if (Array.isArray(value)) return value.map((item, at) => rawOf(inside(at), item));
  if (!isRecord(value)) throw new ProviderError("ResponseError", "a value of the server has a wrong type.");
  const keys = kind === "object" && isRecord(of) ? Object.keys(of) : Object.keys(value);
  return Object.fromEntries(keys.map((key) => [key, rawOf(inside(key), value[key])]));
}

function typeIn(bytes: unknown): ValueType {
  // Terraform's own encoding: the type of a dynamic value stands before it, in JSON.
  return JSON.parse(new TextDecoder().decode(bytes as Uint8Array)) as ValueType;
}

function typesInside([kind, of]: readonly [string, unknown]): (key: string | number) => ValueType {
  if (kind === "object" || kind === "tuple") {
    const types = of as Readonly<Record<string | number, ValueType | undefined>>;
    return (key) => types[key] ?? "dynamic";
  }
  return () => of as ValueType;
}

function ownType(value: unknown): ValueType {
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "bool";
  if (Array.isArray(value)) return ["tuple", value.map(ownType)];
  if (!isRecord(value)) return "dynamic";
  return ["object", Object.fromEntries(Object.entries(value).map(([key, item]) => [key, ownType(item)]))];
}

/** Terraform counts without limits: what a double does not hold comes as 64 bits or as text. */
function numberOf(raw: unknown): number {
  const number = Number(raw);
  const isWhole = typeof raw === "bigint" || (typeof raw === "string" && /^-?\d+$/.test(raw));
  if (Number.isFinite(number) && (!isWhole || Number.isSafeInteger(number))) return number;
  throw new ProviderError("InputError", `the number ${String(raw)} is too large: it must be below 2^53.`);
}
