import type { Values } from "../../provider/core/definition.ts";
import { hasUnknown, isRecord, UNKNOWN } from "../../provider/core/unknowns.ts";
import type { Shape } from "../../provider/hosts/terraform/shape.ts";
import type { ResourceTable } from "../../provider/hosts/terraform/table.ts";
import { givenIn, wrongTypes } from "./terraform-rules.ts";

/** A program of Terraform, as JSON. */
export interface JsonProgram {
  /** What `main.tf.json` says. */
  readonly main: object;
  /** The values of its variables. */
  readonly variables: object;
}

/** The one resource of a program. */
export const RESOURCE = "it";

/** A resource of the CLI's own, which no state has: its id is not known in a plan. */
const UNKNOWN_RESOURCE = { terraform_data: { unknown: {} } };
/** Nor is the type of what it would decode to, so that it can stand for anything. */
const UNKNOWN_EXPRESSION = "$" + "{jsondecode(terraform_data.unknown.id)}";

/**
 * A program of one resource with these values. Its secrets come in ephemeral variables: the JSON of a plan has every literal of
 * the program.
 */
export function programWith(table: ResourceTable, values: Values): JsonProgram {
  const mistyped = wrongTypes(table, values);
  const given = givenIn(table, values).flatMap(([{ name, property, shape, isWriteOnly }, value]) => {
    if (value === undefined) return [];
    // What is no document Terraform has to refuse.
    const isRefused = mistyped.some((failure) => failure.property === property);
    const isVariable = isWriteOnly && value !== null && !hasUnknown(value);
    return [{ name, isVariable, value: isRefused ? value : withTexts(shape, value) }];
  });
  const variables = given.filter(({ isVariable }) => isVariable);
  const attributes = given.map(({ name, isVariable, value }) => [
    name,
    isVariable ? `\${var.${name}}` : expressionOf(value),
  ]);
  const declared = variables.map(({ name }) => [name, { type: "any", ephemeral: true }]);
  return {
    main: {
      // An empty block is refused.
      ...(declared.length > 0 && { variable: Object.fromEntries(declared) }),
      resource: {
        ...(hasUnknown(values) ? UNKNOWN_RESOURCE : {}),
        [table.typeName]: { [RESOURCE]: Object.fromEntries(attributes) },
      },
    },
    variables: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
  };
}

/** The value with its documents as JSON text, which they are in Terraform. */
function withTexts(shape: Shape, value: unknown): unknown {
  if (shape.kind === "text") return isRecord(value) ? JSON.stringify(value) : value;
  if (shape.kind === "list") return Array.isArray(value) ? value.map((item) => withTexts(shape.item, item)) : value;
  if (!isRecord(value)) return value;
  const shapeAt = (key: string): Shape | undefined => {
    if (shape.kind === "map") return shape.item;
    return shape.kind === "record" ? shape.members.find(({ attribute }) => attribute === key)?.shape : undefined;
  };
  const entries = Object.entries(value).map(([key, item]) => {
    const inside = shapeAt(key);
    return [key, inside ? withTexts(inside, item) : item];
  });
  return Object.fromEntries(entries);
}

/** A value as JSON configuration has it, where every text and every key is a template. */
export function expressionOf(value: unknown): unknown {
  if (value === UNKNOWN) return UNKNOWN_EXPRESSION;
  if (typeof value === "string") return value.replace(/[$%](?=\{)/g, "$&$&");
  if (Array.isArray(value)) return value.map(expressionOf);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [expressionOf(key), expressionOf(item)]));
}
