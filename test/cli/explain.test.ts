import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { serve } from "../support/loopback-server.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const ISSUER = "https://git.example.com";
const create = (token: string, name: string, after: Values): WantedStep => ({ op: "create", token, name, after });
const steps = [
  create("jwt:Config", "jobs", { mount: "jobs", oidcDiscoveryUrl: ISSUER }),
  create("jwt:Role", "deploy", {
    mount: "jobs",
    name: "deploy",
    roleType: "jwt",
    userClaim: "sub",
    boundAudiences: ["vault"],
    boundClaims: { project_path: "acme/*", "/job/ref": ["main", "release"] },
    boundClaimsType: "glob",
    tokenBoundCidrs: ["10.0.0.0/8"],
    tokenPolicies: ["deploy"],
    tokenTtl: "15m",
  }),
  create("sys:Policy", "deploy", { name: "deploy", policy: 'path "secret/*" { capabilities = ["read", "list"] }' }),
];

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const now = Math.floor(Date.now() / 1000);
const right = { iss: ISSUER, aud: "vault", sub: "ci", project_path: "acme/x", job: { ref: "main" }, exp: now + 86_400 };

/** A folder with a state and a token of somebody else's key. */
async function explained(words: readonly string[], claims?: Readonly<Record<string, unknown>>, wanted = steps) {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-explain-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const state = join(folder, "state.json");
  writeFileSync(state, previewJson({ steps: wanted }));
  const jwt = claims && (await new SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(privateKey));
  if (jwt) writeFileSync(join(folder, "jwt"), jwt);
  const token = jwt ? ["--token", join(folder, "jwt")] : [];
  const run = await runCli(["explain", ...words, "--state", state, ...token]);
  if (jwt) expect(run.out + run.err).not.toContain(jwt);
  return run;
}
const token = ["token", "--mount", "jobs", "--role", "deploy", "--address", "10.1.2.3"];

