import { takeOverRow } from "../../../provider/core/tenant";
import { attributeName } from "../../../provider/hosts/terraform/names";
import { renamed } from "../../../provider/hosts/terraform/shape";
import type { Attribute, ResourceTable } from "../../../provider/hosts/terraform/table";
import { terraformTables } from "../../stack/terraform-tables";
import { hclQuoted } from "../../text/quoted";
import { folded, type Loop, type Statement } from "./folding";
import { type Assignment, type Expression, hclBlock, hclLiteral } from "./hcl-layout";
import { hclName } from "./hcl-text";
import { freeName, pluralOf, uniqueNames } from "./names";
import {
  type Argument,
  marked,
  type Program,
  type ProgramFile,
  type ProgramResource,
  type Reference,
  type SecretValue,
  secretsOf,
  type Value,
} from "./program";
import type { ProjectOptions } from "./project-options";
import { terraformTable } from "./property-types";
import { variableNames } from "./variable-names";

/** A Terraform configuration: a file for each of the program's, and one that imports what is there. */
export function hclFiles(
  program: Program,
  { fold, taken }: Pick<ProjectOptions, "fold" | "taken">,
): Record<string, string> {
  const { files, mark } = program;
  const naming = namingOf(program, taken);
  const names = uniqueNames(files, {
    nameOf: ({ name }) => name,
    keyOf: ({ name }) => name,
    // Terraform merges an override into the others.
    isTaken: ({ name }) => name.endsWith("_override"),
  });
  const made = [...names].map(([file, name]) => ({ name, ...fileOf(file, { ...naming, file: name }, fold) }));
  const imports = made.flatMap(({ imports }) => imports);
  return {
    ...Object.fromEntries(made.map(({ name, text }) => [`${name}.tf`, text])),
    ...(imports.length > 0 ? { [importsFile(mark)]: `${IMPORTS}\n${imports.join("\n")}` } : {}),
  };
}

/** The file with the import blocks of a configuration. */
export function importsFile(mark: string | undefined): string {
  return `${marked("imports", mark)}.tf`;
}

const IMPORTS = "# Takes over what the servers have. After the first apply this file can be deleted.\n";

/** What the configuration calls its parts. All its files share their names. */
interface Naming {
  /** `jobs_ci` of `jobs-ci`. */
  readonly labels: ReadonlyMap<ProgramResource, string>;
  readonly referenceFrom: (file: ProgramFile) => (value: Reference) => string;
  readonly variables: ReadonlyMap<string, string>;
  readonly locals: Set<string>;
  /** Labels by type: `trustplane_jwt_role jobs_ci`. */
  readonly taken: Set<string>;
}

function namingOf({ files, secrets }: Program, given: ReadonlySet<string> = new Set()): Naming {
  const resources = files.flatMap((file) => file.resources);
  const byType = Map.groupBy(resources, ({ definition }) => definition.token);
  const labels = new Map(
    [...byType.values()].flatMap((group) => {
      const names = uniqueNames(group, {
        nameOf: ({ name }) => hclName(name),
        keyOf: ({ id }) => id,
        isTaken: (resource) => given.has(`${tableOf(resource).typeName} ${hclName(resource.name)}`),
      });
      return [...names].map(([resource, name]) => [resource, hclName(name)] as const);
    }),
  );
  const addressOf = (resource: ProgramResource) => `${tableOf(resource).typeName}.${labels.get(resource)}`;
  return {
    labels,
    referenceFrom: variableNames(files, addressOf),
    variables: hclVariables({ secrets }),
    locals: localsOf(given),
    taken: new Set([...given, ...resources.map((resource) => `${tableOf(resource).typeName} ${labels.get(resource)}`)]),
  };
}

/** The local values that loops of these labels have, such as `trustplane_jwt_role jobs`: no state says them. */
function localsOf(labels: ReadonlySet<string>): Set<string> {
  const locals = new Set<string>();
  for (const each of labels) {
    const [type = "", label = ""] = each.split(" ");
    const kind = terraformTables().resources.get(type);
    if (kind) for (const name of [label, `${label}_${pluralName(kind)}`]) locals.add(freeName(name, locals));
  }
  return locals;
}

/** `roles` of `jwt:Role` */
function pluralName({ definition }: Pick<ProgramResource, "definition">): string {
  return pluralOf(hclName(definition.token.split(":")[1] ?? ""));
}

