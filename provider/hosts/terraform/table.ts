import type { Definition, SecretRule } from "../../core/definition";
import type { Field } from "../../core/field";
import type { FunctionDefinition } from "../../core/function";
import { lazily } from "../../core/lazily";
import { typeToken } from "../../core/type-token";
import { type Attribute, attribute } from "./attribute";
import { type FunctionTable, functionTable, type SchemaFunction } from "./function-table";
import { type ListTable, listTable } from "./list-table";
import { attributeName, functionName, resourceName, type Wording, wordingOf } from "./names";
import { secretSettings } from "./record-secrets";
import { memberShape, type SchemaProperty, type SchemaTypes, type Shape, shapeOf } from "./shape";
import { timeoutsAttribute } from "./timeouts";

export type { Attribute } from "./attribute";

/** The part of the package's schema that is read here. */
export interface PackageSchema {
  readonly resources: Readonly<Record<string, SchemaResource | undefined>>;
  readonly functions: Readonly<Record<string, SchemaFunction | undefined>>;
  readonly types: SchemaTypes;
  readonly config: { readonly variables: Readonly<Record<string, SchemaProperty>> };
}

interface SchemaResource {
  readonly description?: string;
  readonly properties: Readonly<Record<string, SchemaProperty>>;
  readonly inputProperties: Readonly<Record<string, SchemaProperty>>;
}

/** A resource of this host, made of its table: its attributes when they are first asked for, as a run has few of all types. */
export interface ResourceTable {
  readonly typeName: string;
  readonly definition: Definition;
  readonly description: string;
  /**
   * The attributes that the program sets. A property that is secret under a condition has two: the second is write-only. So
   * has each setting of a set's records that can be secret, as a map.
   */
  readonly inputs: readonly Attribute[];
  readonly outputs: readonly Attribute[];
  /** Those that no table has: `id`, `incomplete`, `timeouts` and, where something can be secret, `fingerprints`. */
  readonly own: readonly Attribute[];
}

export interface Tables {
  readonly resources: ReadonlyMap<string, ResourceTable>;
  /** Those whose answer may be in a state. */
  readonly dataSources: ReadonlyMap<string, FunctionTable>;
  /** Those that answer something new or secret each time. */
  readonly ephemerals: ReadonlyMap<string, FunctionTable>;
  /** The resources whose records a server can list. */
  readonly lists: ReadonlyMap<string, ListTable>;
  readonly provider: readonly Attribute[];
  readonly wording: Wording;
}

export function tablesOf(
  definitions: readonly Definition[],
  schema: PackageSchema,
  functions: readonly FunctionDefinition[] = [],
): Tables {
  const offered = definitions.filter((definition) => reasonAgainst(definition) === undefined);
  const wording = wordingOf(() => propertiesIn(schema), typeNames(offered, functions));
  const resources = offered.map((definition) => resourceTable(definition, schema, wording));
  const provider = lazily(() =>
    Object.entries(schema.config.variables).map(([property, part]) =>
      attribute(property, shapeOf(part, schema.types), {
        description: wording(part.description ?? ""),
        isOptional: true,
      }),
    ),
  );
  const lists = lazily(() => byType(resources.flatMap((table) => listTable(table) ?? [])));
  const calls = functions.map((each) =>
    functionTable(each, schema.functions[typeToken(each.token)], schema.types, wording),
  );
  return {
    resources: byType(resources),
    dataSources: byType(calls.filter(({ isEphemeral }) => !isEphemeral)),
    ephemerals: byType(calls.filter(({ isEphemeral }) => isEphemeral)),
    get lists() {
      return lists();
    },
    get provider() {
      return provider();
    },
    wording,
  };
}

/** Terraform's names by what a message calls a resource or a function. */
function typeNames(definitions: readonly Definition[], functions: readonly FunctionDefinition[]) {
  const titled = ({ token }: { readonly token: string }) => token.replace(":", ".");
  return new Map([
    ...definitions.map((each) => [titled(each), resourceName(each.token)] as const),
    ...functions.map((each) => [titled(each), functionName(each.token)] as const),
  ]);
}

function byType<Table extends { readonly typeName: string }>(tables: readonly Table[]): ReadonlyMap<string, Table> {
  return new Map(tables.map((table) => [table.typeName, table]));
}

/** Why Terraform does not get the resource; undefined where it does. */
export function reasonAgainst({ secretOutputs, members }: Definition): string | undefined {
  if (secretOutputs.length > 0) return "the server answers it with a secret, which Terraform would keep in its state";
  // Only what is not secret in every record stands in the records, too.
  const isUnderFlag = (rule: SecretRule | undefined) => typeof rule === "object" && "flag" in rule;
  return Object.values(members?.of.secrets ?? {}).every(isUnderFlag)
    ? undefined
    : "its records have secrets, and Terraform cannot leave a part of a map out of its state";
}

