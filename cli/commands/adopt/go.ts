import type { Definition } from "../../../provider/core/definition";
import { classOf, moduleOf } from "../../stack/kinds";
import { doubleQuoted } from "../../text/quoted";
import { adoptedInGo, GO_SDK } from "./adopted-options";
import { folded, type Loop, type Statement } from "./folding";
import { goList, goLiteral, goValue, packageOf, ROOT_PACKAGE } from "./go-value";
import { type Item, type Layout, laidOut, type Piece } from "./layout";
import { camelCase, capital, freeName, pluralOf, secretVariable, uniqueNames } from "./names";
import {
  type Argument,
  filesUsedBy,
  type ProgramFile,
  type ProgramResource,
  type SecretValue,
  secretsOf,
  sharedIn,
  type Value,
  withNote,
} from "./program";
import { namedType, type TypeSpec, typeOfProperty } from "./property-types";
import { type NameOfReference, variableNames } from "./variable-names";

const LAYOUT: Layout = { step: "\t", width: 100, isAligned: true };

/** The files of a program in Go, which are one package. */
export function goFiles(files: readonly ProgramFile[], options: GoOptions): Record<string, string> {
  const functions = functionNames(files);
  const namesFor = variableNames(files, variableOf);
  // Go leaves out files for other systems, which it tells by what stands behind the last underscore.
  const nameOf = (name: string) =>
    `${name.replace(/^declare/, "").replace(/^[A-Z]/, (letter) => letter.toLowerCase())}.go`;
  return {
    "main.go": mainFile(files),
    ...Object.fromEntries(
      functions.map(({ file, name }) => [nameOf(name), goFile(file, { ...options, name, nameOf: namesFor(file) })]),
    ),
    [`${camelCase(options.adopted)}.go`]: adoptedInGo(options.adopted),
  };
}

/** The function of each file. */
function functionNames(
  files: readonly ProgramFile[],
): readonly { readonly file: ProgramFile; readonly name: string }[] {
  const names = uniqueNames(files, {
    nameOf: ({ name }) => camelCase(`declare-${name}`),
    keyOf: ({ name }) => name,
    isSame: (name) => name.toLowerCase(),
  });
  return [...names].map(([file, name]) => ({ file, name: camelCase(name) }));
}

/** What declares the resources of the files, in their order. */
export function goCalls(files: readonly ProgramFile[]): string {
  const functions = functionNames(files);
  const shared = functions.filter(({ file }) => sharedIn(file).length > 0).map(({ file }) => file.name);
  const made = shared.map((name) => `\t${camelCase(name)} := &${structOf(name)}{}\n`);
  const calls = functions.map(({ file, name }) => `${name}(${["ctx", ...sharedBy(file).map(camelCase)].join(", ")})`);
  return made.join("") + calls.map((text) => `\tif err := ${text}; err != nil {\n\t\treturn err\n\t}\n`).join("");
}

function mainFile(files: readonly ProgramFile[]): string {
  return `package main

import ${goLiteral(GO_SDK)}

func main() {
	pulumi.Run(program)
}

func program(ctx *pulumi.Context) error {
${goCalls(files)}	return nil
}
`;
}

/** The files whose resources are known in the function of this one: those to which it refers, and itself where others refer to it. */
function sharedBy(file: ProgramFile): readonly string[] {
  return [...(sharedIn(file).length > 0 ? [file.name] : []), ...filesUsedBy(file)];
}

/** The type that holds what others refer to. */
function structOf(file: string): string {
  return camelCase(`declared-${file}`);
}

interface GoOptions {
  readonly fold: boolean;
  /** The file of the options that all have. */
  readonly adopted: string;
}

interface FunctionOptions extends GoOptions {
  readonly name: string;
  readonly nameOf: NameOfReference;
}

