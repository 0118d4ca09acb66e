import { join } from "node:path";
import * as typescriptJsonSchema from "typescript-json-schema";
import { resolved, type Schemas } from "./property-shape";

/** What the compiler knows of one row: its type with its comment as the description, and the text of its tag `@source`. */
export interface DescribedRow {
  readonly schema: typescriptJsonSchema.Definition;
  readonly source?: string;
}

export type DescribedRows = Readonly<Record<string, DescribedRow>>;

/** The rows of one resource or function. */
export interface RowDescriptions {
  readonly args: DescribedRows;
  readonly outputs: DescribedRows;
}

/** All rows, by the name of their definition, and JSON schemas of the types that they refer to. */
export interface AllDescriptions {
  readonly tables: Readonly<Record<string, RowDescriptions>>;
  readonly definitions: Schemas;
}

type Program = ReturnType<typeof typescriptJsonSchema.programFromConfig>;
type Type = ReturnType<ReturnType<Program["getTypeChecker"]>["getTypeOfSymbol"]>;

/** Asks the compiler. Throws when the provider's sources do not compile. */
export function describeRows(repository: string): AllDescriptions {
  const file = join(repository, "schema", "described-types.ts");
  const program = typescriptJsonSchema.programFromConfig(join(repository, "tsconfig.json"), [file]);
  const settings = { required: true, noExtraProps: true, strictNullChecks: true, constAsEnum: true };
  const schema = typescriptJsonSchema.generateSchema(program, "DescribedTypes", settings);
  if (!schema) throw new Error("the provider's sources do not compile; `npm run typecheck` says why");
  const definitions = schema.definitions ?? {};
  const sources = sourceTags(program, file);
  const rowsOf = (
    table: string,
    kind: "args" | "outputs",
    part: typescriptJsonSchema.DefinitionOrBoolean,
  ): DescribedRows => {
    const found = typeof part === "object" ? resolved(part, definitions).properties?.[kind] : undefined;
    if (typeof found !== "object") throw new Error(`described-types.ts has no ${kind} of ${table}`);
    const rows = Object.entries(resolved(found, definitions).properties ?? {}).flatMap(([name, row]) => {
      const source = sources.get(`${table}.${kind}.${name}`);
      return typeof row === "object"
        ? [[name, { schema: row, ...(source === undefined ? {} : { source }) }] as const]
        : [];
    });
    return Object.fromEntries(rows);
  };
  const described = Object.entries(schema.properties ?? {}).map(
    ([name, part]) => [name, { args: rowsOf(name, "args", part), outputs: rowsOf(name, "outputs", part) }] as const,
  );
  return { tables: Object.fromEntries(described), definitions };
}

/** Every tag `@source`, by table, kind and row. The schema has no tags of a row whose type has a name of its own. */
function sourceTags(program: Program, file: string): ReadonlyMap<string, string> {
  const checker = program.getTypeChecker();
  const membersOf = (type: Type | undefined) => type?.getProperties() ?? [];
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const root = module && checker.getExportsOfModule(module).find(({ name }) => name === "DescribedTypes");
  const found = new Map<string, string>();
  for (const table of membersOf(root && checker.getDeclaredTypeOfSymbol(root))) {
    for (const kind of membersOf(checker.getTypeOfSymbol(table))) {
      for (const row of membersOf(checker.getTypeOfSymbol(kind))) {
        const tag = row.getJsDocTags(checker).find(({ name }) => name === "source");
        if (!tag) continue;
        const text = (tag.text ?? []).map((part) => part.text).join("");
        found.set(`${table.name}.${kind.name}.${row.name}`, text);
      }
    }
  }
  return found;
}
