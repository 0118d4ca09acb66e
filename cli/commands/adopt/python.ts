import type { Definition } from "../../../provider/core/definition";
import { isRecord } from "../../../provider/core/unknowns";
import { classOf, moduleOf } from "../../stack/kinds";
import { doubleQuoted } from "../../text/quoted";
import { ADOPTED, hasAdopted } from "./adopted-options";
import { folded, type Loop, type Statement } from "./folding";
import { type Item, type Layout, laidOut, type Piece } from "./layout";
import { camelCase, freeName, pluralOf, uniqueNames } from "./names";
import {
  type Argument,
  filesUsedBy,
  type ProgramFile,
  type ProgramResource,
  secretsOf,
  type Value,
  withNote,
} from "./program";
import { namedType, type TypeSpec, typeOfProperty } from "./property-types";
import { type NameOfReference, variableNames } from "./variable-names";

/** As Black has it. */
const LAYOUT: Layout = { step: "    ", width: 88 };

/** The modules of a program in Python, by name. */
export function pythonModules(files: readonly ProgramFile[], options: PythonOptions) {
  const names = uniqueNames(files, {
    nameOf: ({ name }) => snakeCase(name),
    keyOf: ({ name }) => name,
    isSame: (name) => name.toLowerCase(),
  });
  const namesFor = variableNames(files, variableOf);
  return Object.fromEntries(
    [...names].map(([file, name]) => [snakeCase(name), pythonModule(file, { ...options, nameOf: namesFor(file) })]),
  );
}

/** The program: its modules in order. */
export function pythonMain(modules: readonly string[]): string {
  return modules.map((name) => `import resources.${name}  # noqa: F401\n`).join("");
}

interface PythonOptions {
  readonly fold: boolean;
  /** The module of the options that all have. */
  readonly adopted: string;
}

interface ModuleOptions extends Naming, PythonOptions {}

function pythonModule(file: ProgramFile, { fold, adopted, ...naming }: ModuleOptions): string {
  const { constants, resources } = file;
  const variables = resources.flatMap((resource) => (resource.variable ? [variableOf(resource)] : []));
  const render = (each: Statement, taken: Set<string>) =>
    "loop" in each
      ? loopText(each.loop, naming, taken)
      : withNote(each.resource, "# ", resourceText(each.resource, naming));
  const taken = () => new Set([...Object.keys(constants).map(snakeCase), ...variables, ...TAKEN]);
  const textOf = (statements: readonly Statement[]) => {
    const names = taken();
    return statements.map((each) => render(each, names)).join("\n\n");
  };
  const linesOf = (statements: readonly Statement[]) => textOf(statements).split("\n").length;
  const statements = fold ? folded(resources, linesOf) : resources.map((resource) => ({ resource }));
  const modules = [...new Set(resources.map(({ definition }) => moduleOf(definition)))].sort();
  const hasSecrets = resources.some((resource) => secretsOf(resource).length > 0);
  const values = Object.entries(constants).map(([name, value]) => assigned(snakeCase(name), literal(value)));
  const uses = filesUsedBy(file).map(snakeCase);
  const local = [
    ...(uses.length > 0 ? [`from . import ${uses.join(", ")}`] : []),
    ...(hasAdopted(file) ? [`from .${snakeCase(adopted)} import ${ADOPTED}`] : []),
  ];
  return `${[
    [...(hasSecrets ? ["import pulumi"] : []), `from trustplane import ${modules.join(", ")}`].join("\n"),
    ...(local.length > 0 ? [local.join("\n")] : []),
    ...(hasSecrets ? ["config = pulumi.Config()"] : []),
    ...(values.length > 0 ? [values.join("\n")] : []),
    textOf(statements),
  ].join("\n\n")}\n`;
}

interface Naming {
  readonly nameOf: NameOfReference;
}

function assigned(name: string, piece: Piece, indent = ""): string {
  const before = name === "" ? "" : `${name} = `;
  return indent + before + laidOut(piece, LAYOUT, indent, indent.length + before.length);
}

function resourceText(resource: ProgramResource, naming: Naming): string {
  const { definition, name, variable, args } = resource;
  const secrets = secretsOf(resource);
  const items = [{ piece: doubleQuoted(name) }, ...args.map((argument) => argumentItem(definition, argument, naming))];
  if (secrets.length === 0)
    return assigned(variable === undefined ? "" : variableOf(resource), call(definition, [...items, OPTIONS]));
  const options = { before: "opts=", piece: "pulumi.ResourceOptions(retain_on_delete=True)" };
  const conditions = secrets.map(({ key }) => `${secretOf(key)} is not None`);
  return [
    "# No server shows this value. Until the configuration has it, the record is left alone.",
    ...secrets.map(({ key, shown }) => {
      const getter = shown === undefined ? "get_secret" : "get_secret_object";
      const piece = { open: `config.${getter}(`, items: [{ piece: doubleQuoted(key) }], close: ")" };
      return assigned(secretOf(key), piece);
    }),
    `if ${conditions.join(" and ")}:`,
    assigned("", call(definition, [...items, options]), LAYOUT.step),
  ].join("\n");
}

