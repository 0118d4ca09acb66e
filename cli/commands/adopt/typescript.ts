import type { Definition } from "../../../provider/core/definition";
import { classOf } from "../../stack/kinds";
import { ADOPTED, hasAdopted } from "./adopted-options";
import { type Code, call, list, literal, type Member, object, quoted, statement, words } from "./code";
import { folded, type Loop, type Statement } from "./folding";
import { camelCase, freeName, pluralOf, secretVariable } from "./names";
import {
  type Argument,
  filesUsedBy,
  type ProgramFile,
  type ProgramResource,
  secretsOf,
  type Value,
  withNote,
} from "./program";

export interface TypeScriptOptions {
  /** `trustplane` or `trustplane/native`. */
  readonly library: string;
  readonly fold: boolean;
  /** The file of the options that all have. */
  readonly adopted: string;
}

/** The text of one file. Its statements are already as a formatter would have them. */
export function typeScriptFile(file: ProgramFile, { library, fold, adopted }: TypeScriptOptions): string {
  const { constants, resources } = file;
  const taken = new Set([...Object.keys(constants), ...resources.flatMap(({ variable }) => variable ?? [])]);
  const render = (each: Statement, names: Set<string>) =>
    "loop" in each ? loopText(each.loop, names) : withNote(each.resource, "// ", resourceText(each.resource));
  const linesOf = (statements: readonly Statement[]) =>
    statements
      .map((each) => render(each, new Set(taken)))
      .join("\n\n")
      .split("\n").length;
  const statements = fold ? folded(resources, linesOf) : resources.map((resource) => ({ resource }));
  const body = statements.map((each) => render(each, taken));
  const hasSecrets = resources.some((resource) => secretsOf(resource).length > 0);
  const imports = [
    ...(hasSecrets ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    `import * as trustplane from ${quoted(library)};`,
    ...filesUsedBy(file).map((name) => `import * as ${camelCase(name)} from ${quoted(`./${name}`)};`),
    ...(hasAdopted(file) ? [`import { ${ADOPTED} } from ${quoted(`./${adopted}`)};`] : []),
  ];
  const config = hasSecrets ? ["const config = new pulumi.Config();"] : [];
  const values = Object.entries(constants).map(([name, value]) => statement(`const ${name} = `, literal(value)));
  return `${[imports.join("\n"), ...config, ...values, ...body].join("\n\n")}\n`;
}

/** The program: its files in order. */
export function typeScriptIndex(files: readonly ProgramFile[]): string {
  return files.map(({ name }) => `import ${quoted(`./${name}`)};\n`).join("");
}

function resourceText(resource: ProgramResource): string {
  const { definition, name, variable, isShared, args } = resource;
  const secrets = secretsOf(resource);
  const members = args.map(memberOf);
  const made = `new trustplane.${classOf(definition)}`;
  if (secrets.length === 0) {
    const before = variable === undefined ? "" : `${isShared ? "export " : ""}const ${variable} = `;
    return statement(before, call(made, [words(quoted(name)), object(members), words(ADOPTED)]));
  }
  const variables = secrets.map(({ key }) => secretVariable(key));
  const gets = secrets.map(({ key, shown }) =>
    statement(`const ${secretVariable(key)} = `, call(getter(shown !== undefined), [words(quoted(key))])),
  );
  // With `requireSecret`, nothing of the program could be previewed until every such value is set.
  const args3 = [words(quoted(name)), object(members), object([{ name: "retainOnDelete", value: words("true") }])];
  return [
    "// No server shows this value. Until the configuration has it, the record is left alone.",
    ...gets,
    `if (${variables.join(" && ")}) {`,
    statement("", call(made, args3), "  "),
    "}",
  ].join("\n");
}

function getter(isMap: boolean): string {
  return isMap ? "config.getSecretObject<Record<string, string>>" : "config.getSecret";
}

/** A constant has the name of the property. */
function memberOf({ property, value }: Argument): Member {
  return "constant" in value && value.constant === property
    ? { name: property }
    : { name: property, value: valueCode(value) };
}

function valueCode(value: Value): Code {
  if ("literal" in value) return literal(value.literal);
  if ("constant" in value) return words(value.constant);
  if ("items" in value) return list(value.items.map(valueCode));
  if ("secret" in value) return words(secretVariable(value.secret.key));
  const { file, of, property } = value;
  return words(file === undefined ? `${of}.${property}` : `${camelCase(file)}.${of}.${property}`);
}

/** Data and a loop over it. Where only the names differ, the data is a list of them. */
function loopText(loop: Loop, taken: Set<string>): string {
  const { definition, entries, common } = loop;
  const plural = pluralOf(camelCase(definition.token.split(":")[1] ?? ""));
  const data = freeName(plural, taken, camelCase(`${loop.prefix}-${plural}`));
  taken.add(data);
  const areNames = entries.every(([, own]) => own.length === 0);
  const codeOf = (args: readonly Argument[]) => object(args.map(memberOf));
  const records = areNames
    ? literal(entries.map(([name]) => name))
    : expanded(object(entries.map(([name, own]) => ({ name, value: codeOf(own) }))));
  const type = areNames ? "" : `: Record<string, ${typeOfOwn(loop)}>`;
  const label: Member =
    definition.label === "name" ? { name: "name" } : { name: definition.label, value: words("name") };
  const members: Member[] = common.map(memberOf);
  const at = members.findIndex(({ name }) => isAfter(definition, name));
  members.splice(at < 0 ? members.length : at, 0, label);
  if (!areNames) members.push({ name: "own", spread: true });
  const over = areNames ? `name of ${data}` : `[name, own] of Object.entries(${data})`;
  const made = call(`new trustplane.${classOf(definition)}`, [words(nameCode(loop)), object(members), words(ADOPTED)]);
  return `${statement(`const ${data}${type} = `, records)}\n\nfor (const ${over}) {\n${statement("", made, "  ")}\n}`;
}

/** Whether a property stands after the label in the table. */
function isAfter({ fields, label }: Definition, property: string): boolean {
  const names = Object.keys(fields);
  return names.indexOf(property) > names.indexOf(label);
}

function nameCode({ prefix }: Loop): string {
  // A prefix is a name that this package has made: letters, digits, dots and hyphens.
  return prefix === "" ? "name" : `\`${prefix}\${name}\``;
}

/** The type of what is of each: without the required arguments that all have in common. */
function typeOfOwn({ definition, common }: Loop): string {
  const type = `trustplane.${classOf(definition)}Args`;
  const isGiven = (name: string) => name === definition.label || common.some(({ property }) => property === name);
  const required = Object.entries(definition.fields).flatMap(([name, field]) => (field.required ? [name] : []));
  const given = required.filter(isGiven);
  if (given.length === required.length) return `Partial<${type}>`;
  return `Omit<${type}, ${given.map(quoted).join(" | ")}>`;
}

/** Data is easier to change where each record has lines of its own. */
function expanded(code: Code): Code {
  return { ...code, flat: undefined };
}
