import { describe } from "../provider/core/availability";
import type { Definition, SecretRule } from "../provider/core/definition";
import type { Field } from "../provider/core/field";
import { lookUpProperties } from "../provider/core/look-up";
import { type LongForm, readLongForm } from "./long-form";
import { type Schemas, type Shape, shapeOf } from "./property-shape";
import { describeRows, type RowDescriptions } from "./row-descriptions";

/** All that is said about one property, in whatever language or page it ends up. */
export interface PropertyModel {
  readonly name: string;
  readonly description: string;
  readonly shape: Shape;
  /** A program must write it. */
  readonly isRequired: boolean;
  /** Every recorded state has it. */
  readonly isAlwaysSet: boolean;
  /** What holds when the program does not say: JSON, or words where it is no value. */
  readonly fallback?: string;
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
  readonly lookUp: readonly string[];
  readonly longForm: LongForm;
}

/** Describes every resource: rows at run time, their types and comments from the compiler, prose from the `.md` files. */
export function describePackage(
  definitions: Readonly<Record<string, Definition>>,
  repository: string,
): readonly ResourceModel[] {
  const rows = describeRows(repository);
  return Object.entries(definitions).map(([name, definition]) => {
    const described = rows.resources[name];
    if (!described) throw new Error(`described-types.ts has no ${name}`);
    return describeResource(name, definition, described, rows.definitions, repository);
  });
}

function describeResource(
  name: string,
  definition: Definition,
  { args, outputs }: RowDescriptions,
  schemas: Schemas,
  repository: string,
): ResourceModel {
  const [module = "", className = ""] = definition.token.split(":");
  const property = (key: string, field: Field, of: typeof args) => {
    const schema = of.properties?.[key];
    if (typeof schema !== "object" || !schema.description) throw new Error(`${name}.${key} has no comment on its row`);
    const fallback = fallbackOf(field) ?? (schema.default === undefined ? undefined : String(schema.default));
    const secret = definition.secrets[key] ?? (definition.secretOutputs.includes(key) ? "always" : undefined);
    return {
      name: key,
      description: schema.description,
      shape: shapeOf({ ...schema, default: undefined, description: undefined }, schemas),
      isRequired: field.required,
      isAlwaysSet: field.required || field.fallback !== undefined,
      replaces: definition.identity.includes(key) || definition.replaceOn.includes(key),
      isReadable: !definition.writeOnly.includes(key),
      ...(fallback === undefined || field.required ? {} : { fallback }),
      ...(secret === undefined ? {} : { secret }),
      ...(field.availability ? { availability: describe(field.availability) } : {}),
      ...(field.deprecated === undefined ? {} : { deprecated: field.deprecated }),
    };
  };
  return {
    name,
    module,
    className,
    id: definition.id,
    inputs: Object.entries(definition.fields).map(([key, field]) => property(key, field, args)),
    outputs: Object.entries(definition.outputs).map(([key, field]) => ({
      ...property(key, field, outputs),
      replaces: false,
    })),
    secrets: Object.fromEntries(
      Object.entries(definition.secrets).flatMap(([key, rule]) => (rule ? [[key, rule]] : [])),
    ),
    secretOutputs: definition.secretOutputs,
    lookUp: lookUpProperties(definition),
    longForm: readLongForm(module, className, repository),
  };
}

/** What the program gets for silence: our own default, or the server's where the row knows it as a plain value. */
function fallbackOf(field: Field): string | undefined {
  const value = field.fallback ?? field.canonical(undefined);
  const says = typeof value === "boolean" || typeof value === "number" || (typeof value === "string" && value !== "");
  return says ? JSON.stringify(value) : undefined;
}