/** What shows of the secrets: a short keyed hash of each, by attribute. */
export const FINGERPRINTS_ATTRIBUTE = "fingerprints";
export const INCOMPLETE_ATTRIBUTE = "incomplete";
export const ID_ATTRIBUTE = "id";
const TEXT: Shape = { kind: "text" };

function resourceTable(definition: Definition, schema: PackageSchema, wording: Wording): ResourceTable {
  const found = schema.resources[typeToken(definition.token)];
  if (!found) throw new Error(`the package's schema has no ${definition.token}`);
  const describe = (name: string) => wording(found.properties[name]?.description ?? "");
  const shape = (name: string) => shapeOf(found.inputProperties[name] ?? found.properties[name] ?? {}, schema.types);
  const inputs = lazily(() =>
    Object.entries(definition.fields).flatMap(([name, field]) =>
      inputAttributes(definition, { name, field, shape: shape(name), description: describe(name) }),
    ),
  );
  const outputs = lazily(() =>
    Object.keys(definition.outputs).map((name) =>
      attribute(name, shape(name), { description: describe(name), isComputed: true }),
    ),
  );
  return {
    typeName: resourceName(definition.token),
    definition,
    get description() {
      return wording((found.description ?? "").split("\n\n")[0] ?? "");
    },
    get inputs() {
      return inputs();
    },
    get outputs() {
      return outputs();
    },
    own: ownAttributes(definition),
  };
}

interface Row {
  readonly name: string;
  readonly field: Field;
  readonly shape: Shape;
  readonly description: string;
}

function inputAttributes(definition: Definition, row: Row): Attribute[] {
  const { name, field, shape, description } = row;
  const rule = definition.secrets[name];
  const deprecated = field.deprecated !== undefined;
  if (rule === undefined || rule === "always") {
    const isWriteOnly = rule === "always";
    const hasDefault = field.fallback !== undefined;
    const asked = { isRequired: field.required, isOptional: !field.required, isComputed: hasDefault };
    const own = attribute(name, shape, { ...asked, isWriteOnly, deprecated, description });
    return [own, ...apartAttributes(definition, row)];
  }
  const plain = attribute(name, shape, { isOptional: true, deprecated, description });
  const otherwise = `The same as \`${plain.name}\`, where it is secret.`;
  const secret = { isOptional: true, isWriteOnly: true, deprecated, description: otherwise };
  return [plain, { ...attribute(name, shape, secret), name: `${plain.name}_wo` }];
}

/** For each setting of a set's records that can be secret, a map by the names of the records. */
function apartAttributes(definition: Definition, { name, shape }: Row): Attribute[] {
  if (name !== definition.members?.property) return [];
  return secretSettings(definition).map((setting) => {
    const plain = attributeName(setting);
    const description = `The same as \`${plain}\` in \`${attributeName(name)}\`, where it is secret: by the name of its record.`;
    const map: Shape = { kind: "map", item: memberShape(shape, setting) };
    return {
      ...attribute(name, map, { isOptional: true, isWriteOnly: true, description }),
      name: `${plain}_wo`,
      setting,
    };
  });
}

function ownAttributes(definition: Definition): Attribute[] {
  const computed = { isComputed: true };
  const id = attribute(ID_ATTRIBUTE, TEXT, {
    ...computed,
    description: "Id of the record, without its connection and namespace.",
  });
  const incomplete = attribute(
    INCOMPLETE_ATTRIBUTE,
    { kind: "bool" },
    {
      ...computed,
      description: "True after a write that failed half-way. The next apply repairs the record.",
    },
  );
  const { secrets, rotation } = definition;
  const hasSecrets = Object.keys(secrets).length > 0 || secretSettings(definition).length > 0;
  if (!hasSecrets && !rotation) return [id, incomplete, timeoutsAttribute()];
  const fingerprints = attribute(
    FINGERPRINTS_ATTRIBUTE,
    { kind: "map", item: TEXT },
    {
      ...computed,
      description: "Short keyed hash of each secret, by attribute: it shows that a secret changes, and is no secret.",
    },
  );
  return [id, incomplete, timeoutsAttribute(), fingerprints];
}

function propertiesIn({ resources, functions, types, config }: PackageSchema): string[] {
  const ofResources = Object.values(resources).flatMap((resource) => Object.keys(resource?.properties ?? {}));
  const ofFunctions = Object.values(functions).flatMap((each) => [
    ...Object.keys(each?.inputs?.properties ?? {}),
    ...Object.keys(each?.outputs?.properties ?? {}),
  ]);
  const ofTypes = Object.values(types).flatMap((type) => Object.keys(type.properties ?? {}));
  return [...ofResources, ...ofFunctions, ...ofTypes, ...Object.keys(config.variables)];
}
