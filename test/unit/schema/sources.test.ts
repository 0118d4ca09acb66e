import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assertSource, sourcePages, sourcesSection } from "../../../schema/sources.ts";
import { repository } from "../../../tools/steps/repository.mjs";

describe("the source of a row", () => {
  it("is a page of the table, or a section of one", () => {
    expect(() => assertSource("vault/jwt", "jwtRole.mount")).not.toThrow();
    expect(() => assertSource("vault/jwt role", "jwtRole.name")).not.toThrow();
  });

  it.each([
    ["vault/kv", 'schema/sources.ts does not know "@source vault/kv" of jwtRole.name'],
    ["vault/jwt roles", 'schema/sources.ts does not know "@source vault/jwt roles" of jwtRole.name'],
    [undefined, "jwtRole.name has no source"],
  ])("is refused as %s", (tag, message) => {
    expect(() => assertSource(tag, "jwtRole.name")).toThrow(message);
  });
});

describe("the list of sources", () => {
  it("has every page once, with the sections that the rows name", () => {
    const tags = [
      "consul/peering read",
      "vault/jwt role",
      "vault/jwt",
      undefined,
      "vault/jwt config",
      "vault/jwt role",
    ];
    expect(sourcesSection(tags.map((source) => ({ source })))).toBe(`## Sources

* Vault, [JWT/OIDC auth method (API)](https://developer.hashicorp.com/vault/api-docs/auth/jwt): Configure, Create/Update role
* Consul, [Cluster Peering - HTTP API](https://developer.hashicorp.com/consul/api-docs/peering): Read a Peering`);
  });

  it("is left out where no row has a source", () => {
    expect(sourcesSection([])).toBe("");
  });
});

it("no page and no section of the table is without a row", () => {
  const docs = join(repository, "docs");
  const files = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  const lines = files.flatMap((name) => readFileSync(join(docs, name), "utf8").split("\n"));
  for (const { address, sections } of Object.values(sourcePages)) {
    const listed = lines.filter((line) => line.startsWith("* ") && line.includes(`](${address})`));
    expect(listed, address).not.toEqual([]);
    const named = listed.flatMap((line) => line.split("): ")[1]?.split(", ") ?? []);
    expect(named).toEqual(expect.arrayContaining(Object.values(sections)));
  }
});
