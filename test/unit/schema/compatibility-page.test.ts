import { describe, expect, it } from "vitest";
import { onlyOn } from "../../../provider/core/field";
import { string } from "../../../provider/core/rows";
import { compatibilityPage } from "../../../schema/compatibility-page";
import { type LiveResults, promises, resultTables } from "../../../schema/live-results";
import { sample } from "../core/sample-resource";

const plain = { ...sample, token: "demo:Plain", secrets: {}, writeOnly: [] };
const definitions = { sample, plain };

const results: LiveResults = {
  servers: { one: "Server 1.0", two: "Server 2.0" },
  resources: {
    sample: { 1: { one: { passed: 3, skipped: { import: "there is no a|b" } }, two: { passed: 4 } } },
    plain: { 1: { one: { passed: 5 } }, 2: { two: { passed: 6 } } },
  },
};

describe("the results", () => {
  const text = resultTables(results, definitions);

  it("have a row per resource, and a table per server", () => {
    expect(text).toContain("### Server 1.0\n\n|  | 1 | 2 |");
    expect(text).toContain("| `demo.Thing` | 4 | none | none | none | none | none | none | none |");
  });

  it("tell a promise without a test from one that the resource has nothing for", () => {
    expect(text).toContain("| `demo.Plain` | none | 6 | none | – | – | none | none | none |");
  });

  it("mark what was left out, and say why and where", () => {
    expect(text).toContain("| `demo.Thing` | 3* | none |");
    expect(text).toContain("| `demo.Thing` | import | there is no a\\|b | Server 1.0 |");
  });

  it("say when nothing was left out, and leave out a resource that was not tried on a server", () => {
    const only = { servers: { two: "Server 2.0" }, resources: { plain: { 2: { two: { passed: 6 } } } } };
    expect(resultTables(only, definitions)).toMatch(
      /^### Server 2\.0\n(?!.*demo\.Thing)[\s\S]*Nothing was left out\.$/,
    );
  });
});

describe("the page", () => {
  it("lists every property that not every server has, with the releases", () => {
    const dear = onlyOn({ vault: "2.0.0", vaultEnterprise: "1.21.0", openbao: "2.5.0" }, string("dear"));
    const page = compatibilityPage({ sample: { ...sample, fields: { ...sample.fields, dear } } }, undefined);
    const rows = page.split("\n").filter((line) => line.startsWith("| `demo.Thing`"));
    expect(rows).toEqual([
      "| `demo.Thing` | `newest` | `newest` | 1.20.0 | 1.20.0 | – |",
      "| `demo.Thing` | `dear` | `dear` | 2.0.0 | 1.21.0 | 2.5.0 |",
    ]);
  });

  it("says so when there is no run to show", () => {
    expect(compatibilityPage(definitions, undefined)).toContain("No run has been recorded yet.");
    expect(compatibilityPage(definitions, results)).toContain(resultTables(results, definitions));
  });

  it("numbers the promises", () => {
    expect(promises).toHaveLength(8);
    expect(compatibilityPage(definitions, results)).toContain(`8. ${promises[7]}.`);
  });
});
