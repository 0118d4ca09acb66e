import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Definition } from "../../provider/core/definition";
import { typeToken } from "../../provider/core/type-token";
import { definitions } from "../../provider/resources";
import * as native from "../../sdk/native";
import { noticeWithoutPlugin } from "../../sdk/native/plugin-notice";
import { type DefinitionName, validInputs } from "../support/valid-inputs.ts";
import { classOf, mockPulumi, registrationOf, secretProps, tracedFunctions } from "./registrations.ts";

// The sources that vitest has transformed are no module that Pulumi could name: captured by value they drag in vitest.
vi.mock("../../provider/hosts/dynamic/dynamic-provider", () => ({ dynamicProvider: () => ({}) }));

const all = Object.entries(definitions) as [DefinitionName, Definition][];

beforeAll(mockPulumi);

describe.each(all)("the native class of %s", (name, definition) => {
  const { token } = definition;
  const Class = classOf(token, native);
  const [args] = validInputs[name];
  const declared = (opts: pulumi.CustomResourceOptions = {}) =>
    registrationOf((seen) => new Class("x", args, seen), opts);

  test("registers the plugin's type, and what the dynamic class has made under its own", () => {
    const { type, opts } = declared({ aliases: [{ name: "earlier" }] });

    expect(type).toBe(typeToken(token));
    expect(opts.aliases).toEqual([{ name: "earlier" }, { type: `pulumi-nodejs:dynamic/trustplane/${token}` }]);
  });

  test("has an Output for every input and every output", () => {
    const { resource } = declared();
    const names = [...Object.keys(definition.fields), ...Object.keys(definition.outputs)];

    expect(names.filter((property) => !pulumi.Output.isInstance(Reflect.get(resource, property)))).toEqual([]);
  });

  test("takes the position of the declaration, and no stack trace of each promise", () => {
    const traced = tracedFunctions(() => new Class("x", args));

    expect([...traced]).toContain("callsites");
    expect([...traced]).not.toContain("debuggablePromise");
  });

  test("deletes before it replaces, even where the program says otherwise", () => {
    expect(declared({ deleteBeforeReplace: false, protect: true }).opts).toMatchObject({
      deleteBeforeReplace: true,
      protect: true,
    });
  });

  test("marks what is always secret", async () => {
    const always = Object.keys(definition.secrets).filter((key) => definition.secrets[key] === "always");
    const written = Object.fromEntries(always.map((key) => [key, "s3cr3t"]));
    const { props } = registrationOf((seen) => new Class("x", { ...args, ...written }, seen));

    expect(await secretProps(props)).toEqual(always.sort());
  });

  test("is told from the dynamic class", () => {
    expect(Class.isInstance(declared().resource)).toBe(true);
    expect(classOf(token).isInstance(declared().resource)).toBe(false);
  });
});

test("an explicit provider has its configuration as texts, those with secrets as secrets", async () => {
  const { props } = registrationOf((opts) => {
    const secrets = { address: "https://vault.example.com", token: pulumi.secret("s.x") };
    return new native.Provider("east", { secrets, cluster: { address: "https://consul.example.com" } }, opts);
  });

  expect(await secretProps(props)).toEqual(["secrets"]);
  // `jsonStringify` answers an Output.
  const cluster = props["cluster"] as pulumi.Output<string>;
  const text = await new Promise<string>((resolve) => cluster.apply(resolve));
  expect(JSON.parse(text)).toEqual({ address: "https://consul.example.com" });
  expect(Object.keys(props).sort()).toEqual(["cluster", "secrets"]);
});

// Mistake 37 of `test/contract/mistakes.test.ts`: Pulumi itself asks a repository on GitHub that is not there.
describe("a project that does not name the plugin", () => {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-project-"));
  const env = { PATH: "", PULUMI_HOME: join(folder, "home") };
  const notice = (project: string, more = {}) => {
    writeFileSync(join(folder, "Pulumi.yaml"), `name: trustplane\nruntime: nodejs\n${project}`);
    return noticeWithoutPlugin(folder, { ...env, ...more });
  };
  const named = "plugins:\n  providers:\n    - name: trustplane\n      path: node_modules/trustplane/bin\n";

  afterAll(() => rmSync(folder, { recursive: true }));

  test("is told which line to add, before Pulumi looks for the plugin elsewhere", () => {
    expect(notice("")).toBe(
      `trustplane/native needs the plugin, which ${join(folder, "Pulumi.yaml")} does not name, so Pulumi will look for it on GitHub and not find it. Add this line to the file: plugins: { providers: [{ name: trustplane, path: node_modules/trustplane/bin }] }`,
    );
    const line = notice("")?.replace(/^.*?file: /, "");
    expect(
      [named, `${line}\n`, "packages:\n  trustplane: node_modules/trustplane/bin\n"].map((each) => notice(each)),
    ).toEqual([undefined, undefined, undefined]);
    expect(notice("plugins:\n  providers:\n    - name: aws\n")).toMatch(/does not name/);
  });

  test("is told nothing where the plugin is found otherwise, or nobody knows the project", () => {
    expect(notice("", { PULUMI_DEBUG_PROVIDERS: "trustplane:1234" })).toBeUndefined();
    expect(notice("", { PATH: join(process.cwd(), "bin") })).toBeUndefined();
    const home = join(folder, "with-plugin");
    mkdirSync(join(home, "plugins/resource-trustplane-v0.1.0"), { recursive: true });
    expect(notice("", { PULUMI_HOME: home })).toBeUndefined();
    expect(noticeWithoutPlugin(join(folder, "home"), env)).toBeUndefined();
    mkdirSync(join(folder, "windows"));
    writeFileSync(join(folder, "windows/pulumi-resource-trustplane.exe"), "");
    expect(notice("", { PATH: join(folder, "windows") })).toBeUndefined();
  });

  test("is read in one line too, where a comment does not count", () => {
    const root = mkdtempSync(join(folder, "line-"));
    const line = (plugins: string) => {
      writeFileSync(join(root, "Pulumi.json"), `{"name":"trustplane","runtime":"nodejs"${plugins}}`);
      return noticeWithoutPlugin(root, env);
    };
    expect(line(',"plugins":{"providers":[{"name":"trustplane","path":"bin"}]}')).toBeUndefined();
    expect(line("")).toMatch(/Pulumi\.json does not name/);
    expect(notice("# plugins: { providers: [{ name: trustplane }] }\n")).toMatch(/does not name/);
  });

  test("is told nothing, and stops no program, where project or plugins cannot be read", () => {
    const root = mkdtempSync(join(folder, "folder-"));
    mkdirSync(join(root, "Pulumi.yaml"));
    expect(noticeWithoutPlugin(root, env)).toBeUndefined();
    const home = mkdtempSync(join(folder, "file-"));
    writeFileSync(join(home, "plugins"), "");
    expect(notice("", { PULUMI_HOME: home })).toBeUndefined();
  });
});
