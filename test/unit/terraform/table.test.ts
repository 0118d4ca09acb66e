import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { wordingOf } from "../../../provider/hosts/terraform/names";
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
    expect(missing.map(({ token }) => token)).toEqual(["cluster:PeeringToken", "policy:ParameterSet"]);
    expect(all.length).toBe(Object.keys(definitions).length - missing.length);
    expect([...tables.resources.keys()]).toContain("trustplane_jwt_role");
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
    for (const name of Object.keys(definition.secrets)) {
      expect(inputs.filter(({ property, isWriteOnly }) => property === name && isWriteOnly)).toHaveLength(1);
    }
  });

  it("are described in Terraform's words", () => {
    const texts = all.flatMap(({ inputs, outputs }) => [...inputs, ...outputs].map(({ description }) => description));
    const wording = wordingOf([]);
    expect(wording("boundClaims")).toBe("boundClaims");
    expect(texts.filter((text) => /\b(boundClaims|roleType|tokenTtl|pulumi)\b/.test(text))).toEqual([]);
    expect(tables.wording("set roleType in jwt.Role, as cluster.PeeringToken says; trustplane:secrets")).toBe(
      "set role_type in trustplane_jwt_role, as cluster.PeeringToken says; the provider's `secrets`",
    );
  });
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
    // It is about a text in a stack's configuration. The provider's block has types.
    expect(left).toEqual([expect.stringMatching(/^`pulumi config set /)]);
  });

  it("say what Terraform calls it", () => {
    expect(tables.wording("remove the resource with `pulumi state delete`")).toContain("`terraform state rm`");
  });
});

it("the provider has the connections of each service, and those by name", () => {
  expect(tables.provider.map(({ name }) => name)).toEqual(["secrets", "cluster", "policy", "connections"]);
  expect(tables.provider.every(({ type }) => type !== "dynamic")).toBe(true);
});
