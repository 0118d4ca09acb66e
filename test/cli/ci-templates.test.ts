import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SignJWT } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { startServers } from "../../server/serve.ts";
import { repository } from "../../tools/steps/repository.mjs";
import { rawApi } from "../support/contract-raw.ts";
import { serve } from "../support/loopback-server.ts";
import { runAction, runScript, theAction } from "./ci-action.ts";

const yaml = (path: string) => parse(readFileSync(join(repository, path), "utf8"));
const scratchFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-ci-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};
const jobs = z.record(
  z.string(),
  z.object({ before_script: z.array(z.string()).default([]), script: z.array(z.string()).default([]) }).loose(),
);
const gitlab = jobs.parse(yaml("ci-templates/gitlab-trustplane.yml"));
const gitlabScripts = Object.entries(gitlab).flatMap(([job, { before_script, script }]) =>
  [...before_script, ...script].map((line) => [job, line] as const),
);
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
    const named = [...theAction.runs.steps.map(({ run }) => run), ...gitlabScripts.map(([, line]) => line)].flatMap(
      (line) => line.match(/ci-templates\/[a-z-]+\.sh/g) ?? [],
    );
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

describe("the action", () => {
  it("refuses a mode that it does not know", async () => {
    const env = { PATH: process.env["PATH"] ?? "" };
    expect(await runAction({ mode: "apply", stack: "dev" }, { cwd: scratchFolder(), env })).toMatchObject({
      code: 1,
      out: expect.stringContaining("mode is preview or drift, not apply"),
    });
  });
});

describe("the login of a CI job", () => {
  const opened = async () => {
    const server = await startServers();
    onTestFinished(() => server.close());
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    const raw = rawApi("secrets", server.secrets);
    await raw.call("POST auth/jwt/config", {
      jwt_validation_pubkeys: [publicKey.export({ type: "spki", format: "pem" })],
    });
    await raw.call("POST auth/jwt/role/review", {
      role_type: "jwt",
      user_claim: "sub",
      bound_audiences: [server.secrets.address],
      bound_claims: { repository: "acme/trust" },
    });
    const idToken = (audience: string) =>
      new SignJWT({ repository: "acme/trust" })
        .setProtectedHeader({ alg: "ES256" })
        .setSubject("job")
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(privateKey);
    const home = scratchFolder();
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      VAULT_ADDR: server.secrets.address,
      TRUSTPLANE_LOGIN_ROLE: "review",
    };
    const script = `bash ${join(repository, "ci-templates/login.sh")}`;
    return {
      server,
      idToken,
      home,
      login: (more: Readonly<Record<string, string>>) => runScript(script, { cwd: home, env: { ...env, ...more } }),
    };
  };
  const loggedIn = async (home: string, address: string) => {
    const token = readFileSync(join(home, ".vault-token"), "utf8").trim();
    expect(statSync(join(home, ".vault-token")).mode & 0o777).toBe(0o600);
    const answer = await fetch(`${address}/v1/auth/token/lookup-self`, { headers: { "x-vault-token": token } });
    return { status: answer.status, token };
  };

  it("on GitHub asks for an OIDC token for the server, and leaves only the server's token", async () => {
    const { server, idToken, home, login } = await opened();
    const forge = await serve(async (request, response) => {
      const audience = new URL(request.url ?? "", "http://forge").searchParams.get("audience") ?? "";
      const isAllowed = request.headers.authorization === "Bearer request-token";
      response.writeHead(isAllowed ? 200 : 401).end(JSON.stringify({ value: await idToken(audience) }));
    });
    const env = {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${forge.origin}/token?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "request-token",
    };

    const { code, out } = await login(env);

    const { status, token } = await loggedIn(home, server.secrets.address);
    expect({ code, status }).toEqual({ code: 0, status: 200 });
    expect(out).toBe("Logged in as review.\n");
    expect(out).not.toContain(token);
  });

  it("on GitLab takes the token of the job", async () => {
    const { server, idToken, home, login } = await opened();
    expect(await login({ TRUSTPLANE_ID_TOKEN: await idToken(server.secrets.address) })).toMatchObject({ code: 0 });
    expect(await loggedIn(home, server.secrets.address)).toMatchObject({ status: 200 });
  });

  it("that is refused ends the job and leaves no token", async () => {
    const { idToken, home, login } = await opened();
    const token = await idToken("https://another.example");
    const { code, out } = await login({ TRUSTPLANE_ID_TOKEN: token });
    expect(code).not.toBe(0);
    expect(out).not.toContain(token);
    expect(existsSync(join(home, ".vault-token"))).toBe(false);
  });

  it("without the permission for tokens says which", async () => {
    const { login } = await opened();
    expect(await login({})).toMatchObject({ out: expect.stringContaining("id-token: write") });
  });
});

describe("the scripts of a CI job", () => {
  /** Stand-ins for the two commands, which say what they were called with. */
  const folderWith = (commands: Readonly<Record<"pulumi" | "npx", string>>) => {
    const folder = scratchFolder();
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
