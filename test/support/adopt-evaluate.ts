import { runInNewContext } from "node:vm";
import ts from "typescript";

/** A resource that a program has made. */
export interface MadeResource {
  readonly class: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly options: unknown;
}

/** Texts by path. */
type Files = Readonly<Record<string, string>>;
type Configuration = Readonly<Record<string, unknown>>;

/** What the files of a TypeScript project make, each by itself. */
export function evaluatedFiles(files: Files, configuration: Configuration = {}): MadeResource[] {
  const sources = Object.entries(files).filter(([name]) => name.endsWith(".ts") && name !== "index.ts");
  return sources.flatMap(([, source]) => evaluated(source, configuration, files));
}

/** Runs a generated file with classes that only note what they are given. A reference is the value of the property. */
export function evaluated(source: string, configuration: Configuration = {}, files: Files = {}): MadeResource[] {
  const made: MadeResource[] = [];
  runFile(source, { made, configuration, files });
  return made;
}

interface Surroundings {
  readonly made: MadeResource[];
  readonly configuration: Configuration;
  /** The other files of the project. */
  readonly files: Files;
}

/** What the file exports. What another file makes is not noted. */
function runFile(source: string, { made, configuration, files }: Surroundings): object {
  const { outputText, diagnostics } = ts.transpileModule(source, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.CommonJS },
  });
  const [problem] = diagnostics ?? [];
  if (problem) throw new Error(`${ts.flattenDiagnosticMessageText(problem.messageText, "\n")}\n${source}`);
  const moduleOf = (module: string) => new Proxy({}, { get: (_, name) => classOf(`${module}.${String(name)}`, made) });
  const library = new Proxy({}, { get: (_, module) => moduleOf(String(module)) });
  const modules: Readonly<Record<string, unknown>> = {
    trustplane: library,
    "trustplane/native": library,
    "@pulumi/pulumi": { Config: configurationOf(configuration) },
  };
  const require = (name: string) =>
    modules[name] ?? runFile(files[`${name.replace("./", "")}.ts`] ?? "", { made: [], configuration, files });
  const problems: unknown[] = [];
  const console = { log: (text: unknown) => problems.push(text) };
  const exports = {};
  runInNewContext(outputText, { require, exports, console });
  if (problems.length > 0) throw new Error(`the program printed ${JSON.stringify(problems)}`);
  return exports;
}

function classOf(name: string, made: MadeResource[]) {
  return function made_(this: object, resource: string, args: Record<string, unknown>, options: unknown) {
    made.push({ class: name, name: resource, args: Object.fromEntries(Object.entries(args)), options });
    Object.assign(this, args);
  };
}

function configurationOf(values: Readonly<Record<string, unknown>>) {
  return class {
    getSecret(key: string): unknown {
      return values[key];
    }
    getSecretObject(key: string): unknown {
      return values[key];
    }
  };
}
