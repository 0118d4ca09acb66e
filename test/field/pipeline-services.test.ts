// What the jobs of other services have in their environment, and what a job can conclude from an exit code.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS, type CommandName, type CommandRow } from "../../cli/commands/options/commands.ts";
import { preview as commented } from "../cli/comment-harness.ts";
import { openStack, role, run } from "../cli/drift-harness.ts";
import { serve } from "../support/loopback-server.ts";
import { folderOfTest } from "../support/temporary-folder.ts";

const comment = (env: Readonly<Record<string, string>>, tokenTtl = "1h", ...flags: string[]) =>
  run(["comment", ...flags], { GITHUB_REPOSITORY: "", CI_API_V4_URL: "", ...env }, commented(tokenTtl));

// https://github.com/pulumi/pulumi-az-pipelines-task/issues/110
it.each([
  ["TF_BUILD", "Azure Pipelines"],
  ["BITBUCKET_BUILD_NUMBER", "Bitbucket Pipelines"],
  ["CIRCLECI", "CircleCI"],
  ["JENKINS_URL", "Jenkins"],
])("a job with %s is of %s, which is said, with what to do", async (variable, name) => {
  const { code, err } = await comment({ [variable]: "1" });
  expect(code).toBe(1);
  expect(err).toContain(`this is a job of ${name}, where trustplane cannot write`);
  expect(err).toContain("--dry-run prints the text");
  expect(await comment({ [variable]: "1" }, "1h", "--dry-run")).toMatchObject({
    code: 0,
    out: expect.stringContaining("tokenTtl"),
  });
});

// https://github.com/pulumi/actions/issues/1398
it.each(["gitea-actions", "forgejo-actions"])(
  "a job of %s looks like one of GitHub: the second run edits what the first one has written",
  async (login) => {
    const own = { id: -2, login };
    const notes = Array.from({ length: 60 }, (_, id) => ({
      id: id + 1,
      body: "of others",
      user: { id: 5, login: "a" },
    }));
    const asked: string[] = [];
    // By its API: no pages of comments, no GraphQL, no kind of a user, and a field that it does not know is left out.
    const { origin } = await serve(async (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()).body : "";
      const [path = ""] = (incoming.url ?? "").replace("/api/v1/", "").split("?");
      asked.push(`${incoming.method} ${path}`);
      const found = notes.find(({ id }) => path === `repos/acme/infra/issues/comments/${id}`);
      const answer = (status: number, json: unknown) => outgoing.writeHead(status).end(JSON.stringify(json));
      if (path === "user") answer(200, own);
      else if (incoming.method === "PATCH" && found) answer(200, Object.assign(found, { body }));
      else if (path !== "repos/acme/infra/issues/7/comments") answer(404, { message: "not found" });
      else if (incoming.method === "GET") answer(200, notes);
      else answer(201, notes[notes.push({ id: notes.length + 1, body, user: own }) - 1]);
    });
    const env = {
      GITEA_ACTIONS: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_REPOSITORY: "acme/infra",
      GITHUB_API_URL: `${origin}/api/v1`,
      GITHUB_REF: "refs/pull/7/head",
      GITHUB_TOKEN: "t",
    };
    expect(await comment(env)).toMatchObject({ code: 0, err: "" });
    expect(await comment(env, "2h")).toMatchObject({ code: 0, err: "" });
    expect(notes).toHaveLength(61);
    expect(notes[60]?.body).toContain('"2h"');
    expect(asked.filter((line) => !line.startsWith("GET"))).toHaveLength(2);
  },
);

describe("an exit code", () => {
  const commands = Object.entries<CommandRow>(COMMANDS).map(
    ([name, { codes }]) => [name as CommandName, codes] as const,
  );

  it.each(["drfit", "--no-such", ...commands.map(([name]) => `${name} --no-such`)])(
    "of a wrong command line is 1, which is no finding: trustplane %s",
    async (line) => {
      expect((await run(line.split(" "), {})).code).toBe(1);
    },
  );

  it.each(commands)("of %s is in the page's table as in the command's help", async (name, codes) => {
    const page = readFileSync(join(__dirname, "../../docs/commands.md"), "utf8");
    const cells = [0, 1, 2].map((code) => codes[code as 0] ?? "");
    expect(page).toContain(`| \`${name}\` | ${cells.join(" | ")} |`);
    const { out } = await run([name, "--help"], {});
    for (const [code, meaning] of Object.entries(codes)) expect(out).toContain(`  ${code}  ${meaning}\n`);
  });

  it("is 0, 2 or 1 as what was looked for is right, wrong, or cannot be looked at", async () => {
    const tests = join(folderOfTest(), "trust.yml");
    const mount = { resource: "sysAuthMount", name: "jobs", args: { path: "jobs", type: "jwt" } } as const;
    const { env, drift, driftWith, raw, resources } = await openStack([
      mount,
      role("ci", { mount: "jobs", tokenPolicies: ["deploy"], boundSubject: "x", tokenTtl: "15m" }),
    ]);
    const login = "login: { mount: jobs, role: ci, claims: { sub: x, aud: https://aud.example } }";
    writeFileSync(tests, `tests:\n  - name: ci\n    ${login}\n    expect: { policies: [deploy] }\n`);
    const state = JSON.stringify({ version: 3, deployment: { resources } });
    const codeOf = async (words: readonly string[], text = state) => (await run(words, env, text)).code;
    const test = ["test", tests, "--state", "-"];

    expect((await drift()).code).toBe(0);
    expect([await codeOf(test), await codeOf(["lint", "-"])]).toEqual([0, 0]);
    for (const words of [
      ["map", "-", "--mermaid"],
      ["permissions", "--state", "-"],
      ["explain", "role", "ci", "--state", "-"],
    ])
      expect({ words, code: await codeOf(words) }).toEqual({ words, code: 0 });

    await raw("secrets").call("POST auth/jobs/role/ci", { role_type: "jwt", token_policies: ["admin"] });
    expect((await drift()).code).toBe(2);
    expect(await codeOf(test, state.replaceAll('"deploy"', '"other"'))).toBe(2);
    expect(await codeOf(["lint", "-"], state.replaceAll('"15m"', '"720h"'))).toBe(2);

    expect((await driftWith({ ...env, VAULT_TOKEN: "wrong" })).code).toBe(1);
    for (const words of [test, ["lint", "-"], ["map", "-", "--mermaid"], ["permissions", "--state", "-"]])
      expect({ words, code: await codeOf(words, "no state") }).toEqual({ words, code: 1 });
    expect(await codeOf(["comment", "-"], "")).toBe(1);
    expect((await run(["doctor"], { ...env, VAULT_TOKEN: "wrong" })).code).toBe(2);
    expect((await run(["doctor"], {})).code).toBe(1);
    expect((await run(["adopt", "--out", join(folderOfTest(), "out")], {})).code).toBe(1);
  });
});
