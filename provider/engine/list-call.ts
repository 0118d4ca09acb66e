import type { Definition } from "../core/definition";
import { row } from "../core/field";
import type { FunctionDefinition } from "../core/function";
import { placeholders } from "../core/template";
import { placeProperties } from "../core/tenant";
import { listingOf } from "../dialects/listing";

/** The list, or the one record of its kind, as a function: the engine then fetches it as it fetches any other. */
export function listCall(definition: Definition, template: string): FunctionDefinition {
  const { token, dialect, fields } = definition;
  const names = [...placeholders(template), ...placeProperties(dialect)];
  return {
    token,
    dialect,
    fields: Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => names.includes(name))
        .map(([name, field]) => [name, { ...field, place: "path" as const }]),
    ),
    results: { found: row<unknown>({ place: "body", wire: "found", schema: undefined as never }) },
    secrets: {},
    secretResults: [],
    rules: [],
    issues: false,
    verb: listingOf(definition) === undefined ? "reading" : "listing",
    unpack: (found) => ({ found }),
    none: { found: [] },
    request: () => ({ method: "GET", path: template, isCollection: true }),
  };
}