/** The names of the variables, by key of the configuration. */
export function hclVariables({ secrets }: Pick<Program, "secrets">): ReadonlyMap<string, string> {
  const names = uniqueNames(secrets, { nameOf: ({ key }) => hclName(key), keyOf: ({ key }) => key });
  return new Map([...names].map(([{ key }, name]) => [key, hclName(name)]));
}

/** What Terraform does not get is left out before. */
function tableOf({ definition }: Pick<ProgramResource, "definition">): ResourceTable {
  const table = terraformTable(definition);
  if (!table) throw new Error(`Terraform has no ${definition.token}`);
  return table;
}

interface Rendered {
  readonly text: string;
  readonly imports: readonly string[];
}

function fileOf(file: ProgramFile, naming: Naming & { readonly file: string }, fold: boolean): Rendered {
  const constants = Object.entries(file.constants).map(([name, value]) => {
    const local = freeName(hclName(`${naming.file}_${name}`), naming.locals);
    naming.locals.add(local);
    return { name, local, value: hclLiteral(value) };
  });
  const values: Values = {
    constant: (name) => `local.${constants.find((each) => each.name === name)?.local}`,
    reference: naming.referenceFrom(file),
    variable: (key) => `var.${naming.variables.get(key)}`,
  };
  const render = (each: Statement, names: Naming): Rendered =>
    "loop" in each ? loopText(each.loop, values, names) : resourceText(each.resource, values, names);
  const linesOf = (statements: readonly Statement[]) => {
    const names = { ...naming, locals: new Set(naming.locals), taken: new Set(naming.taken) };
    return statements.flatMap((each) => render(each, names).text.split("\n")).length;
  };
  const statements = fold ? folded(file.resources, linesOf) : file.resources.map((resource) => ({ resource }));
  const made = statements.map((each) => render(each, naming));
  const locals = constants.map(({ local, value }) => ({ name: local, value }));
  return {
    text: [...(locals.length > 0 ? [hclBlock("locals", [locals])] : []), ...made.map(({ text }) => text)].join("\n"),
    imports: made.flatMap(({ imports }) => imports),
  };
}

/** How values other than literals are written in one file. */
interface Values {
  constant(name: string): string;
  reference(value: Reference): string;
  variable(key: string): string;
}

