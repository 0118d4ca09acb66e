import type { FunctionDefinition } from "../../core/function";
import { lazily } from "../../core/lazily";
import { type Attribute, attribute } from "./attribute";
import { functionName, type Wording } from "./names";
import { type SchemaProperty, type SchemaTypes, shapeOf } from "./shape";

/** A function as the package's schema has it. */
export interface SchemaFunction {
  readonly description?: string;
  readonly inputs?: SchemaPart;
  readonly outputs?: SchemaPart;
}

interface SchemaPart {
  readonly properties?: Readonly<Record<string, SchemaProperty>>;
  readonly required?: readonly string[];
}

/** A function of this host, made of its table: a data source, or an ephemeral resource. */
export interface FunctionTable {
  readonly typeName: string;
  readonly definition: FunctionDefinition;
  readonly description: string;
  readonly inputs: readonly Attribute[];
  readonly results: readonly Attribute[];
  /** What it answers must be in no state. */
  readonly isEphemeral: boolean;
}

export function functionTable(
  definition: FunctionDefinition,
  schema: SchemaFunction | undefined,
  types: SchemaTypes,
  wording: Wording,
): FunctionTable {
  const { token, issues, secretResults, release } = definition;
  if (!schema) throw new Error(`the package's schema has no ${token}`);
  const results = Object.entries(schema.outputs?.properties ?? {});
  const describe = ({ description = "", secret = false }: SchemaProperty) => ({
    description: wording(description),
    isSensitive: secret,
  });
  const inputs = lazily(() =>
    Object.entries(schema.inputs?.properties ?? {})
      // Here what was issued is always given back.
      .filter(([name]) => name !== release?.when)
      .map(([name, part]) => {
        const isRequired = schema.inputs?.required?.includes(name) ?? false;
        const isAnswered =
          definition.fields[name]?.fallback !== undefined || name in (schema.outputs?.properties ?? {});
        const asked = { isRequired, isOptional: !isRequired, isComputed: !isRequired && isAnswered };
        return attribute(name, shapeOf(part, types), { ...describe(part), ...asked });
      }),
  );
  const isInput = (name: string) => inputs().some(({ property }) => property === name);
  const answered = lazily(() =>
    results
      .filter(([name]) => !isInput(name))
      .map(([name, part]) => attribute(name, shapeOf(part, types), { ...describe(part), isComputed: true })),
  );
  return {
    typeName: functionName(token),
    definition,
    get description() {
      // What follows is about programs in other languages.
      return wording(/^.*?\.(?=\s|$)/.exec(schema.description ?? "")?.[0] ?? "");
    },
    get inputs() {
      return inputs();
    },
    get results() {
      return answered();
    },
    isEphemeral: issues || secretResults.length > 0,
  };
}