describe("trustplane explain", () => {
  it("says that a token would log in, and what it would get", async () => {
    const { code, out } = await explained(token, right);
    expect(out).not.toContain("MISS");
    expect(out).toContain("The login would get policies default, deploy for 15m.");
    expect(code).toBe(0);
  });

  it.each([
    ["boundIssuer", { iss: "https://other.example.com" }],
    ["exp", { exp: now - 3600 }],
    ["boundAudiences", { aud: "consul" }],
    ["boundClaims.project_path", { project_path: "mallory/x" }],
    ["boundClaims./job/ref", { job: { ref: "x/main" } }],
    ["boundClaims./job/ref", { job: null }],
  ])("says that a token misses %s", async (property, wrong) => {
    const { code, out } = await explained(token, { ...right, ...wrong });
    expect(out.match(/^MISS {2}(\S+):/gm)).toEqual([`MISS  ${property}:`]);
    expect(out).toContain("The login would be refused: ");
    expect(code).toBe(2);
  });

  it.each([
    [
      "another value",
      { job: { ref: "refs/heads/main" } },
      "`/job/ref` is `refs/heads/main`, the nearest of 2 bounds is `main`",
    ],
    [
      "a value near another one",
      { job: { ref: "released" } },
      "`/job/ref` is `released`, the nearest of 2 bounds is `release`",
    ],
    ["several values", { job: { ref: ["x", "mains"] } }, "`/job/ref` is `mains`, the nearest of 2 bounds is `main`"],
    ["a value of another type", { job: { ref: 7 } }, '`/job/ref` is `7`, the nearest of 2 bounds is `"main"`'],
    ["no value", { project_path: undefined }, "`project_path` is not in the token, bound is `acme/*`"],
    ["another issuer", { iss: "https://x.example" }, `\`iss\` is \`https://x.example\`, bound is \`${ISSUER}\``],
    ["a time that is over", { exp: now - 7200 }, "`exp` was 2h"],
    ["a time to come", { nbf: now + 7200 }, "`nbf` is in "],
  ])("shows the nearest miss of a token with %s", async (_, wrong, miss) => {
    const { out } = await explained(token, { ...right, ...wrong });
    expect(out).toContain(`\n      ${miss}`);
    expect(out.match(/^ {6}`/gm)).toHaveLength(1);
  });

  it("takes the token of the standard input", async () => {
    const folder = mkdtempSync(join(tmpdir(), "trustplane-explain-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "state"), previewJson({ steps }));
    const jwt = await new SignJWT(right).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
    const run = (state: string) => runCli(["explain", ...token, "--state", state, "--token", "-"], `${jwt}\n`);
    expect(await run(join(folder, "state"))).toMatchObject({ code: 0, err: "" });
    expect(await run("-")).toMatchObject({ code: 1, err: expect.stringContaining("both name the standard input") });
  });

  it.each([
    ["gives one", 200, 0],
    ["refuses", 403, 1],
  ])("asks GitHub Actions for the token of the job, which %s, and shows none", async (_, status, code) => {
    const jwt = await new SignJWT(right).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
    const asked: (string | undefined)[] = [];
    const { origin } = await serve((request, response) => {
      asked.push(request.url, request.headers.authorization);
      response.writeHead(status).end(JSON.stringify({ value: jwt }));
    });
    vi.stubEnv("ACTIONS_ID_TOKEN_REQUEST_URL", `${origin}/token?api-version=2`);
    vi.stubEnv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "needle-request");
    onTestFinished(() => void vi.unstubAllEnvs());
    const run = await explained([...token, "--audience", "vault"]);
    expect(asked).toEqual(["/token?api-version=2&audience=vault", "Bearer needle-request"]);
    expect(run.code).toBe(code);
    for (const secret of [jwt, "needle"]) expect(run.out + run.err).not.toContain(secret);
  });

  it("takes the address of the keys for no issuer that a token must name", async () => {
    const keysOnly = [create("jwt:Config", "jobs", { mount: "jobs", jwksUrl: `${ISSUER}/keys` }), ...steps.slice(1)];
    const { code, out } = await explained(token, { ...right, iss: "https://any.example.com" }, keysOnly);
    expect(out).not.toMatch(/boundIssuer|MISS/);
    expect(code).toBe(0);
  });

  it("says that a token comes from another network", async () => {
    const { code, out } = await explained(token.slice(0, -2), right);
    expect(out).toContain('MISS  tokenBoundCidrs: the token has 127.0.0.1, the role wants ["10.0.0.0/8"]');
    expect(code).toBe(2);
  });

  it("says who can have a policy", async () => {
    const { code, out } = await explained(["who", "--policy", "deploy"]);
    expect(out).toBe(
      `Role deploy of auth/jobs: Every token of ${ISSUER} from "10.0.0.0/8" whose aud is "vault", and whose project_path is like "acme/*", and whose /job/ref is like "main" or "release".\n`,
    );
    expect(code).toBe(0);
    expect(await explained(["who", "--policy", "admin"])).toMatchObject({
      code: 0,
      out: "Nobody gets policy admin from this stack.\n",
    });
  });

  it("says what a role gives", async () => {
    const { code, out } = await explained(["role", "deploy"]);
    expect(out).toContain("  policy deploy\n    secret/*: list, read\n");
    expect(code).toBe(0);
  });

  it.each([
    ["a role that is not there", ["role", "other"], undefined, "the stack has no role other."],
    [
      "a role of another mount",
      ["token", "--mount", "x", "--role", "deploy"],
      right,
      "the stack has no role deploy at auth/x.",
    ],
  ])("ends with 1 for %s", async (_, words, claims, message) => {
    expect(await explained(words, claims)).toMatchObject({ code: 1, err: `trustplane: ${message}\n` });
  });

  it("does not repeat what is no token", async () => {
    const folder = mkdtempSync(join(tmpdir(), "trustplane-explain-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "jwt"), "hvs.secret");
    const { code, err } = await explained([...token, "--token", join(folder, "jwt")]);
    expect(err).toBe("trustplane: this is no JWT: give the token as the issuer has made it.\n");
    expect(code).toBe(1);
  });
});