const OPTIONS: Item = { before: "opts=", piece: ADOPTED };

function call(definition: Definition, items: readonly Item[]): Piece {
  return { open: `${classOf(definition)}(`, items, close: ")" };
}

function argumentItem(definition: Definition, { property, value }: Argument, naming: Naming): Item {
  return {
    before: `${propertyName(property)}=`,
    piece: valuePiece(value, typeOfProperty(definition, property), naming),
  };
}

function valuePiece(value: Value, type: TypeSpec, naming: Naming): Piece {
  if ("literal" in value) return literal(value.literal, type);
  if ("constant" in value) return snakeCase(value.constant);
  if ("secret" in value) return secretOf(value.secret.key);
  if ("items" in value) {
    const items = value.items.map((item) => ({ piece: valuePiece(item, type.items ?? {}, naming) }));
    return { open: "[", items, close: "]" };
  }
  const module = value.file === undefined ? "" : `${snakeCase(value.file)}.`;
  return `${module}${naming.nameOf(value)}.${propertyName(value.property)}`;
}

/** Any value of JSON as a literal. Names of a record's members are the SDK's, those of a map are the server's. */
function literal(value: unknown, type: TypeSpec = {}): Piece {
  if (typeof value === "string") return text(value);
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value))
    return { open: "[", items: value.map((item) => ({ piece: literal(item, type.items) })), close: "]" };
  if (!isRecord(value)) return value === null || value === undefined ? "None" : JSON.stringify(value);
  const members = namedType(type)?.members;
  const items = Object.entries(value).map(([name, member]) => ({
    before: `${doubleQuoted(members ? propertyName(name) : name)}: `,
    piece: literal(member, members?.[name] ?? type.additionalProperties),
  }));
  return { open: "{", items, close: "}" };
}

/** A long text is written line by line: Python joins what stands side by side. */
function text(value: string): Piece {
  const lines = value.split(/(?<=\n)/);
  if (lines.length < 3) return doubleQuoted(value);
  return { lines: ["(", ...lines.map(doubleQuoted)], sign: "", end: ")" };
}

/** Data and a loop over it. Where only the names differ, the data is a list of them. */
function loopText(loop: Loop, naming: Naming, taken: Set<string>): string {
  const { definition, prefix, entries, common } = loop;
  const plural = pluralOf(snakeCase(definition.token.split(":")[1] ?? ""));
  const data = freeName(plural, taken, snakeCase(camelCase(`${loop.prefix}-${plural}`)));
  taken.add(data);
  const areNames = entries.every(([, own]) => own.length === 0);
  const records: Piece = areNames
    ? { open: "[", items: entries.map(([name]) => ({ piece: doubleQuoted(name) })), close: "]" }
    : {
        open: "{",
        items: entries.map(([name, own]) => ({
          before: `${doubleQuoted(name)}: `,
          piece: ownPiece(loop, own, naming),
        })),
        close: "}",
        isTall: true,
      };
  const items: Item[] = [
    { piece: prefix === "" ? "name" : `f"${prefix}{name}"` },
    { before: `${propertyName(definition.label)}=`, piece: "name" },
    ...common.map((argument) => argumentItem(definition, argument, naming)),
    ...(areNames ? [] : [{ piece: "**own" }]),
    OPTIONS,
  ];
  const over = areNames ? `name in ${data}` : `name, own in ${data}.items()`;
  const type = areNames ? "" : ": dict[str, dict]";
  return `${assigned(`${data}${type}`, records)}\n\nfor ${over}:\n${assigned("", call(definition, items), LAYOUT.step)}`;
}

function ownPiece({ definition }: Loop, own: readonly Argument[], naming: Naming): Piece {
  const items = own.map(({ property, value }) => ({
    before: `${doubleQuoted(propertyName(property))}: `,
    piece: valuePiece(value, typeOfProperty(definition, property), naming),
  }));
  return { open: "{", items, close: "}" };
}

/** `token_ttl` of `tokenTtl`, as Pulumi's generator names it. */
function propertyName(property: string): string {
  const name = snakeCase(property);
  return KEYWORDS.has(name) ? `${name}_` : name;
}

export function snakeCase(name: string): string {
  return name
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}

function secretOf(key: string): string {
  return `${snakeCase(key)}_secret`;
}

function variableOf({ variable = "", definition }: ProgramResource): string {
  const name = snakeCase(variable);
  return TAKEN.has(name) ? `${name}_${snakeCase(definition.token.split(":")[1] ?? "")}` : name;
}

const KEYWORDS: ReadonlySet<string> = new Set(
  `and as assert async await break class continue def del elif else except false finally for from global if import in is lambda
  none nonlocal not or pass raise return true try while with`.split(/\s+/),
);

/** Words of Python, and what a generated module calls its own. */
const TAKEN: ReadonlySet<string> = new Set([
  ...KEYWORDS,
  ..."adopted cloud cluster config dict identity jwt name own policy pulumi sys".split(" "),
]);
