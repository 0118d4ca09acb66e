import { createContext, runInContext } from "node:vm";
import ts from "typescript";
import type { Attribute } from "../../../provider/hosts/terraform/attribute";
import { attributeName, functionName, resourceName, snakeCase } from "../../../provider/hosts/terraform/names";
import { renamed } from "../../../provider/hosts/terraform/shape";
import type { Tables } from "../../../provider/hosts/terraform/table";
import { attributesText, Expression } from "./hcl-text";
import { secretsApart } from "./secrets-apart";

/** What an example has declared: blocks in their order, and what it takes from outside. */
interface Declared {
  readonly tables: Tables;
  readonly blocks: string[];
  readonly variables: Map<string, string>;
}

/**
 * An example of the tables, which is in TypeScript, as a program in HCL. It is run with classes that note what they get: so
 * it need not be written twice.
 */
export async function hclExample(source: string, tables: Tables): Promise<string> {
  const declared: Declared = { tables, blocks: [], variables: new Map() };
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
  const { outputText } = ts.transpileModule(source, { compilerOptions });
  const modules: Readonly<Record<string, unknown>> = {
    trustplane: membersBy((module) => membersBy((name) => memberOf(declared, `${module}:${name}`))),
    "@pulumi/pulumi": { Config: configClass(declared) },
  };
  const outside = {
    exports: {},
    require: (name: string) => modules[name],
    console: { log: () => undefined },
    process: { env: membersBy((name) => variable(declared, name, true)) },
  };
  await runInContext(`(async () => {${outputText}\n})()`, createContext(outside));
  return [...declared.variables.values(), ...declared.blocks].join("\n").trim();
}

/** An object that has every member. Who waits for one gets the object itself. */
function membersBy(member: (name: string) => unknown): object {
  return new Proxy({}, { get: (_, name) => (typeof name === "symbol" || name === "then" ? undefined : member(name)) });
}

function memberOf(declared: Declared, token: string): unknown {
  return /:[A-Z]/.test(token) ? resourceClass(declared, token) : lookUp(declared, token.replace(/Output$/, ""));
}

function resourceClass({ tables, blocks }: Declared, token: string) {
  const table = tables.resources.get(resourceName(token));
  if (!table) throw new Error(`an example has ${token}, which Terraform does not have`);
  return function create(label: string, values: object, { dependsOn }: { readonly dependsOn?: object } = {}) {
    const name = snakeCase(label).replaceAll("-", "_");
    const depends = dependsOn === undefined ? "" : `\n  depends_on = [${addressOf(dependsOn)}]\n`;
    const apart = secretsApart(table.definition, Object(plain(values)));
    const secrets = table.inputs
      .filter(({ setting = "" }) => setting in apart.secrets)
      .map((each) => [each.name, apart.secrets[each.setting ?? ""]] as const);
    const more = attributesText(secrets, "  ") + depends;
    blocks.push(blockText("resource", [table.typeName, name], table.inputs, apart.values, more));
    return resultAt(`${table.typeName}.${name}`);
  };
}

/** A call is a block of its own; what it answers is of no use for a page. */
function lookUp({ tables, blocks }: Declared, token: string) {
  const typeName = functionName(token);
  const kind = tables.dataSources.has(typeName) ? "data" : "ephemeral";
  const table = tables.dataSources.get(typeName) ?? tables.ephemerals.get(typeName);
  if (!table) throw new Error(`an example has ${token}, which Terraform does not have`);
  return (values: object = {}) => {
    // Terraform gives back by itself what was issued.
    const { release } = table.definition;
    const given = Object.fromEntries(Object.entries(values).filter(([name]) => name !== release?.when));
    blocks.push(blockText(kind, [typeName, "example"], table.inputs, given));
    return resultAt(`${kind}.${typeName}.example`);
  };
}

const ADDRESS = "address";

function resultAt(address: string): object {
  return membersBy((property) =>
    property === ADDRESS ? address : new Answered(`${address}.${attributeName(property)}`),
  );
}

function addressOf(result: object): unknown {
  return Reflect.get(result, ADDRESS);
}

/** A value that only a server knows: an example that goes through it finds nothing. */
class Answered extends Expression {
  filter = () => this;
  map = () => this;
  *[Symbol.iterator]() {}
}

function blockText(kind: string, labels: readonly string[], rows: readonly Attribute[], values: object, more = "") {
  const entries = Object.entries(values).map(([property, value]) => {
    const row = rows.find((each) => each.property === property);
    if (!row) throw new Error(`an example of ${labels[0]} has ${property}, which the table does not have`);
    return [row.name, renamed(row.shape, plain(value), "attribute")] as const;
  });
  return `${kind} ${labels.map((label) => `"${label}"`).join(" ")} {\n${attributesText(entries, "  ")}${more}}\n`;
}

/** Objects and lists of the example's own context, as ours. */
function plain(value: unknown): unknown {
  if (value instanceof Expression || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return [...value].map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
}

function configClass(declared: Declared) {
  return class {
    require = (name: string) => variable(declared, name, false);
    requireSecret = (name: string) => variable(declared, name, true);
  };
}

/** An ephemeral variable is in no state and no plan. */
function variable({ variables }: Declared, property: string, isSecret: boolean): Expression {
  const name = snakeCase(property);
  const type = ["type", new Expression("string")] as const;
  const entries = isSecret ? [type, ["ephemeral", true] as const, ["sensitive", true] as const] : [type];
  variables.set(name, `variable "${name}" {\n${attributesText(entries, "  ")}}\n`);
  return new Expression(`var.${name}`);
}
