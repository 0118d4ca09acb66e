import { readFileSync } from "node:fs";
import { join } from "node:path";
import { functions } from "../../../provider/functions/index";
import { schemaAnswer } from "../../../provider/hosts/terraform/provider-schema";
import { type PackageSchema, type ResourceTable, tablesOf } from "../../../provider/hosts/terraform/table";
import { definitions } from "../../../provider/resources/index";
import { idForms } from "../../../schema/id-forms";
import { readLongForm } from "../../../schema/long-form";
import { driftSection } from "../../../schema/pages/drift-section";
import { permissionSection } from "../../../schema/pages/permission-section";
import { functionPermissions, resourcePermissions } from "../../../schema/permissions";
import { hclExample } from "./example-program";
import { type AnsweredFunction, functionSections } from "./function-section";
import { listSections } from "./list-section";
import { type AnsweredSchema, schemaSection } from "./schema-section";

/** What the provider says of itself. */
interface Answer {
  readonly provider: AnsweredSchema;
  readonly resourceSchemas: Readonly<Record<string, AnsweredSchema>>;
  readonly dataSourceSchemas?: Readonly<Record<string, AnsweredSchema>>;
  readonly ephemeralResourceSchemas?: Readonly<Record<string, AnsweredSchema>>;
  readonly listResourceSchemas?: Readonly<Record<string, AnsweredSchema>>;
  readonly functions?: Readonly<Record<string, AnsweredFunction>>;
}

/** The pages that a registry shows: path under `docs` to content. They come from what the provider answers the CLI. */
export async function registryPages(repository: string): Promise<Readonly<Record<string, string>>> {
  const schema = JSON.parse(readFileSync(join(repository, "schema/schema.json"), "utf8")) as PackageSchema;
  const tables = tablesOf(Object.values(definitions), schema, Object.values(functions));
  const answer = schemaAnswer(tables) as Answer;
  const { resources, dataSources, ephemerals } = tables;
  const example = async (kind: "resources" | "functions", token: string) => {
    const program = await hclExample(readLongForm(kind, token, repository).example, tables);
    return `## Example Usage\n\n\`\`\`terraform\n${program}\n\`\`\``;
  };
  const pages: (readonly [string, string])[] = [];
  for (const [name, table] of resources) {
    const { definition } = table;
    const more = [importSection(table), permissionSection(resourcePermissions(definition)), driftSection(definition)];
    const schema = answered(answer.resourceSchemas, name);
    const parts = [await example("resources", definition.token), schemaSection(schema), ...more.map(tables.wording)];
    pages.push([`resources/${shortName(name)}.md`, page(name, "Resource", schema.block.description, parts)]);
  }
  for (const [folder, kind, calls, schemas] of [
    ["data-sources", "Data Source", dataSources, answer.dataSourceSchemas],
    ["ephemeral-resources", "Ephemeral Resource", ephemerals, answer.ephemeralResourceSchemas],
  ] as const) {
    for (const [name, { definition }] of calls) {
      const schema = answered(schemas, name);
      const more = tables.wording(permissionSection(functionPermissions(definition)));
      const parts = [await example("functions", definition.token), schemaSection(schema), more];
      pages.push([`${folder}/${shortName(name)}.md`, page(name, kind, schema.block.description, parts)]);
    }
  }
  for (const [name, list] of tables.lists) {
    const schema = answered(answer.listResourceSchemas, name);
    const permissions = tables.wording(permissionSection(functionPermissions(list.call)));
    const parts = [...listSections(list, schema), `${permissions}\n\n${READS}`];
    pages.push([`list-resources/${shortName(name)}.md`, page(name, "List Resource", schema.block.description, parts)]);
  }
  return Object.fromEntries([
    ["index.md", indexPage(answer.provider, repository)],
    ...pages,
    ...functionPages(answer.functions),
    ["guides/usage.md", usageGuide(repository)],
  ]);
}

const READS =
  "With `include_resource = true`, and with `-generate-config-out`, every record is read, too: the page of the resource says what that takes.";

function answered(schemas: Answer["resourceSchemas"] | undefined, name: string): AnsweredSchema {
  const found = schemas?.[name];
  if (found) return found;
  throw new Error(`the provider does not answer a schema of ${name}`);
}

/** `jwt_role` of `trustplane_jwt_role`. */
function shortName(typeName: string): string {
  return typeName.replace(/^trustplane_/, "");
}

/** A page with the head by which a registry sorts it. */
function page(name: string, kind: string, description: string, parts: readonly string[]): string {
  const family = kind === "Function" ? "" : shortName(name).replace(/_.*/, "");
  const lines = [
    `page_title: "${name} ${kind} - trustplane"`,
    `subcategory: "${family}"`,
    `description: ${JSON.stringify(description.replaceAll("`", ""))}`,
  ];
  return `---\n${lines.join("\n")}\n---\n\n${[`# ${name} (${kind})`, description, ...parts].join("\n\n")}\n`;
}

function functionPages(functions: Readonly<Record<string, AnsweredFunction>> = {}) {
  return Object.entries(functions).map(([name, shown]) => {
    const { summary, description } = shown;
    const parts = functionSections(name, shown);
    return [`functions/${name}.md`, page(name, "Function", description || summary, parts)] as const;
  });
}

function importSection({ typeName, definition }: ResourceTable): string {
  const forms = idForms(definition.id);
  const [form = ""] = forms.map((each) => each.replaceAll("`", ""));
  return `## Import

The id is ${forms.join(" or ")}. To import a record of a connection by name, or of a namespace, add it to the id, as in \`${form}?connection=east\`
or \`?namespace=team/ci\`. The word is \`connection\` there, not \`connection_name\`. The state keeps the id without it.

\`\`\`shell
terraform import ${typeName}.example '${form}'
\`\`\``;
}

const PROGRAM = /^## A program\n\n(```hcl\n.*?^```$)/ms;

/** The example is that of the guide. */
function indexPage(provider: AnsweredSchema, repository: string): string {
  const [, program = ""] = PROGRAM.exec(guideText(repository)) ?? [];
  if (program === "") throw new Error(`${GUIDE} has no program below "A program"`);
  const { description } = provider.block;
  const lines = ['page_title: "trustplane Provider"', `description: ${JSON.stringify(description)}`];
  const example = program.replace("```hcl", "```terraform");
  const parts = ["# trustplane Provider", description, `## Example Usage\n\n${example}`, schemaSection(provider)];
  return `---\n${lines.join("\n")}\n---\n\n${parts.join("\n\n")}\n`;
}

const GUIDE = "docs/terraform.md";

function guideText(repository: string): string {
  return readFileSync(join(repository, GUIDE), "utf8");
}

/** A page of this package. The pages that it links to are not in the registry. */
function usageGuide(repository: string): string {
  const text = guideText(repository).replace(/\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g, "$1");
  return `---\npage_title: "How to use trustplane"\n---\n\n${text}`;
}
