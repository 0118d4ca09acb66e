// @alone
// @run test: it runs whole jobs of a continuous integration

import { readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEngine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { startServers } from "../../server/serve.ts";
import { rawApi } from "../support/contract-raw.ts";
import { jobKeyPem, jobToken } from "../support/jwt-logins.ts";
import { serve } from "../support/loopback-server.ts";
import { openJob } from "./ci-job-harness.ts";

/** A server that jobs may log in to, and how many tokens it has. */
async function openVault() {
  const server = await startServers();
  onTestFinished(() => server.close());
  const raw = rawApi("secrets", server.secrets);
  await raw.call("POST auth/jwt/config", { jwt_validation_pubkeys: [jobKeyPem] });
  await raw.call("POST sys/policies/acl/review", { policy: 'path "auth/jwt/role/*" { capabilities = ["read"] }' });
  await raw.call("POST auth/jwt/role/review", {
    role_type: "jwt",
    user_claim: "sub",
    bound_audiences: [server.secrets.address],
    token_policies: ["review"],
  });
  const tokens = async () =>
    ((await raw.call("LIST auth/token/accessors")) as { data: { keys: string[] } }).data.keys.length;
  return { address: server.secrets.address, tokens };
}

/** GitHub's service for the JWTs of jobs, which answers as it is told. */
async function openForge(answer: RequestListener) {
  const { origin } = await serve(answer);
  return {
    GITHUB_ACTIONS: "true",
    ACTIONS_ID_TOKEN_REQUEST_URL: `${origin}/token?api-version=2`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "needle-request",
  };
}

const issuing: RequestListener = async (request, response) => {
  const aud = new URL(request.url ?? "", "http://forge").searchParams.get("audience") ?? "";
  const isAllowed = request.headers.authorization === "Bearer needle-request";
  response.writeHead(isAllowed ? 200 : 401).end(JSON.stringify({ value: await jobToken({ aud }) }));
};

/** What the provider of the program does: it reads the role that it logs in with. */
async function readAsProgram(env: Readonly<Record<string, string>>): Promise<void> {
  const engine = createEngine({ config: () => undefined, env, log: () => {} });
  try {
    await engine.read(definitions.jwtRole, "auth/jwt/role/review", {});
  } finally {
    await engine.end();
  }
}

describe("the program of a job with a login role", () => {
  it("on GitHub gets one JWT for the server, by which the provider logs in, and nothing to ask for another", async () => {
    const { address, tokens } = await openVault();
    const { run, envOf } = openJob();
    const forge = await openForge(issuing);
    const variables = { VAULT_ADDR: address, TRUSTPLANE_LOGIN_ROLE: "review" };

    const { code, out } = await run("preview.sh", { ...forge, ...variables, VAULT_TOKEN: "of-the-runner" });

    const env = envOf("pulumi");
    expect([code, out]).toEqual([0, `::add-mask::${env["VAULT_ID_TOKEN"]}\n`]);
    expect(Object.values(env).join(" ")).not.toContain("needle");
    const before = await tokens();
    await readAsProgram(env);
    expect(await tokens()).toBe(before);
  });

  it("on GitLab gets the job's JWT for the server, and none of its others", async () => {
    const { address } = await openVault();
    const { run, envOf } = openJob();
    const VAULT_ID_TOKEN = await jobToken({ aud: address });
    const others = { SIGSTORE_ID_TOKEN: await jobToken({ aud: "sigstore" }), CI_JOB_TOKEN: "glcbt-needle" };

    const { code, out } = await run("drift.sh", {
      ...others,
      VAULT_ADDR: address,
      VAULT_ID_TOKEN,
      TRUSTPLANE_LOGIN_ROLE: "review",
    });

    const env = envOf("npx");
    expect([code, out]).toEqual([0, ""]);
    expect(env).toMatchObject({ VAULT_ID_TOKEN });
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(["SIGSTORE_ID_TOKEN"]));
    await readAsProgram(env);
  });

  it("asks GitHub for the audience that it is told, and shows no JWT in the arguments of a process", async () => {
    const audiences: (string | null)[] = [];
    const forge = await openForge((request, response) => {
      audiences.push(new URL(request.url ?? "", "http://forge").searchParams.get("audience"));
      issuing(request, response);
    });
    const { run, home, envOf } = openJob();
    const words = join(home, "arguments");
    for (const name of ["env", "curl", "node"]) {
      const script = `#!/bin/bash\necho "$*" >>${words}\nexec "$(PATH=\${PATH#*:} command -v ${name})" "$@"\n`;
      writeFileSync(join(home, "bin", name), script, { mode: 0o755 });
    }
    await run("preview.sh", {
      ...forge,
      TRUSTPLANE_LOGIN_ROLE: "review",
      TRUSTPLANE_LOGIN_AUDIENCE: "https://a.example/?b&c",
    });
    expect(audiences).toEqual(["https://a.example/?b&c"]);
    const seen = readFileSync(words, "utf8");
    expect(seen).toContain("--config -");
    expect(seen).not.toContain("needle");
    expect(seen).not.toContain(envOf("pulumi")["VAULT_ID_TOKEN"] ?? "");
  });
});

describe("a job that gets no JWT ends before its program runs", () => {
  const role = { TRUSTPLANE_LOGIN_ROLE: "review" };
  const answering =
    (body: string, status = 200): RequestListener =>
    (_request, response) =>
      response.writeHead(status).end(body);

  it.each([
    ["without the permission to ask", { VAULT_ADDR: "https://vault.example" }, /id-token: write.*fork/],
    ["without an audience", { ACTIONS_ID_TOKEN_REQUEST_URL: "https://forge.example" }, /login-audience, or VAULT_ADDR/],
  ])("%s", async (_what, env, expected) => {
    const { run, wordsOf } = openJob();
    const { code, out } = await run("preview.sh", { ...role, ...env });
    expect([code, wordsOf("pulumi")]).toEqual([1, ""]);
    expect(out).toMatch(expected);
  });

  it.each([
    ["broken JSON", answering('{"value":"needle')],
    ["no JWT", answering('{"value":{"needle":1}}')],
    ["a JWT of two lines", answering(JSON.stringify({ value: "needle.b.c\nX: 1" }))],
    ["a page", answering("<html>needle</html>")],
    ["a refusal", answering("needle", 403)],
  ])("where the forge answers %s, and nothing of it is shown", async (_what, answer) => {
    const { run, wordsOf, leftOvers } = openJob();
    const { code, out } = await run("preview.sh", {
      ...role,
      ...(await openForge(answer)),
      VAULT_ADDR: "https://vault.example",
    });
    expect([code, wordsOf("pulumi"), leftOvers()]).toEqual([1, "", []]);
    expect(out).toContain("login: the forge gave no JWT.");
    expect(out).not.toContain("needle");
  });
});
