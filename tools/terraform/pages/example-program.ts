import { createContext, runInContext } from "node:vm";
import ts from "typescript";
import { attributeName, resourceName, snakeCase } from "../../../provider/hosts/terraform/names";
import { renamed } from "../../../provider/hosts/terraform/shape";
import type { ResourceTable, Tables } from "../../../provider/hosts/terraform/table";
import { attributesText, Expression } from "./hcl-text";

/** What an example has declared: resources in their order, and what it takes from outside. */
interface Declared {
  readonly blocks: string[];
  readonly variables: Map<string, string>;
}

/**
 * An example of the tables, which is in TypeScript, as a program in HCL. It is run with classes that note what they get: so
 * it need not be written twice.
 */
export function hclExample(source: string, tables: Tables): string {
  const declared: Declared = { blocks: [], variables: new Map() };
  const compiled = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
  });
  const modules: Readonly<Record<string, unknown>> = {
    trustplane: modulesOf(tables, declared),
    "@pulumi/pulumi": { Config: configClass(declared) },
  };
  runInContext(compiled.outputText, createContext({ exports: {}, require: (name: string) => modules[name] }));
  return [...declared.variables.values(), ...declared.blocks].join("\n").trim();
}

/** `trustplane.<module>.<Class>` and `trustplane.<module>.<function>`. */
function modulesOf(tables: Tables, declared: Declared): object {
  const member = (module: string) =>
    new Proxy(
      {},
      {
        get: (_, name) =>
          /^[A-Z]/.test(String(name))
            ? resourceClass(tables, declared, `${module}:${String(name)}`)
            : functionOf(declared),
      },
    );
  return new Proxy({}, { get: (_, module) => (module === "__esModule" ? true : member(String(module))) });
}

function resourceClass({ resources }: Tables, { blocks }: Declared, token: string) {
  const table = resources.get(resourceName(token));
  if (!table) throw new Error(`an example has ${token}, which Terraform does not have`);
  return function create(
    name: string,
    inputs: Readonly<Record<string, unknown>>,
    options: { dependsOn?: unknown } = {},
  ) {
    const address = `${table.typeName}.${snakeCase(name).replaceAll("-", "_")}`;
    const entries = Object.entries(inputs).map(([property, value]) => attributeOf(table, property, value));
    const depends = options.dependsOn === undefined ? "" : `\n  depends_on = [${addressOf(options.dependsOn)}]\n`;
    const [type = "", label = ""] = address.split(".");
    blocks.push(`resource "${type}" "${label}" {\n${attributesText(entries, "  ")}${depends}}\n`);
    return new Proxy(
      { address },
      {
        get: (_, property) =>
          property === "address" ? address : new Expression(`${address}.${attributeName(String(property))}`),
      },
    );
  };
}

function attributeOf({ inputs }: ResourceTable, property: string, value: unknown): [string, unknown] {
  const row = inputs.find((each) => each.property === property);
  if (!row) throw new Error(`an example has ${property}, which the table does not have`);
  return [row.name, renamed(row.shape, plain(value), "attribute")];
}

/** The objects of the other context are records of it; here they are to be ours. */
function plain(value: unknown): unknown {
  if (value instanceof Expression || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return [...value].map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
}

function addressOf(resource: unknown): string {
  return (resource as { readonly address: string }).address;
}

/** What a function would look up is given from outside. */
function functionOf(declared: Declared) {
  return () => new Proxy({}, { get: (_, property) => variable(declared, String(property), false) });
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
