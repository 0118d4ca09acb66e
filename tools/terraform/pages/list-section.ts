import type { ListTable } from "../../../provider/hosts/terraform/list-table";
import { attributesText, Expression } from "./hcl-text";
import { type AnsweredSchema, schemaSection } from "./schema-section";

/** How a list is written, and what its block `config` takes. */
export function listSections(list: ListTable, schema: AnsweredSchema): string[] {
  const example = `## Example Usage\n\nIn a file such as \`all.tfquery.hcl\`, for \`terraform query\` of Terraform 1.14 or newer:`;
  const takes = schemaSection(schema).replace(
    "## Schema",
    "## Schema\n\nThese are the attributes of the block `config`.",
  );
  return [`${example}\n\n\`\`\`terraform\n${exampleOf(list)}\n\`\`\``, takes];
}

/** Defaults are written out, and what has none is a variable. */
function exampleOf({ typeName, inputs, call }: ListTable): string {
  const required = inputs.filter(({ isRequired }) => isRequired);
  const variables = required.map(({ name }) => `variable "${name}" {\n  type = string\n}\n\n`);
  const entries = inputs.flatMap(({ name, property, isRequired }) => {
    const value = isRequired ? new Expression(`var.${name}`) : call.fields[property]?.fallback;
    return value === undefined ? [] : [[name, value] as const];
  });
  const config = entries.length === 0 ? "" : `\n  config {\n${attributesText(entries, "    ")}  }\n`;
  return `${variables.join("")}list "${typeName}" "all" {\n  provider = trustplane\n${config}}`;
}
