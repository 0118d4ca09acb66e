import { describe, expect, it } from "vitest";
import { coveragePage } from "../../../schema/coverage-page";
import { sections } from "../../coverage";
import type { Row } from "../../coverage/section";

const row: Row = {
  says: "a|b",
  real: "otherwise",
  evidence: ["reference secrets 1.1"],
  asserted: "the difference",
  tests: ["server/a > x", "wire secrets-a > y"],
};

describe("the page of coverage", () => {
  it("has a line for every row of every section", () => {
    const page = coveragePage(sections);
    for (const [section, { rows }] of Object.entries(sections)) {
      expect(page).toContain(`\n### ${section.replace(/^\S+ /, "")}\n`);
      for (const { says, asserted } of Object.values(rows)) {
        expect(page).toContain(`| ${says} | `);
        expect(page).toContain(`| ${asserted} | `);
      }
    }
  });

  it("shows names as code, how servers are known, and every test", () => {
    const page = coveragePage({ "1 Role": { of: ["jwtRole"], rows: { role_type: row } } });
    expect(page).toContain(
      "| `role_type` | a\\|b | otherwise (`reference secrets 1.1`) | the difference | `server/a > x`<br>`wire secrets-a > y` |",
    );
  });

  it("ends with the public pages whose statements it has", () => {
    const [, sources = ""] = coveragePage(sections).split("\n## Sources\n\n");
    expect(sources.split("\n").map((line) => /\]\((.*)\)$/.exec(line)?.[1])).toEqual([
      "https://developer.hashicorp.com/vault/api-docs/auth/jwt",
      "https://developer.hashicorp.com/vault/api-docs/secret/aws",
      "https://developer.hashicorp.com/consul/api-docs/peering",
      "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/policy-set-params",
    ]);
  });

  it("counts rows, and each test once", () => {
    const page = coveragePage({ "3 A": { of: [], rows: { a: row, b: row } }, "3 B": { of: [], rows: { c: row } } });
    expect(page).toContain("| Cloud secrets engine | 3 | 2 | 1 |");
    expect(page).toContain("| **All** | 3 | 2 | 1 |");
  });
});