function resourceText(resource: ProgramResource, values: Values, { labels, variables }: Naming): Rendered {
  const table = tableOf(resource);
  const label = labels.get(resource) ?? "";
  const text = hclBlock(`resource "${table.typeName}" "${label}"`, [
    // What is imported needs no other word.
    resource.args.filter(({ property }) => !(property in takeOverRow)).map((each) => assignment(table, each, values)),
  ]);
  const taken = importText(`${table.typeName}.${label}`, hclQuoted(resource.id));
  const secrets = secretsOf(resource);
  if (secrets.length === 0) return { text, imports: [taken] };
  const blocks = [...secrets.map((secret) => variableText(variables.get(secret.key) ?? "", secret)), taken, text];
  const lines = [HINT, "", ...blocks.join("\n").trimEnd().split("\n")];
  return { text: lines.map((line) => `${`# ${line}`.trimEnd()}\n`).join(""), imports: [] };
}

const HINT = "No server shows this value. Set its variable (README.md), then take these lines in:";

function variableText(name: string, { property, resource, shown }: SecretValue): string {
  return hclBlock(`variable "${name}"`, [
    [
      { name: "description", value: hclQuoted(`${property} of ${resource}`) },
      { name: "type", value: shown === undefined ? "string" : "map(string)" },
      { name: "sensitive", value: "true" },
      { name: "ephemeral", value: "true" },
    ],
  ]);
}

function importText(to: string, id: Expression, forEach?: string): string {
  const each = forEach === undefined ? [] : [{ name: "for_each", value: forEach }];
  return hclBlock("import", [
    each,
    [
      { name: "to", value: to },
      { name: "id", value: id },
    ],
  ]);
}

function assignment(table: ResourceTable, { property, value }: Argument, values: Values): Assignment {
  const attribute = attributeOf(table, property, "secret" in value);
  return { name: attribute.name, value: expressionOf(attribute, value, values) };
}

/** A property that is secret only at times has two attributes. */
function attributeOf({ inputs, typeName }: ResourceTable, property: string, isSecret = false): Attribute {
  const those = inputs.filter((each) => each.property === property);
  const found = those.find(({ isWriteOnly }) => isWriteOnly === isSecret) ?? those[0];
  if (!found) throw new Error(`${typeName} has no attribute for ${property}`);
  return found;
}

function expressionOf(attribute: Attribute, value: Value, values: Values): Expression {
  if ("literal" in value) return literalOf(attribute, value.literal);
  if ("constant" in value) return values.constant(value.constant);
  if ("items" in value) return { list: value.items.map((item) => expressionOf(attribute, item, values)) };
  if ("secret" in value) return values.variable(value.secret.key);
  return `${values.reference(value)}.${attributeName(value.property)}`;
}

/** A document is text to Terraform. */
function literalOf({ shape }: Attribute, value: unknown): Expression {
  const given = hclLiteral(renamed(shape, value, "attribute"));
  const isDocument = shape.kind === "text" && typeof value === "object" && value !== null;
  return isDocument ? { call: "jsonencode", of: given } : given;
}

/** Data in a local value, and one resource for all of it. Where only the names differ, the data is a set of them. */
function loopText(loop: Loop, values: Values, { locals, taken }: Naming): Rendered {
  const { definition, prefix, entries, common, resources } = loop;
  const table = tableOf(loop);
  const plural = pluralName(loop);
  const place = prefix === "" ? plural : hclName(prefix);
  const label = freeName(place, new Set([...taken].flatMap((each) => labelIn(each, table))));
  taken.add(`${table.typeName} ${label}`);
  const local = freeName(prefix === "" ? label : `${label}_${plural}`, locals);
  locals.add(local);

  const areNames = entries.every(([, own]) => own.length === 0);
  const data: Expression = areNames
    ? { call: "toset", of: { list: entries.map(([name]) => hclQuoted(name)) } }
    : { object: entries.map(([name, own]) => ({ name, value: ownOf(table, own, values) })), isTall: true };
  const ofAll = new Set(ownOfAll(loop).map(({ property }) => property));
  const owns = new Set(entries.flatMap(([, own]) => own.map(({ property }) => property)));
  const args = Object.keys(definition.fields).flatMap((property): Assignment[] => {
    const { name } = attributeOf(table, property);
    const shared = common.find((each) => each.property === property);
    if (property === definition.label) return [{ name, value: "each.key" }];
    if (shared) return [assignment(table, shared, values)];
    if (!owns.has(property)) return [];
    return [{ name, value: ofAll.has(property) ? `each.value.${name}` : `try(each.value.${name}, null)` }];
  });
  const head = [{ name: "for_each", value: `local.${local}` }];
  const address = `${table.typeName}.${label}`;
  return {
    text: `${hclBlock("locals", [[{ name: local, value: data }]])}\n${hclBlock(`resource "${table.typeName}" "${label}"`, [head, args])}`,
    imports: importsOf(address, `local.${local}`, { entries, resources }),
  };
}

function labelIn(taken: string, { typeName }: ResourceTable): string[] {
  const [type, label = ""] = taken.split(" ");
  return type === typeName ? [label] : [];
}

function ownOf(table: ResourceTable, own: readonly Argument[], values: Values): Expression {
  return { object: own.map((argument) => assignment(table, argument, values)) };
}

/** The arguments that differ, and that each record has. */
function ownOfAll({ entries }: Loop): readonly Argument[] {
  const [first] = entries;
  const has = (own: readonly Argument[], property: string) => own.some((each) => each.property === property);
  return (first?.[1] ?? []).filter(({ property }) => entries.every(([, own]) => has(own, property)));
}

/** One block for all, where each id is that of the others but for the name at its end. */
function importsOf(
  address: string,
  local: string,
  { entries, resources }: Pick<Loop, "entries" | "resources">,
): string[] {
  const befores = new Set(
    resources.map(({ id }, index) => {
      const name = entries[index]?.[0] ?? "";
      return id.endsWith(name) ? id.slice(0, id.length - name.length) : undefined;
    }),
  );
  const [before] = befores;
  if (befores.size === 1 && before !== undefined)
    return [
      importText(
        `${address}[each.key]`,
        before === "" ? "each.key" : `"${hclQuoted(before).slice(1, -1)}\${each.key}"`,
        local,
      ),
    ];
  return resources.map(({ id }, index) =>
    importText(`${address}[${hclQuoted(entries[index]?.[0] ?? "")}]`, hclQuoted(id)),
  );
}
