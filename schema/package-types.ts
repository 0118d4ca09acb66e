import { typeToken } from "../provider/core/type-token";
import type { ResourceModel } from "./package-model";
import type { Member, Shape } from "./property-shape";

/** A type as Pulumi's schema says it. */
export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
}

/** A property as Pulumi describes it. */
export type PropertySpec = TypeSpec & {
  readonly description: string;
  readonly default?: unknown;
  readonly defaultInfo?: { readonly environment: readonly string[] };
  readonly deprecationMessage?: string;
  readonly secret?: true;
  readonly willReplaceOnChanges?: true;
};

/** Where a type is used: what has no name of its own is named by it. */
export interface Place {
  readonly module: string;
  /** The resource, function or record. */
  readonly owner: string;
  readonly property: string;
}

/** The words that every resource and every connection has are one type. */
export const TAKE_OVER_PLACE: Place = { module: "index", owner: "Connection", property: "takeOver" };

/** The types that have a name: records, and words to choose from. They are found while properties are described. */
export interface NamedTypes {
  /** The type of that name, made when it is asked for the first time. */
  named(module: string, name: string, spec: () => object): TypeSpec;
  typeOf(shape: Shape, place: Place): TypeSpec;
  found(): readonly (readonly [string, object])[];
}

const anything: TypeSpec = { $ref: "pulumi.json#/Any" };

type Words = Extract<Shape, { kind: "words" }>;

/** Collects the types of one package. What is answered in a resource's words has the resource's type. */
export function namedTypes(resources: readonly ResourceModel[]): NamedTypes {
  const found = new Map<string, object>();

  function named(module: string, name: string, spec: () => object): TypeSpec {
    const token = typeToken(`${module}:${name}`);
    if (!found.has(token)) found.set(token, spec());
    return { $ref: `#/types/${token}` };
  }

  function typeOf(shape: Shape, place: Place): TypeSpec {
    const { module } = place;
    switch (shape.kind) {
      case "primitive":
        return { type: shape.isWhole ? "integer" : shape.name };
      case "words":
        return named(module, wordsName(shape, place), () => wordsSpec(shape));
      case "list":
        return { type: "array", items: typeOf(shape.item, { ...place, property: place.property.replace(/s$/, "") }) };
      case "map":
        return { type: "object", additionalProperties: typeOf(shape.value, place) };
      case "union":
        // Pulumi's Python SDK 3.272 refuses a list where the type is a choice between a list and something else.
        return shape.options.some(({ kind }) => kind === "list")
          ? anything
          : { oneOf: shape.options.map((option) => typeOf(option, place)) };
      case "record":
        return named(module, shape.name, () =>
          recordSpec(shape.description, shape.members, (member) =>
            typeOf(member.shape, { module, owner: shape.name, property: member.name }),
          ),
        );
      case "anything":
        return anything;
    }
  }

  /** `RoleType` for a role's `roleType`, `ConfigOidcResponseMode` else: no later resource can want the same name. */
  function wordsName(words: Words, { module, owner, property }: Place): string {
    const inModule = resources.filter((resource) => resource.module === module);
    const isResource = inModule.some(({ className }) => className === owner);
    const of = isResource
      ? owner
      : (inModule.find((resource) => hasWords(resource, property, words))?.className ?? owner);
    const [Owner, Property] = [capitalised(of), capitalised(property)];
    return Property.startsWith(Owner) ? Property : `${Owner}${Property}`;
  }

  return { named, typeOf, found: () => [...found] };
}

function hasWords({ inputs }: ResourceModel, property: string, words: Words): boolean {
  return inputs.some(({ name, shape }) => name === property && JSON.stringify(shape) === JSON.stringify(words));
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function wordsSpec({ words }: Words): object {
  const nameOf = (word: string) =>
    word
      .split(/[^A-Za-z0-9]+/)
      .map(capitalised)
      .join("");
  return { type: "string", enum: words.map((value) => ({ name: nameOf(value), value })) };
}

function recordSpec(description: string, members: readonly Member[], typeOf: (member: Member) => TypeSpec): object {
  return {
    type: "object",
    description,
    properties: Object.fromEntries(
      members.map((member) => [member.name, { ...typeOf(member), description: member.description }]),
    ),
    required: members.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}
