import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Definition } from "../../provider/core/definition.ts";
import { functions } from "../../provider/functions/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import { kebabCase } from "../../schema/long-form.ts";
import { repository } from "../../tools/steps/repository.mjs";

const pageOf = (token: string) => {
  const [module = "", name = ""] = token.split(":");
  return readFileSync(join(repository, "docs", module, `${kebabCase(name)}.md`), "utf8");
};
const sectionOf = (page: string, title: string) =>
  page.split(/^## /m).find((section) => section.startsWith(title)) ?? "";

/** The rows of a section's table by the property that they are about. */
function rowsOf(section: string): Readonly<Record<string, string>> {
  const rows = section.split("\n").flatMap((line) => {
    const [, name] = /^\| `(\w+)` \|/.exec(line) ?? [];
    return name === undefined ? [] : [[name, line] as const];
  });
  return Object.fromEntries(rows);
}

/** Pages end with it: product, page and public address, sections. */
const SOURCES =
  /\n## Sources\n\n(?:\* [\w ]+, \[[^\]]+\]\(https:\/\/(?:developer\.hashicorp\.com|openbao\.org)\/[^)]+\)(?:: .+)?\n)+$/;

const tables: readonly Definition[] = Object.values(definitions);
describe.each(tables)("the page about $token", (definition) => {
  const { token, fields, outputs, identity, replaceOn, secrets, secretOutputs, writeOnly } = definition;
  const page = pageOf(token);
  // Tables of what stands inside a property follow under headings of their own.
  const [properties = ""] = sectionOf(page, "Properties").split(/^### /m);
  const inputs = rowsOf(properties);
  const marked = (mark: string) => Object.keys(inputs).filter((name) => inputs[name]?.includes(mark));
  const named = (names: readonly string[]) => Object.keys(fields).filter((name) => names.includes(name));

  it("has a row for every property and everything that the server adds", () => {
    expect(Object.keys(inputs)).toEqual(Object.keys(fields));
    expect(Object.keys(rowsOf(sectionOf(page, "What the server adds")))).toEqual(Object.keys(outputs));
    expect(page).not.toMatch(/undefined|\[object/);
  });

  it("begins with the products' own name of the thing", () => {
    expect(page).toMatch(/^# .+\n\nIn \*\*(?:Vault and OpenBao|Consul|HCP Terraform)\*\*: .+`\.\n\n\w/m);
  });

  it("says what must be written, what replaces, what is secret, and what cannot be read back", () => {
    expect(marked("| **required** |")).toEqual(Object.keys(fields).filter((name) => fields[name]?.required));
    expect(marked("**Replaces.**")).toEqual(named([...identity, ...replaceOn]));
    expect(marked("**Secret**")).toEqual(named(Object.keys(secrets).filter((name) => secrets[name])));
    expect(marked("**Cannot be read back.**")).toEqual(named(writeOnly));
    for (const name of secretOutputs) expect(rowsOf(page)[name]).toContain("**Secret**");
  });

  it("says what drift detection cannot see", () => {
    const unseen = sectionOf(page, "What drift detection sees")
      .split("\n")
      .filter((line) => line.startsWith("* Not seen"))
      .join();
    for (const name of writeOnly) expect(unseen).toContain(`\`${name}\``);
    for (const [name, rule] of Object.entries(secrets)) if (rule) expect(unseen).toContain(`\`${name}\``);
  });

  it("ends with one list of its sources", () => {
    expect(page).toMatch(SOURCES);
    expect(page.split("\n## Sources\n")).toHaveLength(2);
  });

  it("has the id that an import takes, and a whole program", () => {
    expect(sectionOf(page, "Import")).toContain(
      definition.id.replace(/\[.*\]/, "").replace(/\{(\w+)(?:\|\w+)?\}/g, "<$1>"),
    );
    expect(page).toMatch(/^```ts\nimport /m);
  });
});

it.each(Object.values(functions))(
  "the page about $token has its arguments, its results and its sources",
  ({ token, fields, results }) => {
    const page = pageOf(token);
    expect(Object.keys(rowsOf(sectionOf(page, "Arguments")))).toEqual(Object.keys(fields));
    expect(Object.keys(rowsOf(sectionOf(page, "What `")))).toEqual(expect.arrayContaining(Object.keys(results)));
    expect(page).toMatch(SOURCES);
  },
);

it.each(["schema/schema.json", "sdk/jwt/role.ts", "sdk/native/jwt/role.ts", "sdk/cluster/get-peerings.ts"])(
  "%s leaves the sources of the rows out",
  (path) => {
    expect(readFileSync(join(repository, path), "utf8")).not.toMatch(/@source|vault\/jwt|consul\/peering/);
  },
);

it.each([...Object.values(definitions), ...Object.values(functions)])("the README names $token", ({ token }) => {
  expect(readFileSync(join(repository, "README.md"), "utf8")).toContain(`\`${token.replace(":", ".")}\``);
});
