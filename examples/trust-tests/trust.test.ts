import { execFileSync } from "node:child_process";
import { runTrustTests } from "trustplane/trust-tests";
import { describe, expect, it } from "vitest";
import { teams } from "./teams";

const preview = execFileSync("pulumi", ["preview", "--json", "--show-sames"], { encoding: "utf8" });

describe("trust.yml", async () => {
  const { tests } = await runTrustTests(preview, "trust.yml");
  for (const { name, problems } of tests) it(name, () => expect(problems).toEqual([]));
});

// What a file would have to repeat for each team.
describe("teams", async () => {
  const { tests } = await runTrustTests(preview, {
    tests: teams.map((team) => {
      const others = teams.filter((other) => other !== team).map((other) => `${other}/api`);
      return {
        name: `${team} lets no other team in`,
        login: { mount: "jobs", role: team, claims: { project_path: others, ref: "main", sub: "ci" } },
        expect: "refused",
      };
    }),
  });
  for (const { name, problems } of tests) it(name, () => expect(problems).toEqual([]));
});
