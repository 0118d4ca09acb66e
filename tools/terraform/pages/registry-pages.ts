import { readFileSync } from "node:fs";
import { join } from "node:path";
import { schemaAnswer } from "../../../provider/hosts/terraform/provider-schema";
import { type PackageSchema, type ResourceTable, tablesOf } from "../../../provider/hosts/terraform/table";
import { definitions } from "../../../provider/resources/index";
import { idForms } from "../../../schema/id-forms";
import { readLongForm } from "../../../schema/long-form";
import { driftSection } from "../../../schema/pages/drift-section";
import { permissionSection } from "../../../schema/pages/permission-section";
import { resourcePermissions } from "../../../schema/permissions";
import { hclExample } from "./example-program";
import { type AnsweredFunction, functionSections } from "./function-section";
import { type AnsweredSchema, schemaSection } from "./schema-section";

/** What the provider says of itself. */
interface Answer {
  readonly provider: AnsweredSchema;
  readonly resourceSchemas: Readonly<Record<string, AnsweredSchema>>;
  readonly dataSourceSchemas?: Readonly<Record<string, AnsweredSchema>>;
  readonly ephemeralResourceSchemas?: Readonly<Record<string, AnsweredSchema>>;
  readonly functions?: Readonly<Record<string, AnsweredFunction>>;
}

/** The pages that a registry shows: path under `docs` to content. They come from what the provider answers the CLI. */
export function registryPages(repository: string): Readonly<Record<string, string>> {
  const schema = JSON.parse(readFileSync(join(repository, "schema/schema.json"), "utf8")) as PackageSchema;
  const tables = tablesOf(Object.values(definitions), schema);
  const answer = schemaAnswer(tables) as Answer;
  const resources = [...tables.resources.values()].map((table) => {
    const { definition, typeName } = table;
    const { example } = readLongForm("resources", definition.token, repository);
    const program = hclExample(example, tables);
    const shown = answer.resourceSchemas[typeName];
    if (!shown) throw new Error(`the provider does not answer a schema of ${typeName}`);
    const parts = [
      `## Example Usage\n\n\`\`\`terraform\n${program}\n\`\`\``,
      schemaSection(shown),
      tables.wording(importSection(table)),
      tables.wording(permissionSection(resourcePermissions(definition))),
      tables.wording(driftSection(definition)),
    ];
    return [
      `resources/${shortName(typeName)}.md`,
      page({ name: typeName, kind: "Resource", description: shown.block.description }, parts),
    ];
  });
  return Object.fromEntries([
    ["index.md", indexPage(answer.provider, repository)],
    ...resources,
    ...schemaPages("data-sources", "Data Source", answer.dataSourceSchemas),
    ...schemaPages("ephemeral-resources", "Ephemeral Resource", answer.ephemeralResourceSchemas),
    ...functionPages(answer.functions),
    ["guides/usage.md", usageGuide(repository)],
  ]);
}

/** A page's head, by which a registry sorts it. */
interface Head {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
}

/** `jwt_role` of `trustplane_jwt_role`. */
function shortName(typeName: string): string {
  return typeName.replace(/^trustplane_/, "");
}

function page({ name, kind, description }: Head, parts: readonly string[]): string {
  const family = kind === "Function" ? "" : shortName(name).replace(/_.*/, "");
  const lines = [
    `page_title: "${name} ${kind} - trustplane"`,
    `subcategory: "${family}"`,
    `description: ${JSON.stringify(description.replaceAll("`", ""))}`,
  ];
  return `---\n${lines.join("\n")}\n---\n\n${[`# ${name} (${kind})`, description, ...parts].join("\n\n")}\n`;
}

function schemaPages(folder: string, kind: string, schemas: Readonly<Record<string, AnsweredSchema>> = {}) {
  return Object.entries(schemas).map(([name, schema]) => {
    const { description } = schema.block;
    return [`${folder}/${shortName(name)}.md`, page({ name, kind, description }, [schemaSection(schema)])] as const;
  });
}

function functionPages(functions: Readonly<Record<string, AnsweredFunction>> = {}) {
  return Object.entries(functions).map(([name, shown]) => {
    const { summary, description } = shown;
    const head = { name, kind: "Function", description: description || summary };
    return [`functions/${name}.md`, page(head, functionSections(name, shown))] as const;
  });
}

function importSection({ typeName, definition }: ResourceTable): string {
  const forms = idForms(definition.id);
  const [form = ""] = forms.map((each) => each.replaceAll("`", ""));
  return `## Import

The id is ${forms.join(" or ")}. A record of a connection by name has the name at the end of its id, as in \`${form}?connection=east\`.

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
