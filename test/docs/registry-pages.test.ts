import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { registryPages } from "../../tools/terraform/pages/registry-pages.ts";
import { terraformTables } from "../support/terraform-host.ts";
import { createTerraformSandbox, reasonWithoutQuery, reasonWithoutTerraform } from "../support/terraform-sandbox.ts";

let pages: Readonly<Record<string, string>>;
beforeAll(async () => {
  pages = await registryPages(repository);
});
const exampleIn = (page: string) => /^```terraform\n(.*?)^```$/ms.exec(page)?.[1];
const SOURCE = `terraform {
  required_providers {
    trustplane = {
      source = "trustplane/trustplane"
    }
  }
}
`;

describe("the pages for a registry", () => {
  test("are one for everything that the provider has, each with an example", () => {
    const { resources, dataSources, ephemerals, lists } = terraformTables;
    const named = (folder: string, names: Iterable<string>) =>
      [...names].map((name) => `${folder}/${name.replace("trustplane_", "")}.md`);
    const wanted = [
      "index.md",
      ...named("resources", resources.keys()),
      ...named("data-sources", dataSources.keys()),
      ...named("ephemeral-resources", ephemerals.keys()),
      ...named("list-resources", lists.keys()),
    ];
    expect(Object.keys(pages).filter((path) => !/^(functions|guides)\//.test(path))).toEqual(wanted);
    for (const path of wanted) expect(exampleIn(pages[path] ?? ""), path).toMatch(/trustplane/);
  });

  test("have every attribute, by the name that a program writes", () => {
    for (const [name, { inputs, outputs, own, definition }] of terraformTables.resources) {
      const page = pages[`resources/${name.replace("trustplane_", "")}.md`] ?? "";
      const schema = /^## Schema$.*?^## /ms.exec(page)?.[0] ?? "";
      for (const each of [...inputs, ...outputs, ...own]) expect(schema, name).toContain(`\n- \`${each.name}\` (`);
      const properties = Object.keys(definition.fields).filter((property) => /[A-Z]/.test(property));
      for (const property of properties) expect(page, name).not.toMatch(new RegExp(`\\b${property}\\b`));
      expect(page, name).not.toMatch(/undefined|\[object|pulumi/i);
    }
  });

  test("have what a list takes, and what it needs", () => {
    for (const [name, { inputs }] of terraformTables.lists) {
      const page = pages[`list-resources/${name.replace("trustplane_", "")}.md`] ?? "";
      const schema = /^## Schema$.*?^## Permissions/ms.exec(page)?.[0] ?? "";
      for (const each of inputs) expect(schema, name).toContain(`\n- \`${each.name}\` (`);
      const asked = inputs.filter(({ isRequired }) => isRequired);
      for (const each of asked) expect(exampleIn(page), name).toContain(` = var.${each.name}\n`);
      expect(page, name).not.toMatch(/undefined|\[object|pulumi/i);
    }
  });

  test("link to nothing that a registry does not show", () => {
    for (const [path, page] of Object.entries(pages)) {
      const links = [...page.matchAll(/\]\((?!https?:|#)([^)]*)\)/g)].map(([, to]) => to);
      expect(links, path).toEqual([]);
    }
  });
});

const unless = (missing: string | undefined) => ({
  timeout: 120_000,
  ...(missing ? { skip: true, meta: { skipReason: missing } } : {}),
});

/** All examples of lists, as one file. */
function listExamples(): string {
  const paths = Object.keys(pages).filter((path) => path.startsWith("list-resources/"));
  return paths.map((path) => exampleIn(pages[path] ?? "")).join("\n");
}

describe("the examples of these pages", unless(reasonWithoutTerraform()), () => {
  test("are valid for the real CLI, and in the layout that it writes", async () => {
    const { folder, run } = await createTerraformSandbox({});
    // The example of the provider is the program; those of the pages are its modules.
    const programs = Object.entries(pages).filter(([path]) =>
      /^(resources|data-sources|ephemeral-resources)\//.test(path),
    );
    const modules = programs.map(([path, page]) => {
      const name = path.replace(/\W/g, "_");
      const example = exampleIn(page) ?? "";
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "main.tf"), `${SOURCE}\n${example}`);
      const inputs = [...example.matchAll(/^variable "(\w+)"/gm)].map(([, input]) => `  ${input} = var.given\n`);
      return `\nmodule "${name}" {\n  source = "./${name}"\n${inputs.join("")}}\n`;
    });
    const given = 'variable "given" {\n  type = string\n}\n';
    writeFileSync(join(folder, "main.tf"), exampleIn(pages["index.md"] ?? "") ?? "");

    // The CLI writes all files in one layout; older ones do not look for those of lists.
    const listed = join(folder, "lists");
    mkdirSync(listed);
    writeFileSync(join(listed, "main.tf"), listExamples());
    expect(await run("fmt", "-check", "-diff", "-recursive")).toEqual({ code: 0, text: "" });
    rmSync(listed, { recursive: true });
    writeFileSync(join(folder, "modules.tf"), given + modules.join(""));
    expect(await run("init")).toMatchObject({ code: 0 });
    expect(await run("validate")).toEqual({ code: 0, text: expect.stringContaining("The configuration is valid.") });
  });
});

test("the examples of lists are valid for the real CLI", unless(reasonWithoutQuery()), async () => {
  const { folder, write, writeLists, run } = await createTerraformSandbox({});
  write("");
  writeLists(listExamples());
  expect(await run("fmt", "-check", "-diff", "main.tfquery.hcl")).toEqual({ code: 0, text: "" });
  expect(await run("validate", "-query")).toEqual({ code: 0, text: expect.stringContaining("is valid.") });
  // What it does not refuse shows nothing.
  writeFileSync(join(folder, "main.tfquery.hcl"), listExamples().replace(/mount +=/, "mounts ="));
  expect(await run("validate", "-query")).toMatchObject({ code: 1 });
});
