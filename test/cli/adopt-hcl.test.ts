import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { adoptable } from "../../cli/commands/adopt/adoptable.ts";
import { hclFiles } from "../../cli/commands/adopt/hcl.ts";
import { hclBlock, hclLiteral } from "../../cli/commands/adopt/hcl-layout.ts";
import { hclName, isKeptByTerraform } from "../../cli/commands/adopt/hcl-text.ts";
import { programOf } from "../../cli/commands/adopt/program.ts";
import type { Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostile, recordOf } from "../support/adopt-seeds.ts";
import { fc } from "../support/fast-check.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { terraformOptions } from "../support/terraform-life.ts";
import { terraform } from "../support/terraform-sandbox.ts";
import { openAdoption } from "./adopt-harness.ts";

describe("a value in HCL", terraformOptions, () => {
  const templates = fc
    .array(fc.constantFrom("$", "%", "{", "}", "\\", '"', "~", "\n", " ", "a", "EOT", "é", "👩‍👩‍👧"), { maxLength: 12 })
    .map((parts) => parts.join(""));
  const lines = fc
    .array(fc.constantFrom("", "  indented", "plain { }", "EOT", "\tx", "#", "end "), { minLength: 2, maxLength: 6 })
    .map((all) => all.join("\n"));
  const text = fc.oneof(templates, lines, hostile).filter(isKeptByTerraform);
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, text, fc.boolean(), fc.integer(), tie("list"), tie("map")),
    list: fc.array(tie("value"), { maxLength: 4 }),
    map: fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  })).value;

  it("is what Terraform reads, whatever it is, and as its formatter has it", async () => {
    const values = fc.sample(value, 400);
    const folder = folderOfTest();
    const outputs = values.map((each, index) =>
      hclBlock(`output "o${index}"`, [[{ name: "value", value: hclLiteral(each) }]]),
    );
    writeFileSync(join(folder, "main.tf"), outputs.join("\n"));
    expect(await terraform(folder, ["fmt", "-check", "-diff"], {})).toEqual({ code: 0, text: "" });
    expect(await terraform(folder, ["apply", "-auto-approve"], {})).toMatchObject({ code: 0 });
    const { text: json } = await terraform(folder, ["output", "-json"], {});
    const read = JSON.parse(json) as Record<string, { readonly value: unknown }>;
    expect(values.map((_, index) => read[`o${index}`]?.value)).toEqual(values);
  });
});

