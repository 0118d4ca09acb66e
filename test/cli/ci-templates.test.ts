// @alone
// @run test: it runs whole jobs of a continuous integration

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { repository } from "../../tools/steps/repository.mjs";
import { folderOfTest } from "../support/temporary-folder.ts";
import { runAction, runScript, theAction } from "./ci-action.ts";

const yaml = (path: string) => parse(readFileSync(join(repository, path), "utf8"));
const jobs = z.record(
  z.string(),
  z
    .object({
      before_script: z.array(z.string()).default([]),
      script: z.array(z.string()).default([]),
      after_script: z.array(z.string()).default([]),
    })
    .loose(),
);
const gitlab = jobs.parse(yaml("ci-templates/gitlab-trustplane.yml"));
const gitlabScripts = Object.entries(gitlab).flatMap(([job, { before_script, script, after_script }]) =>
  [...before_script, ...script, ...after_script].map((line) => [job, line] as const),
);
const textOf = (name: string) => readFileSync(join(repository, "ci-templates", name), "utf8");
const scripts = readdirSync(join(repository, "ci-templates")).filter((name) => name.endsWith(".sh"));

describe("the shell of", () => {
  const parses = (script: string) => () =>
    execFileSync("bash", ["-n"], { input: script, stdio: ["pipe", "pipe", "pipe"] });

  it.each(theAction.runs.steps)("the action's step $name parses, and takes no input but as a variable", ({ run }) => {
    expect(parses(run)).not.toThrow();
    expect(run).not.toContain("${{");
  });

  it.each(gitlabScripts)("the GitLab job %s parses: %s", (_job, line) => {
    expect(parses(line)).not.toThrow();
  });

  it.each(scripts)("%s parses, may be executed, and stops at the first error", (name) => {
    const path = join(repository, "ci-templates", name);
    expect(parses(readFileSync(path, "utf8"))).not.toThrow();
    expect(statSync(path).mode & 0o111).not.toBe(0);
    expect(readFileSync(path, "utf8")).toMatch(/^#!\/usr\/bin\/env bash\n[\s\S]*?\nset -euo pipefail\n/);
  });

  it("the templates names only scripts that are there", () => {
    const sources = scripts.flatMap((name) => textOf(name).match(/^source .*$/gm) ?? []);
    const lines = [...theAction.runs.steps.map(({ run }) => run), ...gitlabScripts.map(([, line]) => line)];
    const named = [
      ...lines.flatMap((line) => line.match(/ci-templates\/[a-z-]+\.sh/g) ?? []),
      ...sources.map((line) => `ci-templates/${/[a-z-]+\.sh/.exec(line)?.[0]}`),
    ];
    expect(new Set(named.map((path) => path.replace("ci-templates/", "")))).toEqual(new Set(scripts));
    for (const path of named) expect(existsSync(join(repository, path))).toBe(true);
  });
});

describe("the example's workflow", () => {
  const workflow = yaml("examples/review/.github/workflows/trustplane.yml");
  const uses = workflow.jobs.trustplane.steps.find(
    ({ uses }: { uses?: string }) => uses === "./node_modules/trustplane",
  );

  it("gives the action inputs that it has, and all that it needs", () => {
    const required = Object.entries(theAction.inputs).filter(([, each]) => each.required);
    expect(Object.keys(theAction.inputs)).toEqual(expect.arrayContaining(Object.keys(uses.with)));
    expect(Object.keys(uses.with)).toEqual(expect.arrayContaining(required.map(([name]) => name)));
  });

  it("gives the job the permissions that login, comment and issue need, and no more", () => {
    expect(workflow.permissions).toEqual({
      contents: "read",
      "id-token": "write",
      issues: "write",
      "pull-requests": "write",
    });
  });

  it("runs for pull requests and on a schedule, as the GitLab jobs do", () => {
    expect(Object.keys(workflow.on)).toEqual(["pull_request", "schedule"]);
    const rules = ["trustplane-preview", "trustplane-drift"].map((job) => JSON.stringify(gitlab[job]));
    expect(rules).toEqual([expect.stringContaining("merge_request_event"), expect.stringContaining("schedule")]);
  });
});

it("nothing advises an event that runs a fork's code with the repository's tokens", () => {
  const files = execFileSync(
    "git",
    ["ls-files", "README.md", "action.yml", "ci-templates", "cli", "docs", "examples"],
    {
      cwd: repository,
      encoding: "utf8",
    },
  )
    .trim()
    .split("\n")
    .filter((file) => existsSync(join(repository, file)));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => readFileSync(join(repository, file), "utf8").includes("pull_request_target"))).toEqual(
    [],
  );
});

describe("the action", () => {
  it("refuses a mode that it does not know", async () => {
    const env = { PATH: process.env["PATH"] ?? "" };
    expect(await runAction({ mode: "apply", stack: "dev" }, { cwd: folderOfTest(), env })).toMatchObject({
      code: 1,
      out: expect.stringContaining("mode is preview or drift, not apply"),
    });
  });
});

describe("the scripts of a CI job", () => {
  /** Stand-ins for the two commands, which say what they were called with. */
  const folderWith = (commands: Readonly<Record<"pulumi" | "npx", string>>) => {
    const folder = folderOfTest();
    for (const [name, script] of Object.entries(commands)) {
      const path = join(folder, "bin", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `#!/usr/bin/env bash\n${script}\n`);
      chmodSync(path, 0o755);
    }
    const env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, TRUSTPLANE_STACK: "acme/dev" };
    return (name: string) => runScript(`bash ${join(repository, "ci-templates", name)}`, { cwd: folder, env });
  };

  it.each([
    ["ends as a preview that failed, after its comment", "echo broken >&2; exit 255", "exit 0", 255],
    ["ends with 1 when only the comment could not be made", "exit 0", "exit 1", 1],
    ["ends with 0 otherwise", "exit 0", "exit 0", 0],
  ])("preview.sh %s", async (_what, pulumi, npx, code) => {
    const run = folderWith({ pulumi, npx: `echo "npx $2 called"; ${npx}` });
    expect(await run("preview.sh")).toMatchObject({ code, out: expect.stringContaining("npx trustplane called") });
  });

  it.each([
    ["drift tells the issue, which is enough", 2, true, 0],
    ["no drift tells the issue, too", 0, true, 0],
    ["a result that is not whole is told, and fails", 1, true, 1],
    ["no result at all fails, and leaves the issue alone", 1, false, 1],
  ])("drift.sh: %s", async (_what, driftCode, isReported, code) => {
    const report = isReported ? 'echo "{}" >"$7"' : "true";
    const run = folderWith({
      pulumi: "exit 1",
      npx: `echo "npx $3 called"; if [ "$3" = drift ]; then ${report}; exit ${driftCode}; fi`,
    });
    const { code: ended, out } = await run("drift.sh");
    expect(ended).toBe(code);
    expect(out.includes("npx comment called")).toBe(isReported);
  });
});
