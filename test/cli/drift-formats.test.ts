import { linkSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { repository } from "../../tools/steps/repository.mjs";
import { folderOfTest } from "../support/temporary-folder.ts";
import { openStack, role, run } from "./drift-harness.ts";

const nasty = "</script><img src=x onerror=alert(1)>```\n| **bold** @team";

/** A stack with a bit of everything: a changed role with a nasty claim, a missing one, an ignored one, a hidden value. */
async function openMixedStack() {
  const stack = await openStack([
    role("ci", { boundClaims: { ref: ["main", "release"] } }),
    role("nightly"),
    { ...role("quiet"), ignoreChanges: ["*"] },
    { resource: "cloudRootConfig", name: "root", args: { accessKey: "AKIAFIRST", secretKey: "s3cret" } },
  ]);
  const raw = stack.raw("secrets");
  await raw.call("POST auth/jwt/role/ci", { role_type: "jwt", bound_claims: { ref: ["main", nasty] } });
  await raw.call("POST auth/jwt/role/quiet", { role_type: "jwt", token_ttl: 60 });
  await raw.call("DELETE auth/jwt/role/nightly");
  await raw.call("POST auth/jwt/role/by-hand", { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] });
  return stack;
}

const location = z.looseObject({
  physicalLocation: z.looseObject({
    artifactLocation: z.looseObject({ uri: z.string().regex(/^[^/:]+$/) }),
    region: z.looseObject({ startLine: z.int().min(1) }),
  }),
});
/** What SARIF 2.1.0 requires of the parts that are used here (OASIS, sections 3.13, 3.14, 3.27), and code scanning on top. */
const sarif = z.looseObject({
  version: z.literal("2.1.0"),
  runs: z.tuple([
    z.looseObject({
      tool: z.looseObject({
        driver: z.looseObject({ name: z.string().min(1), rules: z.array(z.looseObject({ id: z.string() })) }),
      }),
      invocations: z.array(z.looseObject({ executionSuccessful: z.boolean() })),
      results: z.array(
        z.looseObject({
          ruleId: z.enum(["changed", "missing", "unknown", "unmanaged", "trust"]),
          level: z.enum(["none", "note", "warning", "error"]),
          message: z.looseObject({ text: z.string().min(1) }),
          locations: z.array(location).min(1),
          partialFingerprints: z.record(z.string(), z.string()),
          suppressions: z.array(z.looseObject({ kind: z.enum(["inSource", "external"]) })).optional(),
        }),
      ),
    }),
  ]),
});

