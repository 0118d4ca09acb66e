import type { Definition } from "../../provider/core/definition";
import { doubleQuoted } from "./escaped-text";
import { folded, type Loop, type Statement } from "./folding";
import { goLiteral, goValue } from "./go-value";
import { moduleOf } from "./kinds";
import { type Item, type Layout, laidOut, type Piece } from "./layout";
import { camelCase, capital, freeName, uniqueNames } from "./names";
import {
  type Argument,
  type ProgramFile,
  type ProgramResource,
  type SecretValue,
  secretsOf,
  type Value,
} from "./program";
import { typeOfProperty } from "./property-types";

const LAYOUT: Layout = { step: "\t", width: 100, isAligned: true };
const SDK = "github.com/pulumi/pulumi/sdk/v3/go/pulumi";

/** The files of a program in Go, which are one package. */
export function goFiles(files: readonly ProgramFile[], { fold }: { readonly fold: boolean }): Record<string, string> {
  const functions = uniqueNames(files, {
    nameOf: ({ name }) => camelCase(`declare-${name}`),
    keyOf: ({ name }) => name,
    isSame: (name) => name.toLowerCase(),
  });
  const calls = [...functions.values()].map((name) => camelCase(name));
  // Go leaves out files for other systems, which it tells by what stands behind the last underscore.
  const nameOf = (name: string) =>
    `${name.replace(/^declare/, "").replace(/^[A-Z]/, (letter) => letter.toLowerCase())}.go`;
  return {
    "main.go": mainFile(calls),
    ...Object.fromEntries(
      [...functions].map(([file, name]) => [nameOf(camelCase(name)), goFile(file, camelCase(name), fold)]),
    ),
  };
}

function mainFile(calls: readonly string[]): string {
  return `package main

import ${goLiteral(SDK)}

func main() {
	pulumi.Run(program)
}

func program(ctx *pulumi.Context) error {
${calls.map((name) => `\tif err := ${name}(ctx); err != nil {\n\t\treturn err\n\t}\n`).join("")}	return nil
}
`;
}

function goFile({ constants, resources }: ProgramFile, name: string, fold: boolean): string {
  const variables = new Map(
    resources.flatMap((resource) => (resource.variable ? [[resource.variable, variableOf(resource)] as const] : [])),
  );
  const render = (each: Statement, taken: Set<string>) =>
    "loop" in each ? loopText(each.loop, variables, taken) : resourceText(each.resource, variables);
  const textOf = (statements: readonly Statement[]) => {
    const taken = new Set([...Object.keys(constants), ...variables.values(), ...TAKEN]);
    return statements.map((each) => render(each, taken)).join("\n");
  };
  const linesOf = (statements: readonly Statement[]) => textOf(statements).split("\n").length;
  const statements = fold ? folded(resources, linesOf) : resources.map((resource) => ({ resource }));
  const hasSecrets = resources.some((resource) => secretsOf(resource).length > 0);
  const modules = [...new Set(resources.map(({ definition }) => moduleOf(definition)))].sort();
  const imports = [
    SDK,
    ...(hasSecrets ? [`${SDK}/config`] : []),
    ...modules.map((each) => `trustplane/sdk/go/trustplane/${each}`),
  ];
  const values = Object.entries(constants).map(([each, value]) => `\t${each} := ${laid(goLiteral(value), 4)}`);
  return `package main

import (
${imports.map((path) => `\t"${path}"\n`).join("")})

func ${name}(ctx *pulumi.Context) error {
${[...(hasSecrets ? ['\tconf := config.New(ctx, "")'] : []), ...values, textOf(statements)].join("\n")}
	return nil
}
`;
}

type Variables = ReadonlyMap<string, string>;

function laid(piece: Piece, used: number, indent = "\t"): string {
  return laidOut(piece, LAYOUT, indent, used);
}

function resourceText(resource: ProgramResource, variables: Variables): string {
  const { definition, name, variable, args } = resource;
  const secrets = secretsOf(resource);
  const items = args.map((argument) => argumentItem(definition, argument, variables));
  const options = secrets.length > 0 ? ", pulumi.RetainOnDelete(true)" : "";
  const indent = secrets.length > 0 ? "\t\t" : "\t";
  const made = creation(definition, doubleQuoted(name), laid(argsPiece(definition, items), 0, indent) + options);
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

function creation({ token }: Definition, name: string, args: string): string {
  const [module, className] = token.split(":");
  return `${module}.New${className}(ctx, ${name}, ${args})`;
}

/** A resource to which no other refers. */
function ignored(made: string, indent: string): string {
  return `${indent}if _, err := ${made}; err != nil {\n${indent}\treturn err\n${indent}}`;
}

function argsPiece({ token }: Definition, items: readonly Item[]): Piece {
  return { open: `&${token.replace(":", ".")}Args{`, items, close: "}", isTall: true };
}

function argumentItem(definition: Definition, { property, value }: Argument, variables: Variables): Item {
  return { before: `${capital(property)}: `, piece: valuePiece(definition, property, value, variables) };
}

function valuePiece(definition: Definition, property: string, value: Value, variables: Variables): Piece {
  if ("literal" in value) return goValue(value.literal, typeOfProperty(definition, property));
  if ("constant" in value) return `pulumi.String(${value.constant})`;
  if ("of" in value) return `${variables.get(value.of) ?? value.of}.${capital(value.property)}`;
  const name = secretOf(value.secret.key);
  return value.secret.shown ? `pulumi.ToSecret(pulumi.ToMap(${name})).(pulumi.MapOutput)` : name;
}

function secretText({ key, shown }: SecretValue): string {
  const quotedKey = doubleQuoted(key);
  if (shown === undefined) return `\t${secretOf(key)}, ${errorOf(key)} := conf.TrySecret(${quotedKey})`;
  return `\tvar ${secretOf(key)} map[string]any\n\t_, ${errorOf(key)} := conf.TrySecretObject(${quotedKey}, &${secretOf(key)})`;
}

/** Data and a loop over it. Where only the names differ, the data is a list of them. */
function loopText(loop: Loop, variables: Variables, taken: Set<string>): string {
  const { definition, prefix, entries, common } = loop;
  const name = prefix === "" ? "name" : `"${prefix}"+name`;
  const label: Item = { before: `${capital(definition.label)}: `, piece: "pulumi.String(name)" };
  const commons = common.map((argument) => argumentItem(definition, argument, variables));
  if (entries.every(([, own]) => own.length === 0)) {
    const names: Piece = {
      open: "[]string{",
      items: entries.map(([each]) => ({ piece: doubleQuoted(each) })),
      close: "}",
    };
    const made = creation(definition, name, laid(argsPiece(definition, [label, ...commons]), 0, "\t\t"));
    return `\tfor _, name := range ${laid(names, 30)} {\n${ignored(made, "\t\t")}\n\t}`;
  }
  const data = freeName(`${camelCase(definition.token.split(":")[1] ?? "")}s`, taken);
  taken.add(data);
  const type = definition.token.replace(":", ".");
  const items = entries.map(([each, own]) => {
    const args = own.map((argument) => argumentItem(definition, argument, variables));
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
    `${ignored(creation(definition, name, "args"), "\t\t")}\n\t}`,
  ].join("\n");
}

function secretOf(key: string): string {
  return `${camelCase(key)}Secret`;
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
  args cloud cluster conf config ctx each err identity init jwt main name policy program pulumi sys`.split(/\s+/),
);