function goFile(file: ProgramFile, { name, fold, nameOf, adopted }: FunctionOptions): string {
  const { constants, resources } = file;
  const variables = resources.flatMap((resource) => (resource.variable ? [variableOf(resource)] : []));
  const shared = sharedIn(file);
  const holder = shared.length > 0 ? camelCase(file.name) : "";
  const naming: Naming = { nameOf, holder, options: camelCase(adopted) };
  const parameters = ["ctx *pulumi.Context", ...sharedBy(file).map((each) => `${camelCase(each)} *${structOf(each)}`)];
  const render = (each: Statement, taken: Set<string>) =>
    "loop" in each
      ? loopText(each.loop, naming, taken)
      : withNote(each.resource, "\t// ", resourceText(each.resource, naming));
  const textOf = (statements: readonly Statement[]) => {
    const holders = sharedBy(file).map(camelCase);
    const taken = new Set([...Object.keys(constants), ...variables, ...holders, ...TAKEN]);
    return statements.map((each) => render(each, taken)).join("\n");
  };
  const linesOf = (statements: readonly Statement[]) => textOf(statements).split("\n").length;
  const statements = fold ? folded(resources, linesOf) : resources.map((resource) => ({ resource }));
  const hasSecrets = resources.some((resource) => secretsOf(resource).length > 0);
  const modules = [...new Set(resources.map(({ definition }) => moduleOf(definition)))].sort();
  const hasCommon = resources.some(({ definition, args }) =>
    args.some(({ property }) => {
      const named = namedType(typeOfProperty(definition, property));
      return named !== undefined && packageOf(named) === ROOT_PACKAGE;
    }),
  );
  const imports = [
    GO_SDK,
    ...(hasSecrets ? [`${GO_SDK}/config`] : []),
    ...(hasCommon ? ["trustplane/sdk/go/trustplane"] : []),
    ...modules.map((each) => `trustplane/sdk/go/trustplane/${each}`),
  ];
  const values = Object.entries(constants).map(([each, value]) => `\t${each} := ${laid(goLiteral(value), 4)}`);
  return `package main

import (
${imports.map((path) => `\t"${path}"\n`).join("")})

${shared.length > 0 ? structText(file.name, shared) : ""}func ${name}(${parameters.join(", ")}) error {
${[...(shared.length > 0 ? ["\tvar err error"] : []), ...(hasSecrets ? ['\tconf := config.New(ctx, "")'] : []), ...values, textOf(statements)].join("\n")}
	return nil
}
`;
}

/** Its names end alike, as gofmt has them. */
function structText(file: string, shared: readonly ProgramResource[]): string {
  const longest = Math.max(...shared.map((each) => variableOf(each).length));
  const lines = shared.map((each) => `\t${variableOf(each).padEnd(longest)} *${classOf(each.definition)}\n`);
  return `// The ${file} to which others refer.\ntype ${structOf(file)} struct {\n${lines.join("")}}\n\n`;
}

function laid(piece: Piece, used: number, indent = "\t"): string {
  return laidOut(piece, LAYOUT, indent, used);
}

interface Naming {
  readonly nameOf: NameOfReference;
  /** What holds the resources of the file to which others refer. */
  readonly holder: string;
  /** What holds the options of all. */
  readonly options: string;
}

function resourceText(resource: ProgramResource, { nameOf, holder, options }: Naming): string {
  const { definition, name, variable, args } = resource;
  const secrets = secretsOf(resource);
  const items = args.map((argument) => argumentItem(definition, argument, nameOf));
  const given = secrets.length > 0 ? "pulumi.RetainOnDelete(true)" : options;
  const indent = secrets.length > 0 ? "\t\t" : "\t";
  const made = creation(definition, doubleQuoted(name), laid(argsPiece(definition, items), 0, indent), given);
  if (resource.isShared) return `\t${holder}.${variableOf(resource)}, err = ${made}\n${FAILED}`;
  if (variable !== undefined && secrets.length === 0) return `\t${variableOf(resource)}, err := ${made}\n${FAILED}`;
  if (secrets.length === 0) return ignored(made, indent);
  return [
    "\t// No server shows this value. Until the configuration has it, the record is left alone.",
    ...secrets.map(secretText),
    `\tif ${secrets.map(({ key }) => `${errorOf(key)} == nil`).join(" && ")} {`,
    ignored(made, indent),
    "\t}",
  ].join("\n");
}

const FAILED = "\tif err != nil {\n\t\treturn err\n\t}";

function creation({ token }: Definition, name: string, args: string, options: string): string {
  const [module, className] = token.split(":");
  return `${module}.New${className}(ctx, ${name}, ${args}, ${options})`;
}

/** A resource to which no other refers. */
function ignored(made: string, indent: string): string {
  return `${indent}if _, err := ${made}; err != nil {\n${indent}\treturn err\n${indent}}`;
}

function argsPiece(definition: Definition, items: readonly Item[]): Piece {
  return { open: `&${classOf(definition)}Args{`, items, close: "}", isTall: true };
}

