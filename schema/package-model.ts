import { describe } from "../provider/core/availability";
import { connectionFields, SECRET_FIELDS } from "../provider/core/connection-entry";
import type { Definition, SecretRule } from "../provider/core/definition";
import type { Field } from "../provider/core/field";
import type { FunctionDefinition } from "../provider/core/function";
import { lookUpProperties } from "../provider/core/look-up";
import { type LongForm, readLongForm } from "./long-form";
import { type Schemas, type Shape, shapeOf } from "./property-shape";
import { type DescribedRows, describeRows, type RowDescriptions } from "./row-descriptions";
import { assertSource } from "./sources";

/** All that is said about one property, in whatever language or page it ends up. */
export interface PropertyModel {
  readonly name: string;
  readonly description: string;
  /** Where its facts come from: a page of `sourcePages`, and a section of it. */
  readonly source?: string;
  readonly shape: Shape;
  /** A program must write it. */
  readonly isRequired: boolean;
  /** Every recorded state has it. */
  readonly isAlwaysSet: boolean;
  /** What holds when the program does not say: JSON, or words where it is no value. */
  readonly fallback?: string;
  /** What is written into the inputs when the program does not say. */
  readonly preset?: unknown;
  /** Seconds, or text in the servers' grammar. */
  readonly isDuration: boolean;
  readonly replaces: boolean;
  readonly secret?: SecretRule;
  readonly isReadable: boolean;
  /** Which servers have it, when not all of them do. */
  readonly availability?: string;
  /** What to use instead. */
  readonly deprecated?: string;
}

/** All that is said about one resource. */
export interface ResourceModel {
  /** Name of the definition, and of the dynamic host's module: `jwtRole`. */
  readonly name: string;
  readonly module: string;
  readonly className: string;
  /** Template of the id. */
  readonly id: string;
  readonly inputs: readonly PropertyModel[];
  readonly outputs: readonly PropertyModel[];
  readonly secrets: Readonly<Record<string, SecretRule>>;
  readonly secretOutputs: readonly string[];
  /** Of a set, the property that holds its records, and what makes a setting of one secret. */
  readonly records?: { readonly property: string; readonly secrets: Definition["secrets"] };
  readonly lookUp: readonly string[];
  readonly longForm: LongForm;
}

/** All that is said about one function. */
export interface FunctionModel {
  /** Name of the definition: `jwtGetRole`. */
  readonly name: string;
  readonly module: string;
  readonly functionName: string;
  readonly args: readonly PropertyModel[];
  readonly results: readonly PropertyModel[];
  readonly issues: boolean;
  readonly longForm: LongForm;
}

/** All that is said about the package. */
export interface PackageModel {
  readonly resources: readonly ResourceModel[];
  readonly functions: readonly FunctionModel[];
  /** What the configuration says of a connection. */
  readonly connection: readonly PropertyModel[];
}

/** Describes every resource and function: rows at run time, their types and comments from the compiler, prose from the `.md` files. */
export function describePackage(
  definitions: Readonly<Record<string, Definition>>,
  functions: Readonly<Record<string, FunctionDefinition>>,
  repository: string,
): PackageModel {
  const rows = describeRows(repository);
  const describedAs = (name: string) => {
    const described = rows.tables[name];
    if (!described) throw new Error(`described-types.ts has no ${name}`);
    return { name, described, schemas: rows.definitions, repository };
  };
  return {
    resources: Object.entries(definitions).map(([name, table]) => describeResource(table, describedAs(name))),
    functions: Object.entries(functions).map(([name, table]) => describeFunction(table, describedAs(name))),
    connection: describeConnection(describedAs("connection")),
  };
}

/** A table's name, and where to find what its code does not say at run time. */
interface Source {
  readonly name: string;
  readonly described: RowDescriptions;
  readonly schemas: Schemas;
  readonly repository: string;
}