describe("a report of trustplane drift", () => {
  it("in JSON is what the published schema says", async () => {
    const schema = JSON.parse(readFileSync(join(repository, "docs/drift-report.schema.json"), "utf8"));
    const { drift } = await openMixedStack();
    const report = (await drift("--json", "--unmanaged", "--fix-with", "refresh")).report();
    const published = z.fromJSONSchema(schema);
    expect(published.parse(report)).toEqual(report);
    expect(published.safeParse({ ...report, result: "perhaps" }).success).toBe(false);
    expect(published.safeParse({ ...report, counts: {} }).success).toBe(false);
  });

  it("in SARIF has what its schema and code scanning ask for, ignored findings suppressed", async () => {
    const { drift } = await openMixedStack();
    const [log] = sarif.parse(JSON.parse((await drift("--sarif", "--unmanaged")).out)).runs;
    const found = log.results.map(({ ruleId, suppressions }) => [ruleId, suppressions !== undefined]);
    expect(found).toEqual([
      ["trust", false],
      ["trust", false],
      ["changed", false],
      ["missing", false],
      ["changed", true],
      ["unmanaged", false],
    ]);
    expect(log.results[2]?.locations[0]).toMatchObject({
      physicalLocation: { artifactLocation: { uri: "index.ts" }, region: { startLine: 7 } },
    });
    expect(new Set(log.results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints))).size).toBe(6);
  });

  it("in Markdown and HTML cannot be broken out of by a value", async () => {
    const { drift } = await openMixedStack();
    const [markdown, html] = [(await drift("--markdown")).out, (await drift("--html")).out];
    expect(html).not.toContain("<img");
    expect(html.match(/<script>/g)).toHaveLength(1);
    expect(html).not.toMatch(/https?:/);
    // The block of code that holds the value is fenced with more backticks than it has.
    expect(markdown).toMatch(/^````diff$/m);
    expect(markdown.split("\n").filter((line) => line.startsWith("+ ") && line.includes("<img"))).toHaveLength(1);
  });

  it("in HTML names of each resource what it is, its id, its connection, and its line in the program", async () => {
    const { drift, raw, resources } = await openStack([role("ci"), role("nightly")]);
    for (const { outputs } of resources.filter(({ id }) => id === "auth/jwt/role/nightly"))
      Object.assign(outputs, { connection: "west" });
    await raw("secrets").call("POST auth/jwt/role/ci", { role_type: "jwt", token_ttl: 60 });
    const { out } = await drift("--html");
    const heading = (words: string, name: string) =>
      `<h2><span class="status">${words}</span> jwt.Role <code>${name}</code></h2>`;
    expect(out).toContain(`${heading("changed", "ci")}<p>auth/jwt/role/ci · index.ts&#58;7</p>`);
    expect(out).toContain(
      `${heading("could not tell", "nightly")}<p>auth/jwt/role/nightly · connection west · index.ts&#58;7</p>`,
    );
  });

  it("is the same each time but for its time", async () => {
    const { drift } = await openMixedStack();
    const runs = [await drift("--json", "--unmanaged"), await drift("--json", "--unmanaged", "--parallel", "1")];
    const [first, second] = runs.map(({ out }) => out.replace(/"checkedAt": ".*"/, ""));
    expect(second).toBe(first);
  });

  it("counts what is unchanged in the page, also what has nothing to show", async () => {
    const { drift } = await openStack([role("ci"), role("nightly")]);
    expect((await drift("--html")).out).toContain("2 unchanged</span>");
  });

  it("goes to its file, and the table is printed all the same", async () => {
    const folder = folderOfTest();
    const { drift } = await openMixedStack();
    const { code, out } = await drift("--json", join(folder, "report.json"));
    expect(code).toBe(2);
    expect(out).toMatch(
      /^Drift in lab\/dev: 4 resources, 1 changed, 1 missing, 1 unmanaged, 1 ignored; the configurations of mounts/m,
    );
    expect(out).toMatch(/^verified +cloud\.RootConfig root +secretKey: accessKey, which changes with it, is the same/m);
    expect(JSON.parse(readFileSync(join(folder, "report.json"), "utf8"))).toMatchObject({ result: "drift" });
  });

  it("replaces an older report as a whole, and whoever has that one open reads it to its end", async () => {
    const folder = folderOfTest();
    const { drift } = await openStack([role("ci")]);
    const [report, old] = [join(folder, "report.json"), join(folder, "old.json")];
    writeFileSync(report, "old");
    linkSync(report, old);
    await drift("--json", report);
    expect(readFileSync(old, "utf8")).toBe("old");
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ result: "none" });
  });

  it.each([
    ["up", "pulumi up --refresh"],
    ["refresh", "pulumi refresh"],
  ])("names the command for --fix-with %s, each target quoted for a shell, and runs nothing", async (by, command) => {
    const { drift, server } = await openMixedStack();
    server.log.clear();
    const { commands } = (await drift("--json", "--fix-with", by)).report();
    const urn = "urn:pulumi:dev::lab::pulumi-nodejs:dynamic/trustplane/jwt:Role::";
    expect(commands).toEqual([`${command} \\\n  --target ${urn}ci \\\n  --target ${urn}nightly`]);
    expect(server.log.all().filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("has no command where nothing differs", async () => {
    const { drift } = await openStack([role("ci")]);
    expect((await drift("--json", "--fix-with", "up")).report().commands).toEqual([]);
  });
});

it("the help of trustplane drift says what the exit codes are, and shows an ignore file that works", async () => {
  const { code, out } = await run(["drift", "--help"], {});
  expect(code).toBe(0);
  for (const line of ["0  no drift", "2  drift", "1  could not tell", "VAULT_ADDR", "expires: 2026-12-31"]) {
    expect(out).toContain(line);
  }
});