function argumentItem(definition: Definition, { property, value }: Argument, nameOf: NameOfReference): Item {
  return { before: `${capital(property)}: `, piece: valuePiece(value, typeOfProperty(definition, property), nameOf) };
}

function valuePiece(value: Value, type: TypeSpec, nameOf: NameOfReference): Piece {
  if ("literal" in value) return goValue(value.literal, type);
  if ("constant" in value) return `pulumi.String(${value.constant})`;
  if ("items" in value)
    return goList(
      value.items.map((item) => valuePiece(item, type.items ?? {}, nameOf)),
      type,
    );
  if ("of" in value) {
    const holder = value.file === undefined ? "" : `${camelCase(value.file)}.`;
    return `${holder}${nameOf(value)}.${capital(value.property)}`;
  }
  const name = secretVariable(value.secret.key);
  return value.secret.shown ? `pulumi.ToSecret(pulumi.ToMap(${name})).(pulumi.MapOutput)` : name;
}

function secretText({ key, shown }: SecretValue): string {
  const quotedKey = doubleQuoted(key);
  if (shown === undefined) return `\t${secretVariable(key)}, ${errorOf(key)} := conf.TrySecret(${quotedKey})`;
  return `\tvar ${secretVariable(key)} map[string]any\n\t_, ${errorOf(key)} := conf.TrySecretObject(${quotedKey}, &${secretVariable(key)})`;
}

/** Data and a loop over it. Where only the names differ, the data is a list of them. */
function loopText(loop: Loop, { nameOf, options }: Naming, taken: Set<string>): string {
  const { definition, prefix, entries, common } = loop;
  const name = prefix === "" ? "name" : `"${prefix}"+name`;
  const label: Item = { before: `${capital(definition.label)}: `, piece: "pulumi.String(name)" };
  const commons = common.map((argument) => argumentItem(definition, argument, nameOf));
  if (entries.every(([, own]) => own.length === 0)) {
    const names: Piece = {
      open: "[]string{",
      items: entries.map(([each]) => ({ piece: doubleQuoted(each) })),
      close: "}",
    };
    const made = creation(definition, name, laid(argsPiece(definition, [label, ...commons]), 0, "\t\t"), options);
    return `\tfor _, name := range ${laid(names, 30)} {\n${ignored(made, "\t\t")}\n\t}`;
  }
  const plural = pluralOf(camelCase(definition.token.split(":")[1] ?? ""));
  const data = freeName(plural, taken, camelCase(`${loop.prefix}-${plural}`));
  taken.add(data);
  const type = classOf(definition);
  const items = entries.map(([each, own]) => {
    const args = own.map((argument) => argumentItem(definition, argument, nameOf));
    return {
      piece: {
        open: "{",
        items: [{ piece: doubleQuoted(each) }, { piece: { open: `&${type}Args{`, items: args, close: "}" } }],
        close: "}",
      },
    };
  });
  const records: Piece = { open: "{", items, close: "}", isTall: true };
  const sets = [label, ...commons].map(({ before = "", piece }) => {
    const target = `\t\targs.${before.replace(/: $/, "")} = `;
    return target + laid(piece, target.length + 6, "\t\t");
  });
  return [
    `\t${data} := []struct {\n\t\tname string\n\t\targs *${type}Args\n\t}${laid(records, 0)}`,
    `\tfor _, each := range ${data} {\n\t\tname, args := each.name, each.args`,
    ...sets,
    `${ignored(creation(definition, name, "args", options), "\t\t")}\n\t}`,
  ].join("\n");
}

function errorOf(key: string): string {
  return `${camelCase(key)}Err`;
}

function variableOf({ variable = "", definition }: ProgramResource): string {
  return TAKEN.has(variable) ? variable + capital(definition.token.split(":")[1] ?? "") : variable;
}

/** Words of Go, names that it knows, and what a generated file calls its own. */
const TAKEN: ReadonlySet<string> = new Set(
  `break case chan const continue default defer else fallthrough for func go goto if import interface map package range return
  select struct switch type var any append bool byte cap clear close complex copy delete error false float64 imag int iota len
  make max min new nil panic print println real recover rune string true
  adopted args cloud cluster conf config ctx each err identity init jwt main name policy program pulumi sys trustplane`.split(
    /\s+/,
  ),
);
