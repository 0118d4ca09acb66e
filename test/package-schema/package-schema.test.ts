import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Definition } from "../../provider/core/definition.ts";
import { typeToken } from "../../provider/core/type-token.ts";
import { functions } from "../../provider/functions/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import { repository } from "../../tools/steps/repository.mjs";
import { goProgram, needsGoProgram } from "../support/go-program.ts";

interface PropertySpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly default?: unknown;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
  readonly deprecationMessage?: string;
  readonly defaultInfo?: { readonly environment: readonly string[] };
}
type Properties = Readonly<Record<string, PropertySpec>>;
interface Schema {
  readonly resources: Readonly<
    Record<
      string,
      {
        readonly properties: Properties;
        readonly inputProperties: Properties;
        readonly requiredInputs: readonly string[];
        readonly required: readonly string[];
        readonly stateInputs: { readonly properties: Properties };
        readonly aliases: readonly { readonly type: string }[];
      }
    >
  >;
  readonly functions: Readonly<Record<string, { readonly outputs: { readonly properties: Properties } }>>;
  readonly types: Readonly<Record<string, { readonly properties?: Properties; readonly enum?: readonly unknown[] }>>;
}

const file = join(repository, "schema/schema.json");
// The committed file, which the test of generated files holds to the definitions.
const schema = JSON.parse(readFileSync(file, "utf8")) as Schema;
const named = (names: Readonly<Record<string, { token: string }>>) =>
  Object.values(names)
    .map(({ token }) => typeToken(token))
    .sort();

test("every resource and every function is in the package's schema", () => {
  expect(Object.keys(schema.resources)).toEqual(named(definitions));
  expect(Object.keys(schema.functions)).toEqual(named(functions));
});

const lookUps: Readonly<Record<string, readonly string[]>> = {
  "cluster:PeeredClusters": ["acceptorConnection", "acceptorPartition", "dialerConnection", "dialerPartition"],
};

/** A partition is in the id, and a namespace is not. */
const inNamespaces = { vault: ["connection", "namespace"], consul: ["connection"], tfe: ["connection"] };

const tables: readonly Definition[] = Object.values(definitions);
describe.each(tables)("the schema of $token", (definition) => {
  const { token, dialect, fields, outputs, identity, replaceOn, secrets, secretOutputs } = definition;
  const spec = schema.resources[typeToken(token)];
  if (!spec) throw new Error(`the schema has no ${token}`);
  const marked = (properties: Properties, mark: keyof PropertySpec) =>
    Object.keys(properties).filter((name) => properties[name]?.[mark] !== undefined);

  test("has its rows, and knows which a program must write", () => {
    expect(Object.keys(spec.inputProperties)).toEqual(Object.keys(fields));
    expect(Object.keys(spec.properties)).toEqual([...Object.keys(fields), ...Object.keys(outputs)]);
    expect(spec.requiredInputs).toEqual(Object.keys(fields).filter((name) => fields[name]?.required));
  });

  test("says what replaces, what is always secret, what is on its way out, and what is written for the program", () => {
    const replacing = Object.keys(fields).filter((name) => [...identity, ...replaceOn].includes(name));
    expect(marked(spec.inputProperties, "willReplaceOnChanges")).toEqual(replacing);
    const always = Object.keys(secrets).filter((name) => secrets[name] === "always");
    expect(marked(spec.inputProperties, "secret")).toEqual(always);
    expect(marked(spec.properties, "secret").sort()).toEqual([...always, ...secretOutputs].sort());
    const deprecated = Object.keys(fields).filter((name) => fields[name]?.deprecated !== undefined);
    expect(marked(spec.inputProperties, "deprecationMessage")).toEqual(deprecated);
    const preset = Object.keys(fields).filter((name) => fields[name]?.fallback !== undefined);
    expect(marked(spec.inputProperties, "default")).toEqual(preset);
    expect(marked(spec.properties, "default")).toEqual([]);
  });

  test("has the dynamic class's type as an alias, so that a program moves without a replacement", () => {
    expect(spec.aliases).toEqual([{ type: `pulumi-nodejs:dynamic/trustplane/${token}` }]);
  });

  test("takes for a look-up what the id does not hold", () => {
    expect(Object.keys(spec.stateInputs.properties)).toEqual(lookUps[token] ?? inNamespaces[dialect]);
  });
});

test("no credential of the environment is a default, as generated SDKs write defaults into the state", () => {
  const connections = Object.entries(schema.types).filter(([token]) => token.endsWith("Connection"));
  expect(connections.length).toBe(4);
  for (const [, { properties = {} }] of connections) {
    const fromEnvironment = Object.keys(properties).filter((name) => properties[name]?.defaultInfo);
    expect(["address", "namespace", "partition"]).toEqual(expect.arrayContaining(fromEnvironment));
    expect(properties["token"]?.secret).toBe(true);
  }
});

describe("Pulumi's own binder", needsGoProgram("package-schema"), () => {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-schema-"));
  let program: string;
  beforeAll(async () => {
    program = await goProgram("package-schema");
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const bind = (path: string) => promisify(execFile)(program, ["bind", path]);
  const changed = (name: string, change: (text: string) => string) => {
    const path = join(folder, name);
    writeFileSync(path, change(readFileSync(file, "utf8")));
    return path;
  };

  test("takes the schema without an error and without a warning", async () => {
    const counts = `${named(definitions).length} resources, ${named(functions).length} functions,`;
    expect((await bind(file)).stdout).toContain(counts);
  });

  test.each([
    ["a type that is not there", (text: string) => text.replace("jwt/jwksPair:JwksPair", "jwt/gone:Gone"), "Gone"],
    [
      "a member that Pulumi does not know",
      (text: string) => text.replace('"secret": true', '"secrets": true'),
      "unknown field",
    ],
    [
      "a reserved name, which is only a warning",
      (text: string) => text.replaceAll('"parameterId"', '"id"'),
      "reserved",
    ],
  ])("would say so if it had %s", async (_, change, said) => {
    await expect(bind(changed("wrong.json", change))).rejects.toThrow(said);
  });
});
