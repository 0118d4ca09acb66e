import { isRecord } from "../../core/unknowns";
import { snakeCase } from "./names";

/** The shape of a value. `any` is of whatever type the program gives. */
export type Shape =
  | { readonly kind: "text" | "number" | "bool" | "any" }
  | { readonly kind: "list" | "map"; readonly item: Shape }
  | { readonly kind: "record"; readonly members: readonly Member[] };

/** A member of a record with a fixed set of them. */
export interface Member {
  readonly property: string;
  readonly attribute: string;
  readonly shape: Shape;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
}

/** A type as the package's schema has it, which is generated from the rows. */
export interface SchemaType {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: SchemaType;
  readonly additionalProperties?: SchemaType;
  readonly oneOf?: readonly SchemaType[];
}

export interface SchemaProperty extends SchemaType {
  readonly description?: string;
  readonly secret?: boolean;
}

export interface SchemaObject {
  readonly type: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaProperty>>;
  readonly required?: readonly string[];
}

export type SchemaTypes = Readonly<Record<string, SchemaObject>>;

const ANY: Shape = { kind: "any" };
const REFERENCE = "#/types/";

/** Throws for what has no shape: better no resource than one with a wrong type. */
export function shapeOf(schema: SchemaType, types: SchemaTypes): Shape {
  if (schema.$ref === "pulumi.json#/Any") return ANY;
  if (schema.$ref?.startsWith(REFERENCE)) return namedShape(schema.$ref.slice(REFERENCE.length), types);
  if (schema.oneOf) return choice(schema.oneOf);
  if (schema.type === "array" && schema.items) return { kind: "list", item: shapeOf(schema.items, types) };
  if (schema.type === "object" && schema.additionalProperties)
    return { kind: "map", item: shapeOf(schema.additionalProperties, types) };
  return primitive(schema.type);
}

/** Terraform has no list or map whose elements differ in type: a property with such a part is `dynamic` as a whole. */
export function holdsAny(shape: Shape): boolean {
  if (shape.kind === "record") return shape.members.some((member) => holdsAny(member.shape));
  return "item" in shape ? holdsAny(shape.item) : shape.kind === "any";
}

/** The shape of a member of a record, or of the records in a map. */
export function memberShape(shape: Shape, property: string): Shape {
  if ("item" in shape) return memberShape(shape.item, property);
  const member = shape.kind === "record" ? shape.members.find((each) => each.property === property) : undefined;
  if (!member) throw new Error(`the package's schema has no member ${property} of these records`);
  return member.shape;
}

/** The value with its members by Terraform's names, or, the other way round, by those of the tables. */
export function renamed(shape: Shape, value: unknown, to: "attribute" | "property"): unknown {
  if (shape.kind === "list") {
    return Array.isArray(value) ? value.map((item) => renamed(shape.item, item, to)) : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  if (shape.kind === "map") {
    return Object.fromEntries(entries.map(([key, item]) => [key, renamed(shape.item, item, to)]));
  }
  if (shape.kind !== "record") return value;
  const from = to === "attribute" ? "property" : "attribute";
  return Object.fromEntries(
    entries.map(([key, item]) => {
      const member = shape.members.find((each) => each[from] === key);
      return member ? [member[to], renamed(member.shape, item, to)] : [key, item];
    }),
  );
}

function namedShape(name: string, types: SchemaTypes): Shape {
  const found = types[name];
  if (found?.enum) return primitive(found.type);
  if (!found?.properties) throw new Error(`the package's schema has no type ${name}`);
  const { properties, required = [] } = found;
  const members = Object.entries(properties).map(([property, part]) => ({
    property,
    attribute: snakeCase(property),
    shape: shapeOf(part, types),
    description: part.description ?? "",
    isRequired: required.includes(property),
    isSecret: part.secret === true,
  }));
  return { kind: "record", members };
}

/** Terraform writes a number, such as the seconds of a duration, as text where text is asked for; a document is JSON text. */
function choice(options: readonly SchemaType[]): Shape {
  const kinds = options.map(({ type }) => type);
  return kinds.includes("string") && !kinds.includes("boolean") ? { kind: "text" } : ANY;
}

function primitive(type: string | undefined): Shape {
  if (type === "string") return { kind: "text" };
  if (type === "number" || type === "integer") return { kind: "number" };
  if (type === "boolean") return { kind: "bool" };
  throw new Error(`Terraform has no type for ${type}`);
}
