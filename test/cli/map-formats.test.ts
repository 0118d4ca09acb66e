import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { TrustMap } from "../../cli/facts/map/trust-map.ts";
import { runCommand } from "../../cli/run-command.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { openStack } from "./drift-harness.ts";
import { jobRole, mapIn, mapOf, wanted, wholeStack } from "./map-harness.ts";
import { previewEvents, previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const repository = join(__dirname, "../..");
const map = (steps: readonly WantedStep[], ...words: string[]) => runCli(["map", ...words], previewJson({ steps }));

/** Roles, each with a policy and a path of its own. */
const manyRoles = (count: number): readonly WantedStep[] =>
  Array.from({ length: count }, (_, number) => [
    jobRole(`team-${number}`),
    wanted("sys:Policy", `team-${number}`, {
      name: `team-${number}`,
      policy: `path "secret/data/team-${number}/*" { capabilities = ["read"] }`,
    }),
  ]).flat();

/** A statement of a flowchart: a box, a line, or a class. Texts have no sign that ends them or means something. */
const TEXT = "[A-Za-z0-9 .,:=+/…\\u0080-\\uffff-]|#\\d+;";
const STATEMENT = new RegExp(
  `^(flowchart LR|  n\\d+\\["(${TEXT})+"\\](:::(flagged|drifted))?|  n\\d+ -->(\\|"(${TEXT})+"\\|)? n\\d+|  classDef [a-z]+ [a-z0-9#,:-]+( \\d)?)$`,
);
const linesOf = (text: string) => text.trimEnd().split("\n");

const HOSTILE = [
  '"]; click n0 "https://evil.example"',
  "`**bold**` <img src=x onerror=alert(1)> %%{init: {}}%%",
  "</script><!--<script>alert(1)",
  "a\nb\u202e\u0000\ud800 end",
  "__proto__",
  "constructor",
  "x".repeat(5000),
];
const hostileStack = HOSTILE.flatMap((name, number) => [
  wanted("jwt:Role", `role-${number}-${name}`, {
    mount: name,
    name,
    roleType: "jwt",
    boundClaims: { [name]: name },
    tokenPolicies: [name],
    connection: name,
  }),
  wanted("sys:Policy", `policy-${number}`, {
    name,
    policy: `path ${JSON.stringify(name.replaceAll("{", ""))} { capabilities = ["read"] }`,
    connection: name,
  }),
  wanted("cluster:ExportedServices", `services-${number}`, {
    partition: name,
    services: [{ name, consumers: [{ peer: name }] }],
  }),
]);

describe("a map in JSON", () => {
  it("is what the published schema says", async () => {
    const schema = JSON.parse(readFileSync(join(repository, "docs/trust-map.schema.json"), "utf8"));
    const published = z.fromJSONSchema(schema);
    for (const made of [await mapOf(wholeStack), await mapOf(hostileStack)]) {
      expect(published.parse(made)).toEqual(made);
      expect(published.safeParse({ ...made, more: 1 }).success).toBe(false);
      expect(published.safeParse({ ...made, nodes: [{ ...made.nodes[0], kind: "other" }] }).success).toBe(false);
    }
  });

  it("is the same whatever the order of the resources, and of a preview's form", async () => {
    const made = await mapOf(wholeStack);
    expect(await mapOf(wholeStack.toReversed())).toEqual(made);
    expect(await mapIn(previewEvents({ steps: wholeStack }))).toEqual(made);
  });

  it("has one node for each name, also of names that look alike or are cut", async () => {
    const names = [`${"x".repeat(400)}a`, `${"x".repeat(400)}b`, "a?namespace=b", "a", "\u200b", "\\u200b"];
    const { nodes } = await mapOf(
      names.map((name, number) => wanted("sys:Policy", `p-${number}`, { name, policy: "" })),
    );
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
    expect(nodes.every(({ id, name }) => id.length < 350 && name.length <= 201)).toBe(true);
  });

  it("marks what differs from the servers, by the report of trustplane drift", async () => {
    const { drift, raw, resources } = await openStack([
      {
        resource: "jwtRole",
        name: "ci",
        args: { mount: "jwt", name: "ci", roleType: "jwt", userClaim: "sub", boundSubject: "x" },
      },
      {
        resource: "jwtRoleSet",
        name: "all",
        args: {
          mount: "jwt",
          defaults: { roleType: "jwt", userClaim: "sub", boundSubject: "x" },
          roles: { a: {}, b: {}, c: {} },
        },
      },
    ]);
    await raw("secrets").call("POST auth/jwt/role/ci", { role_type: "jwt", user_claim: "sub", bound_subject: "y" });
    await raw("secrets").call("POST auth/jwt/role/a", { role_type: "jwt", user_claim: "sub", bound_subject: "y" });
    await raw("secrets").call("DELETE auth/jwt/role/b");
    const folder = folderOfTest();
    const file = join(folder, "drift.json");
    await drift("--json", file);
    const made = await mapIn(JSON.stringify({ version: 3, deployment: { resources } }), "--drift", file);
    const drifted = made.nodes.filter((node) => node.drift).map(({ name, drift: found }) => [name, found]);
    expect(drifted).toEqual([
      ["jwt/a", { status: "changed", properties: ["boundSubject"] }],
      ["jwt/b", { status: "missing", properties: [] }],
      ["jwt/ci", { status: "changed", properties: ["boundSubject"] }],
    ]);
    writeFileSync(file, "{}");
    await expect(mapIn("{}", "--drift", file)).rejects.toThrow("is no report of trustplane drift --json");
  });
});

describe("a map in Mermaid", () => {
  it("is a flowchart with a box for each record, and what is demanded on the lines", async () => {
    const { out } = await map(wholeStack, "--mermaid");
    expect(linesOf(out).filter((line) => !STATEMENT.test(line))).toEqual([]);
    expect(out).toContain('["role: jobs/deploy"]');
    expect(out).toMatch(/ n\d+ -->\|"project is #34;acme\/deploy#34;"\| n\d+/);
  });

  it("marks what is flagged", async () => {
    const { out } = await map([jobRole("ci", { boundClaims: {} })], "--mermaid");
    expect(out).toContain('["role: jobs/ci"]:::flagged');
  });

  it("has no statement that a name brings in", async () => {
    const { out } = await map(hostileStack, "--mermaid");
    expect(linesOf(out).filter((line) => !STATEMENT.test(line))).toEqual([]);
  });

  it("leaves each auth method of a large stack by itself, with its roles beside it, and says what their demands are about", async () => {
    // No two are alike.
    const roles = Array.from({ length: 800 }, (_, number) =>
      jobRole(`r${number}`, {
        mount: `m${number % 8}`,
        boundClaims: { [number % 3 === 0 ? "project" : "repository"]: `acme/${number}` },
        tokenPolicies: [`p${number % 12}`, `p${Math.floor(number / 12) % 12}`],
      }),
    );
    const { out } = await map(roles, "--mermaid");
    expect(linesOf(out).filter((line) => line.includes('["auth method: auth/m'))).toHaveLength(8);
    expect(linesOf(out).filter((line) => line.includes('["100 roles: m'))).toHaveLength(8);
    expect(
      linesOf(out).filter((line) =>
        /\|"boundClaims.(project|repository) differs, boundClaims.(project|repository) differs"\|/.test(line),
      ),
    ).toHaveLength(8);
  });

  it("folds alike records, and stays small whatever the stack", async () => {
    const { out } = await map(manyRoles(300), "--mermaid");
    expect(
      linesOf(out)
        .filter((line) => line.includes('["'))
        .map((line) => line.replace(/:.*/, "")),
    ).toEqual(['  n0["auth method', '  n1["300 roles', '  n2["300 policies', '  n3["300 paths']);
    // Every role has another choice of policies.
    const names = Array.from({ length: 12 }, (_, number) => `p${number}`);
    const mixed = Array.from({ length: 1000 }, (_, number) =>
      jobRole(`r${number}`, {
        mount: `m${number % 40}`,
        boundClaims: { [`c${number % 90}`]: "x" },
        tokenPolicies: names.filter((_, bit) => (number >> bit) & 1),
      }),
    );
    const large = linesOf((await map(mixed, "--mermaid")).out);
    expect(large.filter((line) => line.includes('["')).length).toBeLessThanOrEqual(80);
    expect(large.filter((line) => line.includes("-->")).length).toBeLessThanOrEqual(400);
  });
});

describe("a map in HTML", () => {
  it("loads nothing, and no name ends a text", async () => {
    const { out } = await map(hostileStack, "--html");
    expect(out).toContain(`content="default-src 'none'; style-src 'sha256-`);
    expect(out.match(/<script/g)).toHaveLength(2);
    expect(out).not.toMatch(/<(img|link|iframe|object|image|use|a)\b|<!--|url\(|@import|\bimport\b/);
    expect(out).not.toContain("\u202e");
  });

  it("is the same for the same input", async () => {
    const [one, other] = [await map(manyRoles(50), "--html"), await map(manyRoles(50), "--html")];
    expect(one.out.length).toBeGreaterThan(10_000);
    expect(other.out).toBe(one.out);
  });

  it("has few boxes, each record in one of them, none over another", async () => {
    const { out } = await map([...wholeStack, ...manyRoles(1000)], "--html");
    const text = /<script type="application\/json" id="map">(.*)<\/script>/.exec(out)?.[1] ?? "";
    const { nodes, units, kinds, boxHeight } = JSON.parse(text) as PageData;
    expect(units.length).toBeLessThanOrEqual(150);
    expect(units.flatMap(({ members }) => members).sort((a, b) => a - b)).toEqual([...nodes.keys()]);
    const columns = Map.groupBy(units, ({ kind }) => kinds[kind]?.column);
    for (const column of columns.values()) {
      const tops = column.map(({ top }) => top).sort((a, b) => a - b);
      expect(tops.every((top, at) => at === 0 || top - (tops[at - 1] ?? 0) >= boxHeight)).toBe(true);
    }
  });
});

interface PageData {
  readonly nodes: TrustMap["nodes"];
  readonly units: readonly { readonly kind: number; readonly top: number; readonly members: readonly number[] }[];
  readonly kinds: readonly { readonly column: number }[];
  readonly boxHeight: number;
}

describe("trustplane map", () => {
  it("prints the counts when no format is asked for, and writes files", async () => {
    const folder = folderOfTest();
    const [html, mermaid] = [join(folder, "map.html"), join(folder, "map.mmd")];
    const { code, out } = await map(
      [...wholeStack, wanted("policy:Parameter", "a", { policySetId: "polset-1", key: "a", value: "1" })],
      "--html",
      html,
      "--mermaid",
      mermaid,
    );
    expect(out).toBe(
      "1 issuer, 2 auth methods, 1 role, 1 group, 1 policy, 1 secrets engine, 1 peer, 1 caller, 2 paths, 1 cloud role, 1 service, 1 cloud permission; 12 ways between them\n0 flagged by lint, 0 drifted\nnot on the map: 1 policy.Parameter\n",
    );
    expect(code).toBe(0);
    expect(readFileSync(html, "utf8")).toContain("<title>Trust of story/dev</title>");
    expect(readFileSync(mermaid, "utf8")).toContain("flowchart LR");
  });

  it.each([
    ["another text", "no stack", [], "this is no state of a stack"],
    ["two maps for one output", "{}", ["--html", "--json"], "only one map can go to the standard output"],
    [
      "a drift report that is not there",
      "{}",
      ["--drift", "/nowhere/drift.json"],
      "the file /nowhere/drift.json cannot be read.",
    ],
    ["a preview that failed", previewJson({ steps: [], errors: ["no"] }), [], "the preview failed"],
    ["a flag that it does not have", "{}", ["--svg"], "unknown option"],
  ])("ends with 1 for %s", async (_, input, words, message) => {
    const { code, err, out } = await runCli(["map", ...words], input);
    expect(err).toContain(message);
    expect(out).toBe("");
    expect(code).toBe(1);
  });

  it("does not wait for a person to type a state", async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    let said = "";
    const code = await runCommand(["map", "-", "--mermaid", "stack.mmd"], {
      out: () => {},
      err: (text) => {
        said += text;
      },
      ended: () => Promise.resolve(),
      input,
      hasColours: false,
      isWatched: false,
    });
    expect(said).toContain("the standard input, which is a terminal: pipe a state or a preview into the command");
    expect(code).toBe(1);
  });

  it("makes a map of a stack that has nothing to show", async () => {
    expect(await map([])).toMatchObject({
      code: 0,
      out: "nothing of this stack belongs on a map\n0 flagged by lint, 0 drifted\n",
    });
    expect((await map([], "--html")).code).toBe(0);
    expect((await map([], "--mermaid")).code).toBe(0);
  });

  it("refuses to make a map that nobody could look at", async () => {
    const names = Array.from({ length: 5_100 }, (_, number) => [`r${number}`, { tokenPolicies: [`p${number}`] }]);
    const roles = Object.fromEntries(names);
    const values = { mount: "jobs", defaults: { roleType: "jwt", boundSubject: "x" }, roles };
    expect(await map([wanted("jwt:RoleSet", "all", values)])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/10201 records .* choose a part of it with --only/),
    });
  });
});
