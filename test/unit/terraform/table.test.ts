import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Definition, SecretRule } from "../../../provider/core/definition";
import { wordingOf } from "../../../provider/hosts/terraform/names";
import { schemaAnswer } from "../../../provider/hosts/terraform/provider-schema";
import type { Shape } from "../../../provider/hosts/terraform/shape";
import { reasonAgainst } from "../../../provider/hosts/terraform/table";
import { definitions } from "../../../provider/resources";
import { repository } from "../../../tools/steps/repository.mjs";
import { terraformTables as tables } from "../../support/terraform-host";

const all = [...tables.resources.values()];

/** Names that mean something else in a block of Terraform. */
const TAKEN = ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"];

function membersOf(shape: Shape): readonly { readonly attribute: string }[] {
  if ("item" in shape) return membersOf(shape.item);
  return shape.kind === "record" ? [...shape.members, ...shape.members.flatMap((each) => membersOf(each.shape))] : [];
}

describe("Terraform's resources", () => {
  it("are those of the tables, but for those whose secrets its state would keep", () => {
    const missing = Object.values(definitions).filter((definition) => reasonAgainst(definition) !== undefined);
    expect(missing.map(({ token }) => token)).toEqual(["cluster:PeeringToken"]);
    expect(all.length).toBe(Object.keys(definitions).length - missing.length);
    expect([...tables.resources.keys()]).toContain("trustplane_jwt_role");
  });

  it("are not those of a set whose records have secrets that no flag tells from what may be shown", () => {
    const { policyParameter, policyParameterSet } = definitions;
    const setWith = (rule: SecretRule): Definition => {
      const of = { ...policyParameter, secrets: { value: rule } };
      return { ...policyParameterSet, members: { property: "parameters", name: "key", outputs: {}, of } };
    };
    expect(reasonAgainst(setWith({ flag: "sensitive" }))).toBeUndefined();
    for (const rule of ["always", { members: ["x"] }] as const)
      expect(reasonAgainst(setWith(rule))).toContain("its records have secrets");
  });

  it.each(all.map((table) => [table.typeName, table] as const))(
    "%s has attributes as Terraform wants them",
    (_, table) => {
      const attributes = [...table.own, ...table.inputs, ...table.outputs];
      const names = attributes.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => TAKEN.includes(name))).toEqual([]);
      const inside = attributes.flatMap(({ shape }) => membersOf(shape).map(({ attribute }) => attribute));
      expect([...names, ...inside].filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))).toEqual([]);
      expect(attributes.filter(({ description }) => description === "").map(({ name }) => name)).toEqual([]);
      for (const { isRequired, isOptional, isComputed, isWriteOnly } of attributes) {
        expect([isRequired || isOptional || isComputed, isRequired && (isOptional || isComputed)]).toEqual([
          true,
          false,
        ]);
        expect(isWriteOnly && isComputed).toBe(false);
      }
    },
  );

  it.each(all.map((table) => [table.typeName, table] as const))("%s keeps no secret", (_, { definition, inputs }) => {
    for (const name of Object.keys(definition.members?.of.secrets ?? {})) {
      expect(inputs.filter(({ setting, isWriteOnly }) => setting === name && isWriteOnly)).toHaveLength(1);
    }
    for (const name of Object.keys(definition.secrets)) {
      expect(inputs.filter(({ property, isWriteOnly }) => property === name && isWriteOnly)).toHaveLength(1);
    }
  });

  it("are described in Terraform's words", () => {
    const texts = all.flatMap(({ inputs, outputs }) => [...inputs, ...outputs].map(({ description }) => description));
    const wording = wordingOf(() => []);
    expect(wording("boundClaims")).toBe("boundClaims");
    expect(texts.filter((text) => /\b(boundClaims|roleType|tokenTtl|pulumi)\b/.test(text))).toEqual([]);
    expect(tables.wording("set roleType in jwt.Role, as cluster.PeeringToken says; trustplane:secrets")).toBe(
      "set role_type in trustplane_jwt_role, as cluster.PeeringToken says; the provider's `secrets`",
    );
  });
});

it("no description is about Pulumi", () => {
  const texts: string[] = [];
  JSON.stringify(schemaAnswer(tables), (key, value: unknown) => {
    if (key === "description") texts.push(String(value));
    return value;
  });
  expect(texts.length).toBeGreaterThan(500);
  expect(
    texts.filter((text) => /\b(stacks?|pulumi)\b|trustplane:|\brefresh and destroy\b|`connection`|``/i.test(text)),
  ).toEqual([]);
});

describe("the messages of what all hosts share", () => {
  const folders = ["core", "resources", "functions", "dialects", "http", "auth", "engine"];
  const files = globSync(folders.map((folder) => join(repository, `provider/${folder}/**/*.ts`)));
  const code = files.flatMap((file) => readFileSync(file, "utf8").split("\n"));
  const commands = code
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
    .flatMap((line) => [...line.matchAll(/`pulumi [^`\\]+/g)].map(([command]) => `${command}\``));

  it("name no command of Pulumi to users of Terraform", () => {
    expect(commands.length).toBeGreaterThan(1);
    const left = commands.map((command) => tables.wording(command)).filter((text) => /pulumi/i.test(text));
    // They are about a text in a stack's configuration. The provider's block has types.
    expect(left).toEqual([
      expect.stringMatching(/^`pulumi config set /),
      expect.stringMatching(/^`pulumi config set /),
    ]);
  });

  it("say what Terraform calls it", () => {
    expect(tables.wording("remove the resource with `pulumi state delete`")).toContain("`terraform state rm`");
    const token = "comes from the stack's configuration; refresh and destroy use the one of the last update.";
    expect(tables.wording(token)).toBe("comes from the program, and a saved plan has it.");
  });
});

it("the provider has the connections of each service, and those by name", () => {
  expect(tables.provider.map(({ name }) => name)).toEqual(["secrets", "cluster", "policy", "connections", "take_over"]);
  expect(tables.provider.every(({ type }) => type !== "dynamic")).toBe(true);
});

describe("Terraform's lists", () => {
  const attributesOf = (name: string) =>
    tables.lists.get(`trustplane_${name}`)?.inputs.map((each) => [each.name, each.isRequired]);

  it("are those of all resources that have a record of their own", () => {
    const without = [...tables.resources.keys()].filter((name) => !tables.lists.has(name));
    expect(without).toEqual([
      "trustplane_cloud_root_rotation",
      "trustplane_cluster_peered_clusters",
      "trustplane_cloud_role_set",
      "trustplane_cloud_static_role_set",
      "trustplane_jwt_role_set",
      "trustplane_policy_parameter_set",
    ]);
  });

  it.each([
    ["jwt_role", ["mount", "connection_name", "namespace"], []],
    ["jwt_config", ["mount", "connection_name", "namespace"], []],
    ["sys_auth_mount", ["connection_name", "namespace"], []],
    ["cluster_intention", ["namespace", "connection_name", "partition"], []],
    ["policy_parameter", ["policy_set_id", "connection_name"], ["policy_set_id"]],
    ["policy_policy_set", ["organization", "connection_name"], ["organization"]],
  ])("of %s take what is above the record", (name, all, required) => {
    expect(attributesOf(name)).toEqual(all.map((each) => [each, required.includes(each)]));
  });

  it("take nothing that is computed, which a list cannot answer", () => {
    const inputs = [...tables.lists.values()].flatMap((list) => list.inputs);
    for (const { isRequired, isOptional, isComputed } of inputs) {
      expect([isOptional, isComputed]).toEqual([!isRequired, false]);
    }
  });
});
