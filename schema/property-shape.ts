import type { Definition } from "typescript-json-schema";

/** The shape of a value, apart from any language. */
export type Shape =
  | { readonly kind: "primitive"; readonly name: "string" | "number" | "boolean"; readonly isWhole?: boolean }
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "map"; readonly value: Shape }
  | { readonly kind: "union"; readonly options: readonly Shape[] }
  | {
      readonly kind: "record";
      readonly name: string;
      readonly description: string;
      readonly members: readonly Member[];
    }
  | { readonly kind: "anything" };

/** A member of a record with a fixed set of them. */
export interface Member {
  readonly name: string;
  readonly description: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
}

export type RecordShape = Extract<Shape, { kind: "record" }>;

export type Schemas = Readonly<Record<string, Definition | boolean | undefined>>;

const reference = "#/definitions/";

/** The schema that a reference leads to, or the schema itself. Throws when it leads nowhere. */
export function resolved(schema: Definition, definitions: Schemas): Definition {
  if (schema.$ref === undefined) return schema;
  const found = definitions[nameIn(schema.$ref)];
  if (typeof found !== "object") throw new Error(`there is no ${schema.$ref}`);
  return found;
}

/** Throws for what a property of a resource cannot be: better no class than one with a wrong type. */
export function shapeOf(schema: Definition, definitions: Schemas, name?: string): Shape {
  if (schema.$ref !== undefined) return shapeOf(resolved(schema, definitions), definitions, ownName(schema.$ref));
  const inner = (part: Definition["items"]) => {
    if (Array.isArray(part) || typeof part !== "object") throw unfit(schema);
    return shapeOf(part, definitions);
  };
  if (schema.anyOf) return { kind: "union", options: schema.anyOf.map(inner) };
  if (schema.enum) return { kind: "words", words: schema.enum.map(String) };
  if (Array.isArray(schema.type)) return { kind: "union", options: schema.type.map((type) => inner({ type })) };
  if (schema.type === "array") return { kind: "list", item: inner(schema.items) };
  if (schema.type === "string" || schema.type === "number" || schema.type === "boolean") {
    return { kind: "primitive", name: schema.type };
  }
  if (schema.type === "object" && schema.properties && name !== undefined) {
    const members = Object.entries(schema.properties).map(([member, part]) => memberOf(member, part, schema, inner));
    return { kind: "record", name, description: schema.description ?? "", members };
  }
  if (schema.type === "object" && typeof schema.additionalProperties === "object") {
    return { kind: "map", value: inner(schema.additionalProperties) };
  }
  if (Object.keys(schema).length === 0) return { kind: "anything" };
  throw unfit(schema);
}

/** The records that shapes refer to, each once. */
export function recordsIn(shapes: readonly Shape[]): RecordShape[] {
  const found = shapes.flatMap(recordsInOne).map((record) => [record.name, record] as const);
  return [...new Map(found).values()];
}

function recordsInOne(shape: Shape): RecordShape[] {
  switch (shape.kind) {
    case "list":
      return recordsInOne(shape.item);
    case "map":
      return recordsInOne(shape.value);
    case "union":
      return shape.options.flatMap(recordsInOne);
    case "record":
      return [shape, ...shape.members.flatMap((member) => recordsInOne(member.shape))];
    default:
      return [];
  }
}

function memberOf(
  name: string,
  part: Definition | boolean,
  owner: Definition,
  inner: (part: Definition) => Shape,
): Member {
  if (typeof part !== "object" || part.description === undefined) throw new Error(`${name} has no description`);
  const isRequired = owner.required?.includes(name) ?? false;
  return { name, description: part.description, shape: inner(part), isRequired };
}

function nameIn(ref: string): string {
  return decodeURIComponent(ref.slice(reference.length));
}

/** Two modules may have a type of one name: the compiler's schema numbers the second one. */
function ownName(ref: string): string {
  return nameIn(ref).replace(/_\d+$/, "");
}

function unfit(schema: Definition): Error {
  return new Error(`cannot be a property's type: ${JSON.stringify(schema)}`);
}
