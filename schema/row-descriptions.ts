import { join } from "node:path";
import * as typescriptJsonSchema from "typescript-json-schema";
import { resolved, type Schemas } from "./property-shape";

/** What the compiler knows of the rows of one resource or function: types, and the comments as descriptions. */
export interface RowDescriptions {
  readonly args: typescriptJsonSchema.Definition;
  readonly outputs: typescriptJsonSchema.Definition;
}

/** JSON schemas of all rows, by the name of their definition, and of the types that they refer to. */
export interface AllDescriptions {
  readonly tables: Readonly<Record<string, RowDescriptions>>;
  readonly definitions: Schemas;
}

/** Asks the compiler. Throws when the provider's sources do not compile. */
export function describeRows(repository: string): AllDescriptions {
  const program = typescriptJsonSchema.programFromConfig(join(repository, "tsconfig.json"), [
    join(repository, "schema", "described-types.ts"),
  ]);
  const settings = { required: true, noExtraProps: true, strictNullChecks: true, constAsEnum: true };
  const schema = typescriptJsonSchema.generateSchema(program, "DescribedTypes", settings);
  if (!schema) throw new Error("the provider's sources do not compile; `npm run typecheck` says why");
  const definitions = schema.definitions ?? {};
  const member = (of: typescriptJsonSchema.DefinitionOrBoolean | undefined, name: string) => {
    const found = typeof of === "object" ? resolved(of, definitions).properties?.[name] : undefined;
    if (typeof found !== "object") throw new Error(`described-types.ts has no ${name}`);
    return resolved(found, definitions);
  };
  const described = Object.entries(schema.properties ?? {}).map(
    ([name, part]) => [name, { args: member(part, "args"), outputs: member(part, "outputs") }] as const,
  );
  return { tables: Object.fromEntries(described), definitions };
}
