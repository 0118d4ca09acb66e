import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TestModule } from "vitest/node";
import { claimsOf, exceptionTitle, rules } from "../../tools/live/promises.mts";
import ResultsReporter, { type LiveTest, resultsOf } from "../../tools/live/results-reporter.mts";
import { repository } from "../../tools/steps/repository.mjs";

const contract = join(repository, "test/contract");

describe("the promises that tests prove", () => {
  it("are said of every file of the contract suite, and of no other", () => {
    const files = readdirSync(contract, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".test.ts"),
    );
    expect(Object.keys(rules).sort()).toEqual(files.map((name) => name.replaceAll("\\", "/")).sort());
  });

  it("have a reason where they are none", () => {
    const none = Object.values(rules)
      .flat()
      .filter(({ promises }) => promises.length === 0);
    expect(none.length).toBeGreaterThan(0);
    for (const { reason } of none) expect(reason).toMatch(/\w+ \w+/);
  });

  it.each([
    ["spellings.test.ts", "jwtRole: spellings of the same > x", [{ resource: "jwtRole", promise: 3 }]],
    [
      "drift.test.ts",
      "cloudRole: what another hand does > through the engine host > a record that was deleted is found gone",
      [
        { resource: "cloudRole", promise: 1 },
        { resource: "cloudRole", promise: 2 },
      ],
    ],
    [
      "abort.test.ts",
      "identityGroup: a cancelled run > create ends at once",
      [{ resource: "identityGroup", promise: 7 }],
    ],
    ["secrets.test.ts", "secretKey of cloudRootConfig > x", [{ resource: "cloudRootConfig", promise: 4 }]],
    [
      "secrets.test.ts",
      "the token that a pair uses is recorded nowhere",
      [{ resource: "clusterPeeredClusters", promise: 4 }],
    ],
    [
      "traps/cluster-and-policy.test.ts",
      "cluster peering > cluster peering, trap 3: a dialer whose token is another cluster's is replaced",
      [{ resource: "clusterPeering", promise: 5 }],
    ],
    ["traps/secrets-server.test.ts", "secrets server, trap 14: a secret", [{ resource: "jwtConfig", promise: 5 }]],
    ["traps/secrets-server.test.ts", "secrets server, trap 1: a duration", []],
    ["hosts.test.ts", "the dynamic host > jwtRole: a module serves", []],
  ])("of a test in %s named %s are found", (file, title, claims) => {
    expect(claimsOf(file, title)).toEqual(claims);
  });

  it.each([
    ["new.test.ts", "jwtRole: x"],
    ["drift.test.ts", "jwtRole: what another hand does > something new"],
    ["spellings.test.ts", "a test of no resource"],
  ])("of a test in %s named %s must be said", (file, title) => {
    expect(() => claimsOf(file, title)).toThrow(title);
  });
});

const spelling = (server: string, resource: string, name: string): LiveTest => ({
  server,
  file: "spellings.test.ts",
  title: `${resource}: spellings of the same > through the engine host > ${name}`,
});
const skip = {
  server: "vault-1.21",
  file: "lifecycle.test.ts",
  title: `jwtConfig: lifecycle > through the engine host > ${exceptionTitle("delete removes the record", "the API cannot (really)")}`,
};

describe("the results of a run", () => {
  const tests = [
    spelling("vault-1.21", "jwtRole", "one"),
    spelling("vault-1.19", "jwtRole", "one"),
    spelling("vault-1.21", "jwtRole", "two"),
    spelling("vault-1.21", "cloudRole", "one"),
    skip,
  ];

  it("count tests by resource, promise and server, and tell what was left out", () => {
    expect(resultsOf(tests)).toEqual({
      servers: { "vault-1.19": "Vault 1.19.0", "vault-1.21": "Vault 1.21.1" },
      resources: {
        cloudRole: { 3: { "vault-1.21": { passed: 1 } } },
        jwtConfig: {
          1: { "vault-1.21": { passed: 0, skipped: { "delete removes the record": "the API cannot (really)" } } },
        },
        jwtRole: { 3: { "vault-1.19": { passed: 1 }, "vault-1.21": { passed: 2 } } },
      },
    });
  });

  it("are the same text in whatever order the tests ran", () => {
    expect(JSON.stringify(resultsOf([...tests].reverse()))).toBe(JSON.stringify(resultsOf(tests)));
  });

  it("are of servers that are real", () => {
    expect(() => resultsOf([spelling("embedded", "jwtRole", "one")])).toThrow("no real server is called embedded");
  });
});

