// @alone: it replaces the dynamic provider, which another file of the process may have loaded

import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Definition } from "../../provider/core/definition";
import { typeToken } from "../../provider/core/type-token";
import { definitions } from "../../provider/resources";
import * as trustplane from "../../sdk";
import { type DefinitionName, validInputs } from "../support/valid-inputs.ts";
import { classOf, mockPulumi, registrationOf, secretProps, tracedFunctions } from "./registrations.ts";

// The sources that vitest has transformed are no module that Pulumi could name: captured by value they drag in vitest.
vi.mock("../../provider/hosts/dynamic/dynamic-provider", () => ({ dynamicProvider: () => ({}) }));

const all = Object.entries(definitions) as [DefinitionName, Definition][];

beforeAll(mockPulumi);

describe.each(all)("the class of %s", (name, definition) => {
  const { token } = definition;
  const Class = classOf(token);
  const [args] = validInputs[name];
  const declared = (opts: pulumi.CustomResourceOptions = {}) =>
    registrationOf((seen) => new Class("x", args, seen), opts);

  test("registers the type that released states know", () => {
    expect(declared().type).toBe(`pulumi-nodejs:dynamic/trustplane/${token}`);
  });

  test("takes over what the native class has made, so that a program can go back", () => {
    expect(declared({ aliases: [{ name: "earlier" }] }).opts.aliases).toEqual([
      { name: "earlier" },
      { type: typeToken(token) },
    ]);
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

  test("deletes before it replaces, even where the program says otherwise, and keeps the program's other options", () => {
    const { opts } = declared({ deleteBeforeReplace: false, protect: true, additionalSecretOutputs: ["mine"] });
    expect(opts).toMatchObject({ deleteBeforeReplace: true, protect: true });
    expect(opts.additionalSecretOutputs).toContain("mine");
  });

  test("marks what is always secret, and nothing that is not", async () => {
    const always = Object.keys(definition.secrets).filter((key) => definition.secrets[key] === "always");
    const keys = Object.keys(definition.secrets).length > 0 ? ["fingerprintKey"] : [];
    const written = Object.fromEntries(always.map((key) => [key, "s3cr3t"]));
    const { props, opts } = registrationOf((seen) => new Class("x", { ...args, ...written }, seen));

    expect(await secretProps(props)).toEqual(always.sort());
    expect(opts.additionalSecretOutputs?.toSorted()).toEqual([...always, ...definition.secretOutputs, ...keys].sort());
  });

  test("looks a record up by its id and its connection alone", () => {
    const state = { ...args, connection: "east", acceptorConnection: "east" };
    const { props, resource } = registrationOf((seen) => Class.get("x", definition.id, state, seen));
    const given = Object.entries(props).filter(([key, value]) => value !== undefined && key !== "__provider");

    expect(given.every(([key]) => /connection$/i.test(key))).toBe(true);
    expect(given).toContainEqual(expect.arrayContaining(["east"]));
    expect(Class.isInstance(resource)).toBe(true);
  });
});

describe("a secret that depends on other values", () => {
  const parameter = (sensitive?: pulumi.Input<boolean>) =>
    registrationOf((opts) => {
      const args = { policySetId: "polset-demo000000000001", key: "k", value: "v" };
      return new trustplane.policy.Parameter("x", sensitive === undefined ? args : { ...args, sensitive }, opts);
    });
  const config = (providerConfig: trustplane.jwt.ConfigArgs["providerConfig"]) =>
    registrationOf((opts) => new trustplane.jwt.Config("x", { providerConfig }, opts));
  const isMarked = async ({ props, opts }: ReturnType<typeof parameter>, name: string) => {
    const marks = [(await secretProps(props)).includes(name), opts.additionalSecretOutputs?.includes(name)];
    expect(marks[0]).toBe(marks[1]);
    return marks[0];
  };

  test("is one while its flag is set, or is not known yet", async () => {
    expect(await isMarked(parameter(true), "value")).toBe(true);
    expect(await isMarked(parameter(pulumi.output(false)), "value")).toBe(true);
    expect(await isMarked(parameter(Promise.resolve(true)), "value")).toBe(true);
    expect(await isMarked(parameter(false), "value")).toBe(false);
    expect(await isMarked(parameter(), "value")).toBe(false);
  });

  test("is one while it holds a secret member, or cannot be looked into", async () => {
    expect(await isMarked(config({ provider: "okta", api_token: "t" }), "providerConfig")).toBe(true);
    expect(await isMarked(config({ provider: "okta", api_token: pulumi.output("t") }), "providerConfig")).toBe(true);
    expect(await isMarked(config(pulumi.output({ provider: "azure" })), "providerConfig")).toBe(true);
    expect(await isMarked(config({ provider: "azure" }), "providerConfig")).toBe(false);
    expect(await isMarked(config({ provider: "okta", api_token: "" }), "providerConfig")).toBe(false);
  });
});

describe("what the program alone keeps secret", () => {
  const told = async (args: object) => {
    const role = { name: "ci", userClaim: "sub", ...args };
    return registrationOf((opts) => new trustplane.jwt.Role("ci", role, opts)).props["secretInputs"];
  };

  test("is told to the provider by its path, as Pulumi hands it over in plain text", async () => {
    const boundClaims = { project: ["plain", pulumi.secret("s")], ref: pulumi.output("main") };

    expect(await told({ boundClaims, boundSubject: Promise.resolve(pulumi.secret("s")) })).toEqual([
      ["boundSubject"],
      ["boundClaims", "project", 1],
    ]);
    expect(await told({ boundClaims: pulumi.output(boundClaims) })).toEqual([["boundClaims"]]);
  });

  test("is no property where there is none, also of what the resource's table keeps secret", async () => {
    expect(await told({ boundSubject: "s" })).toBeUndefined();
    expect(await told({ boundSubject: pulumi.output("s") })).toBeUndefined();
    const { props } = registrationOf(
      (opts) => new trustplane.cloud.RootConfig("x", { secretKey: pulumi.secret("s") }, opts),
    );
    expect(props).not.toHaveProperty("secretInputs");
  });
});

test("a member that Pulumi would lose is refused: a role would be bound to less than the program says", () => {
  const boundClaims = JSON.parse('{ "__proto__": "a" }');

  expect(() => new trustplane.jwt.Role("ci", { name: "ci", userClaim: "sub", boundClaims })).toThrow(
    'boundClaims: a member cannot be called "__proto__": Pulumi would lose it',
  );
});

test("a property that the resource does not have reaches the check, which names the one that was meant", () => {
  const args = { name: "ci", userClaim: "sub", boundAudience: ["a"] };
  const { props } = registrationOf((opts) => new trustplane.jwt.Role("ci", args, opts));
  expect(props["boundAudience"]).toEqual(["a"]);
});

test("an argument of another resource's Output makes the value wait for it", async () => {
  const mount = new trustplane.sys.AuthMount("jobs", { path: "jobs", type: "jwt" });
  const role = new trustplane.jwt.Role("ci", { mount: mount.path, name: "ci", userClaim: "sub" });
  expect(await new Promise((resolve) => role.mount.apply(resolve))).toBe("jobs");
});

test("a resource is an instance of its own class only", () => {
  const role = new trustplane.jwt.Role("ci", { name: "ci", userClaim: "sub" });
  expect(trustplane.jwt.Role.isInstance(role)).toBe(true);
  for (const other of [trustplane.cloud.Role, trustplane.jwt.Config]) expect(other.isInstance(role)).toBe(false);
  for (const value of [undefined, null, "role", { __pulumiType: "x" }]) {
    expect(trustplane.jwt.Role.isInstance(value)).toBe(false);
  }
});
