import { describe, expect, it } from "vitest";
import { coveragePage } from "../../../schema/coverage-page";
import { sections } from "../../coverage";
import type { Row } from "../../coverage/section";
import type { Tag } from "../../coverage/tags";

const row: Required<Row> = {
  says: "a|b",
  real: "otherwise",
  evidence: ["reference secrets 1.1"],
  asserted: "the difference",
};

/** A test, a recorded step and a test on real servers, all of one row. */
const tagged = (row: string): Tag[] => [
  { row, line: 1, file: "live/a.test.ts", titles: ["z"] },
  { row, line: 1, file: "server/a.test.ts", titles: ["a group", "x"] },
  { row, line: 1, file: "wire/scenarios/secrets/a.mts", titles: ["y"] },
];

describe("the page of coverage", () => {
  it("has a line for every row of every section", () => {
    const page = coveragePage(sections, []);
    for (const [section, { rows }] of Object.entries(sections)) {
      expect(page).toContain(`\n### ${section.replace(/^\w+: /, "")}\n`);
      for (const { says, asserted } of Object.values(rows)) {
        expect(page).toContain(`| ${says} | `);
        expect(page).toContain(`| ${asserted} | `);
      }
    }
  });

  it("shows names as code, how servers are known, and every test", () => {
    const page = coveragePage(
      { "jwt: Role": { of: ["jwtRole"], rows: { role_type: row } } },
      tagged("jwt: Role > role_type"),
    );
    expect(page).toContain(
      "| `role_type` | a\\|b | otherwise (`reference secrets 1.1`, `live/a > z`) | the difference | `server/a > a group > x`<br>`wire secrets-a > y` |",
    );
  });

  it("ends with the public pages whose statements it has", () => {
    const [, sources = ""] = coveragePage(sections, []).split("\n## Sources\n\n");
    expect(sources.split("\n").map((line) => /\]\((.*)\)$/.exec(line)?.[1])).toEqual([
      "https://developer.hashicorp.com/vault/api-docs/auth/jwt",
      "https://developer.hashicorp.com/vault/api-docs/secret/aws",
      "https://developer.hashicorp.com/consul/api-docs/peering",
      "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/policy-set-params",
    ]);
  });

  it("counts rows, and each test once", () => {
    const page = coveragePage(
      { "cloud: A": { of: [], rows: { a: row, b: row } }, "cloud: B": { of: [], rows: { c: row } } },
      ["cloud: A > a", "cloud: A > b", "cloud: B > c"].flatMap(tagged),
    );
    expect(page).toContain("| Cloud secrets engine | 3 | 3 | 1 |");
    expect(page).toContain("| **All** | 3 | 3 | 1 |");
  });
});
