// @alone
// @run test: it runs whole jobs of a continuous integration

import { execFile, spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { repository } from "../../tools/steps/repository.mjs";
import { runAction, runScript } from "./ci-action.ts";
import { openJob, scriptAt } from "./ci-job-harness.ts";

const jwt = ["header", "claims", "signature"]
  .map((part) => Buffer.from(JSON.stringify({ part })).toString("base64url"))
  .join(".");

const GITHUB = {
  GITHUB_TOKEN: "ghs_needle-1",
  GH_TOKEN: "ghs_needle-1",
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: "needle-2-request",
  ACTIONS_ID_TOKEN_REQUEST_URL: "https://forge.example/needle-3",
  ACTIONS_RUNTIME_TOKEN: "needle-4-runtime",
  GITHUB_ENV: "/needle-5",
  GITHUB_PATH: "/needle-6",
};
const GITLAB = {
  GITLAB_TOKEN: "glpat-needle-1",
  CI_JOB_TOKEN: "glcbt-needle-2",
  CI_REGISTRY_PASSWORD: "glcbt-needle-2",
  CI_REPOSITORY_URL: "https://gitlab-ci-token:glcbt-needle-2@forge.example/a.git",
  VAULT_ID_TOKEN: jwt,
  SIGSTORE_ID_TOKEN: jwt,
  // Of another service, with the line break of a variable that holds a file.
  READ_FROM_A_FILE: "eyJhbGciOiJub25lIn0.eyJhIjoxfQ.needle-3\n",
  NPM_AUTH: "_authToken=glcbt-needle-2",
};

describe.each([
  ["GitHub", GITHUB, "GITHUB_TOKEN"],
  ["GitLab", GITLAB, "GITLAB_TOKEN"],
] as const)("on %s", (_forge, secrets, forgeToken) => {
  const named = (env: Readonly<Record<string, string>>) =>
    Object.entries(env)
      .filter(([, value]) => Object.values(secrets).includes(value) || value.includes("needle"))
      .map(([name]) => name);

  it("the program of a pull request is run without the job's tokens, and the comment has that of the forge", async () => {
    const { run, envOf } = openJob();
    const plain = { VAULT_ADDR: "https://vault.example", AWS_SECRET_ACCESS_KEY: "of-the-backend" };
    expect(await run("preview.sh", { ...secrets, ...plain })).toMatchObject({ code: 0 });
    expect(named(envOf("pulumi"))).toEqual([]);
    expect(envOf("pulumi")).toMatchObject(plain);
    expect(envOf("npx")).toMatchObject({ [forgeToken]: Object(secrets)[forgeToken] });
  });

  it.each([" ", "\n", ","])("a program has what it is said to need, in a list with %j", async (separator) => {
    const { run, envOf } = openJob();
    // A list in YAML ends with a line break.
    await run("preview.sh", { ...secrets, TRUSTPLANE_KEEP: `OTHER${separator}${forgeToken}${separator}` });
    expect(named(envOf("pulumi"))).toEqual([forgeToken]);
  });

  it("drift detection has none of them", async () => {
    const { run, envOf } = openJob();
    await run("drift.sh", secrets);
    expect(named(envOf("npx"))).toEqual([]);
  });
});

it("a plan of Terraform is commented in place of a preview", async () => {
  const { env, work, home, wordsOf, called } = openJob("exit 9", 'cp "$4" "$CALLS/preview.json"');
  writeFileSync(join(work, "plan.json"), "a plan");
  const forge = { GITHUB_ACTION_PATH: repository, RUNNER_TEMP: join(home, "tmp"), GITHUB_TOKEN: "ghs_forge-token" };

  const { code } = await runAction({ stack: "dev", plan: "plan.json" }, { cwd: work, env: { ...env, ...forge } });

  expect({ code, pulumi: wordsOf("pulumi") }).toEqual({ code: 0, pulumi: "" });
  expect(readFileSync(called("preview.json"), "utf8")).toBe("a plan");
  const missing = await runAction({ stack: "dev", plan: "none.json" }, { cwd: work, env: { ...env, ...forge } });
  expect(missing).toMatchObject({ code: 1, out: expect.stringContaining("none.json") });
});

it("drift is looked for in a state of Terraform", async () => {
  const { env, work, home, wordsOf } = openJob();
  const forge = { GITHUB_ACTION_PATH: repository, RUNNER_TEMP: join(home, "tmp"), GITHUB_TOKEN: "ghs_forge-token" };

  const inputs = { mode: "drift", stack: "dev", state: "state.json" };
  const { code } = await runAction(inputs, { cwd: work, env: { ...env, ...forge } });

  expect(code).toBe(0);
  expect(wordsOf("npx")).toMatch(/^--no-install trustplane drift --state state\.json --json \S+$/m);
});

it("a program is not run when nobody can say what to keep from it", async () => {
  const { run, wordsOf, home } = openJob();
  writeFileSync(join(home, "bin", "node"), "#!/usr/bin/env bash\nexit 1\n", { mode: 0o755 });
  await run("preview.sh", GITHUB);
  expect(wordsOf("pulumi")).toBe("");
});

it("the trust tests of the action's inputs run on all that the preview wants, and one that fails fails the job", async () => {
  const { env, work, home, wordsOf } = openJob("true", "exit 2");
  const forge = { GITHUB_ACTION_PATH: repository, RUNNER_TEMP: join(home, "tmp"), GITHUB_TOKEN: "ghs_forge-token" };

  const { code } = await runAction({ stack: "dev", trust: "trust.yml" }, { cwd: work, env: { ...env, ...forge } });

  expect(wordsOf("pulumi")).toContain(" --show-sames ");
  expect(wordsOf("npx")).toMatch(/trustplane comment .* --trust trust\.yml/);
  expect(code).toBe(2);
});

it("a preview that is told to end leaves no temporary file", async () => {
  const { env, work, called, leftOvers } = openJob(
    'mkfifo "$CALLS/gate"; echo started >"$CALLS/started.pipe"; read -r _ <"$CALLS/gate"',
  );
  const command = promisify(execFile);
  await command("mkfifo", [called("started.pipe")]);
  const child = spawn("bash", [scriptAt("preview.sh")], { cwd: work, env, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await command("cat", [called("started.pipe")]);
  expect(leftOvers()).toHaveLength(1);
  child.kill("SIGTERM");
  await command("bash", ["-c", `echo go >"${called("gate")}"`]);
  await ended;
  expect(leftOvers()).toEqual([]);
});

describe("a login role", () => {
  it("of the action's inputs is handed to the program, which no token of the server is", async () => {
    const { env, work, home, envOf } = openJob();
    const forge = { GITHUB_ACTION_PATH: repository, RUNNER_TEMP: join(home, "tmp"), GITHUB_TOKEN: "ghs_forge-token" };
    const inputs = { stack: "dev", "login-role": "review", "login-mount": "github", "login-namespace": "admin" };

    const { code } = await runAction(inputs, { cwd: work, env: { ...env, ...forge, VAULT_ID_TOKEN: jwt } });

    expect(code).toBe(0);
    const login = { TRUSTPLANE_LOGIN_ROLE: "review", TRUSTPLANE_LOGIN_MOUNT: "github", VAULT_ID_TOKEN: jwt };
    expect(envOf("pulumi")).toMatchObject({ ...login, TRUSTPLANE_LOGIN_NAMESPACE: "admin" });
    expect(envOf("pulumi")).not.toHaveProperty("VAULT_TOKEN");
  });

  it.each(["trustplane-preview", "trustplane-drift"])(
    "of the GitLab job %s is for its program alone, and not for what packages run when they are installed",
    async (job) => {
      const { env, work, envOf } = openJob();
      const template = parse(readFileSync(join(repository, "ci-templates/gitlab-trustplane.yml"), "utf8"));
      mkdirSync(join(work, "node_modules"));
      symlinkSync(repository, join(work, "node_modules/trustplane"));
      const tokens = { VAULT_ID_TOKEN: jwt, GITLAB_TOKEN: "glpat-forge" };
      const all = { ...env, ...tokens, ...template[".trustplane"].variables, TRUSTPLANE_LOGIN_ROLE: "review" };
      const lines = [...template[".trustplane"].before_script, ...template[job].script];

      expect(await runScript(lines.join("\n"), { cwd: work, env: all })).toMatchObject({ code: 0 });

      expect(envOf(job === "trustplane-preview" ? "pulumi" : "npx")).toMatchObject({ VAULT_ID_TOKEN: jwt });
      expect(envOf("npm")).not.toHaveProperty("GITLAB_TOKEN");
      expect(envOf("npm")).not.toHaveProperty("VAULT_ID_TOKEN");
    },
  );
});