describe("a configuration in HCL", () => {
  const role = (name: string, own: Values = {}) =>
    recordOf(definitions.jwtRole, {
      mount: "jwt",
      name,
      roleType: "jwt",
      userClaim: "sub",
      boundAudiences: ["a"],
      ...own,
    });
  const filesOf = (records: Parameters<typeof programOf>[0], fold = true) => hclFiles(programOf(records), { fold });

  it("has a local value and one resource for alike records, and one import for all of them", () => {
    const files = filesOf([
      role("a", { tokenTtl: "1h" }),
      role("b", { tokenTtl: "2h", tokenMaxTtl: "3h" }),
      role("c", { tokenTtl: "2h" }),
    ]);
    expect(Object.values(files)[0]).toBe(`locals {
  roles = {
    a = { token_ttl = "1h" }
    b = { token_ttl = "2h", token_max_ttl = "3h" }
    c = { token_ttl = "2h" }
  }
}

resource "trustplane_jwt_role" "roles" {
  for_each = local.roles

  name            = each.key
  role_type       = "jwt"
  bound_audiences = ["a"]
  user_claim      = "sub"
  token_ttl       = each.value.token_ttl
  token_max_ttl   = try(each.value.token_max_ttl, null)
}
`);
    expect(files["imports.tf"]).toContain(`import {
  for_each = local.roles

  to = trustplane_jwt_role.roles[each.key]
  id = "auth/jwt/role/\${each.key}"
}
`);
  });

  it("has a resource and an import for each with --no-fold", () => {
    const files = filesOf(
      ["a", "b", "c"].map((name) => role(name)),
      false,
    );
    expect(
      Object.values(files)
        .join("\n")
        .match(/^(resource|import) /gm),
    ).toHaveLength(6);
  });

  it("imports alike records one by one where their ids do not end in their names", () => {
    const set = { policySetId: "polset-1" };
    const records = ["a", "b", "c"].map((key) => ({
      ...recordOf(definitions.policyParameter, { ...set, key }),
      id: `polset-1/var-${key}1`,
    }));
    expect(filesOf(records)["imports.tf"]?.match(/ to = .*/g)).toEqual(
      ["a", "b", "c"].map((key) => ` to = trustplane_policy_parameter.parameters["${key}"]`),
    );
  });

  it("has the name alone where the id of a record is its name", () => {
    const records = ["a", "b", "c"].map((destination) =>
      recordOf(definitions.clusterIntention, { destination, sources: [{ name: "x", action: "allow" }] }),
    );
    const partition = recordOf(definitions.clusterExportedServices, { services: [] });
    const files = filesOf([...records, { ...partition, id: "default" }]);
    expect(files["imports.tf"]).toContain(
      "  to = trustplane_cluster_intention.intentions[each.key]\n  id = each.key\n",
    );
    expect(files["imports.tf"]).toContain("  to = trustplane_cluster_exported_services.default\n");
  });

  it("gives names that Terraform takes for the same, or cannot take, names of their own", () => {
    const files = filesOf(
      ["a-b", "a.b", "A_B", "2"].map((name) => role(name, { boundSubject: name })),
      false,
    );
    const labels = [
      ...Object.values(files)
        .join("")
        .matchAll(/resource "trustplane_jwt_role" "(.*)"/g),
    ].map(([, label]) => label);
    expect(new Set(labels).size).toBe(4);
    for (const label of labels) expect(label).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(hclName("secretKey of é")).toBe("secret_key_of");
  });

  it("has no file that Terraform would merge into the others", () => {
    const mount = recordOf(definitions.sysAuthMount, { path: "ci_override", type: "jwt" });
    expect(Object.keys(filesOf([mount]))[0]).toMatch(/^auth-ci_override-\w{6}\.tf$/);
  });

  it("comments out what needs a value that no server shows, with a variable that nothing keeps", () => {
    const [text = ""] = Object.values(
      filesOf([recordOf(definitions.cloudRootConfig, { mount: "cloud", accessKey: "AKIA" })]),
    );
    expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
    expect(text).toContain("#   ephemeral   = true\n");
    expect(text).toContain("#   secret_key = var.cloud_secret_key\n");
  });
});

describe("what a configuration in HCL leaves out", () => {
  const hcl = { classes: "plugin", language: "hcl" } as const;
  const leftOut = (record: ReturnType<typeof recordOf>) =>
    adoptable({ records: [record], leftOut: [], unread: [] }, hcl).leftOut.map(({ reason }) => reason);

  it("is a text that Terraform would change, in a value or a name of a member", () => {
    const reason = "Terraform would change a text of it: it keeps texts in Unicode's composed form (NFC)";
    const base = { mount: "jwt", name: "ci" };
    expect(leftOut(recordOf(definitions.jwtRole, { ...base, boundSubject: "e\u0301" }))).toEqual([reason]);
    expect(leftOut(recordOf(definitions.jwtRole, { ...base, boundClaims: { "e\u0301": "x" } }))).toEqual([reason]);
    expect(leftOut(recordOf(definitions.jwtRole, { ...base, boundSubject: "\u00e9" }))).toEqual([]);
  });

  it("is what the host for Terraform does not have", () => {
    expect(leftOut(recordOf(definitions.clusterPeeringToken, { peerName: "west" }))).toEqual([
      expect.stringContaining("which Terraform would keep in its state"),
    ]);
  });

  it("is refused with the dynamic classes, which are Pulumi's", async () => {
    const { adopt } = await openAdoption();
    const { code, err } = await adopt("--language", "hcl", "--classes", "dynamic");
    expect([code, err]).toEqual([1, "trustplane: --language hcl needs --classes plugin.\n"]);
  });
});