describe("the reporter", () => {
  let folder = "";
  let file = "";
  let shown = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "trustplane-results-"));
    file = join(folder, "results.json");
    shown = "";
    vi.stubEnv("TRUSTPLANE_LIVE_RESULTS", file);
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, "write").mockImplementation((chunk) => {
        shown += String(chunk);
        return true;
      });
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    process.exitCode = undefined;
    rmSync(folder, { recursive: true });
  });

  /** As much of vitest's as the reporter looks at. */
  const moduleOf = (path: string, ...tests: readonly { title: string; state: string }[]) =>
    ({
      moduleId: `/any/where/test/${path}`,
      project: { name: "vault-1.21" },
      children: { allTests: () => tests.map(({ title, state }) => ({ fullName: title, result: () => ({ state }) })) },
    }) as unknown as TestModule;
  const spellings = moduleOf(
    "contract/spellings.test.ts",
    { title: "jwtRole: x > one", state: "passed" },
    { title: "jwtRole: x > two", state: "skipped" },
  );
  const other = moduleOf("live/availability.test.ts", { title: "no resource", state: "passed" });

  const green = {
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    commit: expect.stringMatching(/^[0-9a-f]{10}( with changes)?$/),
  };
  const onEmbedded = ["embedded", "embedded-1.19", "stories", "terraform", "opentofu"].map(
    (name) => ({ ...spellings, project: { name } }) as unknown as TestModule,
  );

  it("writes what passed, for the contract suite on real servers alone, and shows it", () => {
    new ResultsReporter().onTestRunEnd([spellings, other, ...onEmbedded], [], "passed");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      runs: Object.fromEntries(
        ["vault-1.21", ...onEmbedded.map(({ project }) => project.name)].map((name) => [name, green]),
      ),
      ...resultsOf([{ server: "vault-1.21", file: "spellings.test.ts", title: "jwtRole: x > one" }]),
    });
    expect(shown).toContain("| `jwt.Role` | none | none | 1 |");
  });

  it("keeps what other projects came to before, and nothing of its own", () => {
    const earlier = (server: string): LiveTest => ({
      server,
      file: "spellings.test.ts",
      title: "jwtRole: x > earlier",
    });
    const [before, old] = [resultsOf([earlier("consul"), earlier("vault-1.21")]), { date: "2026-01-01", commit: "c" }];
    writeFileSync(file, JSON.stringify({ runs: { consul: old, "vault-1.21": old }, ...before }));
    new ResultsReporter().onTestRunEnd([spellings], [], "passed");
    const one = { passed: 1 };
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      runs: { consul: old, "vault-1.21": green },
      servers: before.servers,
      resources: { jwtRole: { 3: { consul: one, "vault-1.21": one } } },
    });
  });

  it.each([
    ["a failure", [], "failed"],
    ["an error outside of the tests", [new Error("boom")], "passed"],
    ["an interruption", [], "interrupted"],
  ])("writes nothing after %s", (_, errors, reason) => {
    new ResultsReporter().onTestRunEnd([spellings], errors, reason);
    expect(existsSync(file)).toBe(false);
  });

  it("writes nothing where nobody asks for it, as in a run of a part", () => {
    vi.stubEnv("TRUSTPLANE_LIVE_RESULTS", undefined);
    new ResultsReporter().onTestRunEnd([spellings], [], "passed");
    expect([existsSync(file), shown]).toEqual([false, ""]);
  });

  it("fails the run for a test of which nobody has said what it proves", () => {
    const unknown = moduleOf("contract/new.test.ts", { title: "jwtRole: x", state: "passed" });
    new ResultsReporter().onTestRunEnd([unknown], [], "passed");
    expect([existsSync(file), process.exitCode]).toEqual([false, 1]);
    const isTold = /results of live tests: .*new\.test\.ts > jwtRole: x/;
    expect(shown).toMatch(isTold);
    // At once, and in a run whose results nobody keeps.
    [shown, process.exitCode] = ["", 0];
    new ResultsReporter().onTestModuleCollected(unknown);
    expect([shown, process.exitCode]).toEqual([expect.stringMatching(isTold), 1]);
  });
});
