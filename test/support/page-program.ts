import { runInNewContext } from "node:vm";
import ts from "typescript";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { definitions } from "../../provider/resources/index.ts";

/** A resource of a program, with what only a run knows as unknown. */
export interface ToldResource {
  readonly definition: Definition;
  readonly args: Values;
}

/** Runs a program of a page, with classes that only note what they are given. */
export async function resourcesOf(source: string): Promise<readonly ToldResource[]> {
  const made: ToldResource[] = [];
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.CommonJS, esModuleInterop: true },
  });
  const library = open({ get: (module) => open({ get: (name) => classOf(`${module}:${name}`, made) ?? open() }) });
  const own: Readonly<Record<string, unknown>> = {
    trustplane: library,
    "trustplane/native": library,
    "@pulumi/pulumi": open({ get: (name) => pulumi[name] ?? open() }),
  };
  const require = (name: string) => own[name] ?? open();
  // A page may wait for a call.
  const surroundings = { require, exports: {}, process: { env: {} }, console, __dirname: "." };
  await runInNewContext(`(async () => {${outputText}\n})()`, surroundings);
  return made;
}

const pulumi: Readonly<Record<string, unknown>> = {
  Config: class {
    get = () => undefined;
    getSecret = () => undefined;
    require = open();
    requireSecret = open();
  },
  interpolate: (texts: readonly string[], ...values: readonly unknown[]) =>
    values.some((value) => typeof value === "function") ? open() : String.raw({ raw: texts }, ...values),
};

/** What nobody knows: it can be called, made and asked for any part, which is as little known. */
function open({ get = () => open() }: { readonly get?: (name: string) => unknown } = {}): unknown {
  return new Proxy(function unknown() {}, {
    get: (_, name) => {
      if (name === Symbol.iterator) return () => [][Symbol.iterator]();
      if (name === Symbol.toPrimitive) return () => UNKNOWN;
      // It is no promise, and no module with a default.
      return name === "then" || typeof name === "symbol" ? undefined : name === "__esModule" ? true : get(name);
    },
    apply: () => open(),
    construct: () => open() as object,
  });
}

function classOf(token: string, made: ToldResource[]): unknown {
  const definition = Object.values<Definition>(definitions).find((each) => each.token === token);
  if (definition === undefined) return undefined;
  function Told(_name: string, args: Values = {}) {
    made.push({ definition: definition as Definition, args: told(args) as Values });
    return new Proxy(args, { get: (known, name) => Reflect.get(known, name) ?? open() });
  }
  return Object.assign(Told, { get: open() });
}

function told(value: unknown): unknown {
  if (typeof value === "function") return UNKNOWN;
  if (Array.isArray(value)) return value.map(told);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, told(member)]));
}