function describeResource(definition: Definition, source: Source): ResourceModel {
  const { name, described, repository } = source;
  const [module = "", className = ""] = definition.token.split(":");
  const property = (key: string, field: Field, of: DescribedRows) => {
    const secret = definition.secrets[key] ?? (definition.secretOutputs.includes(key) ? "always" : undefined);
    return {
      ...describeRow(key, field, of, source, secret),
      ...fallbackOf(field),
      replaces: definition.identity.includes(key) || definition.replaceOn.includes(key),
      isReadable: !definition.writeOnly.includes(key),
    };
  };
  return {
    name,
    module,
    className,
    id: definition.id,
    inputs: Object.entries(definition.fields).map(([key, field]) => property(key, field, described.args)),
    outputs: Object.entries(definition.outputs).map(([key, field]) => ({
      ...property(key, field, described.outputs),
      replaces: false,
    })),
    secrets: Object.fromEntries(
      Object.entries(definition.secrets).flatMap(([key, rule]) => (rule ? [[key, rule]] : [])),
    ),
    secretOutputs: definition.secretOutputs,
    ...(definition.members
      ? { records: { property: definition.members.property, secrets: definition.members.of.secrets } }
      : {}),
    lookUp: lookUpProperties(definition),
    longForm: readLongForm("resources", definition.token, repository),
  };
}

function describeFunction(definition: FunctionDefinition, source: Source): FunctionModel {
  const { name, described, repository } = source;
  const { token, fields, results, secrets, secretResults, issues } = definition;
  const [module = "", functionName = ""] = token.split(":");
  return {
    name,
    module,
    functionName,
    args: Object.entries(fields).map(([key, field]) => ({
      ...describeRow(key, field, described.args, source, secrets[key]),
      ...(field.fallback === undefined ? {} : { fallback: JSON.stringify(field.fallback) }),
    })),
    results: Object.entries(results).map(([key, field]) =>
      describeRow(key, field, described.outputs, source, secretResults.includes(key) ? "always" : undefined),
    ),
    issues,
    longForm: readLongForm("functions", token, repository),
  };
}

function describeConnection(source: Source): PropertyModel[] {
  const { args } = source.described;
  return Object.entries(connectionFields).map(([key, schema]) => ({
    ...described(key, schema, args, source),
    isRequired: false,
    isAlwaysSet: false,
    ...(SECRET_FIELDS.some((name) => name === key) ? { secret: "always" } : {}),
  }));
}

function describeRow(
  key: string,
  field: Field,
  of: DescribedRows,
  source: Source,
  secret: SecretRule | undefined,
): PropertyModel {
  const property = described(key, field.schema, of, source);
  // What the server never sees is a decision of this project.
  if (field.place !== "local") assertSource(property.source, `${source.name}.${key}`);
  return {
    ...property,
    isRequired: field.required,
    isAlwaysSet: field.required || field.fallback !== undefined,
    ...(field.fallback === undefined ? {} : { preset: field.fallback }),
    ...(secret === undefined ? {} : { secret }),
    ...(field.availability ? { availability: describe(field.availability) } : {}),
    ...(field.deprecated === undefined ? {} : { deprecated: field.deprecated }),
  };
}

/** What the compiler knows of one row, and its checks. */
function described(key: string, checks: Field["schema"], of: DescribedRows, { name, schemas }: Source) {
  const { schema, source } = of[key] ?? {};
  if (!schema?.description) throw new Error(`${name}.${key} has no comment on its row`);
  if (source !== undefined) assertSource(source, `${name}.${key}`);
  const shape = shapeOf({ ...schema, default: undefined, description: undefined }, schemas);
  // The compiler has one kind of number; a row that refuses a half takes whole ones.
  const isWhole = shape.kind === "primitive" && shape.name === "number" && !checks.safeParse(0.5).success;
  return {
    name: key,
    // A comment of several lines is one sentence after the other.
    description: schema.description.replace(/\s*\n\s*/g, " "),
    ...(source === undefined ? {} : { source }),
    shape: isWhole ? { ...shape, isWhole } : shape,
    isDuration: shape.kind === "union" && checks.safeParse("1h").success && !checks.safeParse("an hour").success,
    replaces: false,
    isReadable: true,
    ...(schema.default === undefined ? {} : { fallback: String(schema.default) }),
  };
}

/** What the program gets for silence: our own default, or the server's where the row knows it as a plain value. */
function fallbackOf(field: Field): Pick<PropertyModel, "fallback"> {
  const value = field.fallback ?? field.canonical(undefined);
  const says = typeof value === "boolean" || typeof value === "number" || (typeof value === "string" && value !== "");
  return says && !field.required ? { fallback: JSON.stringify(value) } : {};
}
