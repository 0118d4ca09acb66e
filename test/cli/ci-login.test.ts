import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { SignJWT } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { startServers } from "../../server/serve.ts";
import { repository } from "../../tools/steps/repository.mjs";
import { rawApi } from "../support/contract-raw.ts";
import { serve } from "../support/loopback-server.ts";
import { runScript } from "./ci-action.ts";

const TOKEN = "hvs.needle-1";
const ID_TOKEN = "id-token-needle";
const scriptAt = (name: string) => join(repository, "ci-templates", name);

/** A home, a place for temporary files and one for the job's token, as a runner has them. */
const openJob = () => {
  const home = mkdtempSync(join(tmpdir(), "trustplane-login-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const folder = join(home, "login");
  writeFileSync(join(home, ".vault-token"), "of-the-user");
  mkdirSync(join(home, "tmp"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TMPDIR: join(home, "tmp"),
    TRUSTPLANE_LOGIN_ROLE: "review",
    TRUSTPLANE_LOGIN_FOLDER: folder,
    TRUSTPLANE_ID_TOKEN: ID_TOKEN,
  };
  const run = (name: string, more: Readonly<Record<string, string>>) =>
    runScript(`bash ${scriptAt(name)}`, { cwd: home, env: { ...env, ...more } });
  /** Nothing is left of the login, and the user's own token is as it was. */
  const isUntouched = () => {
    expect(readdirSync(home).sort()).toEqual([".vault-token", "tmp"]);
    expect(readdirSync(join(home, "tmp"))).toEqual([]);
    expect(readFileSync(join(home, ".vault-token"), "utf8")).toBe("of-the-user");
  };
  return { home, folder, env, run, isUntouched };
};

/** What a job's log shows: GitHub takes the lines that mask, and masks. */
const logOf = (out: string) => {
  const masked = [...out.matchAll(/^::add-mask::(.*)$/gm)].map(([, secret = ""]) => secret);
  const rest = out.replace(/^::add-mask::.*\n/gm, "");
  return masked.reduce((log, secret) => log.replaceAll(secret, "***"), rest);
};

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
    const job = openJob();
    const statusOf = async (token: string) => {
      const headers = { "x-vault-token": token };
      return (await fetch(`${server.secrets.address}/v1/auth/token/lookup-self`, { headers })).status;
    };
    const env = { VAULT_ADDR: server.secrets.address, TRUSTPLANE_ID_TOKEN: "" };
    return {
      ...job,
      address: server.secrets.address,
      idToken,
      statusOf,
      run: (name: string, more = {}) => job.run(name, { ...env, ...more }),
    };
  };

  it("on GitHub asks for an OIDC token for the server, masks both tokens, and leaves the server's for the job alone", async () => {
    const { folder, address, idToken, statusOf, run, isUntouched } = await opened();
    const sent: string[] = [];
    const forge = await serve(async (request, response) => {
      const audience = new URL(request.url ?? "", "http://forge").searchParams.get("audience") ?? "";
      const isAllowed = request.headers.authorization === "Bearer request-token";
      sent.push(await idToken(audience));
      response.writeHead(isAllowed ? 200 : 401).end(JSON.stringify({ value: sent[0] }));
    });
    const env = {
      GITHUB_ACTIONS: "true",
      ACTIONS_ID_TOKEN_REQUEST_URL: `${forge.origin}/token?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "request-token",
    };

    const { code, out } = await run("login.sh", env);

    const token = readFileSync(join(folder, "token"), "utf8").trim();
    expect([code, await statusOf(token)]).toEqual([0, 200]);
    expect(out).toBe(`::add-mask::${sent[0]}\n::add-mask::${token}\nLogged in as review.\n`);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, "token")).mode & 0o777]).toEqual([0o700, 0o600]);

    expect(await run("logout.sh")).toEqual({ code: 0, out: "Logged out.\n" });

    expect(await statusOf(token)).toBe(403);
    expect(address).toContain("127.0.0.1");
    isUntouched();
  });

  it("on GitLab takes the token of the job", async () => {
    const { folder, address, idToken, statusOf, run } = await opened();
    const { code, out } = await run("login.sh", { TRUSTPLANE_ID_TOKEN: await idToken(address) });
    expect({ code, out }).toEqual({ code: 0, out: "Logged in as review.\n" });
    expect(await statusOf(readFileSync(join(folder, "token"), "utf8").trim())).toBe(200);
  });

  it("that is refused ends the job and leaves no token", async () => {
    const { idToken, run, isUntouched } = await opened();
    const token = await idToken("https://another.example");
    const { code, out } = await run("login.sh", { TRUSTPLANE_ID_TOKEN: token });
    expect(code).not.toBe(0);
    expect(out).toMatch(/answered no token for the role review/);
    expect(out).not.toContain(token);
    isUntouched();
  });

  it("without the permission for tokens says which, and that a fork has none", async () => {
    const { run } = await opened();
    const { out } = await run("login.sh");
    expect(out).toMatch(/id-token: write.*fork/);
  });
});

/** A Vault that answers a login in a way of its own, and counts what it is asked to revoke. */
const openVault = async (login: RequestListener, revokeStatus = 204) => {
  const revoked: unknown[] = [];
  const { origin } = await serve((request, response) => {
    request.resume();
    if (!request.url?.endsWith("/revoke-self")) return login(request, response);
    revoked.push(request.headers["x-vault-token"]);
    response.writeHead(revokeStatus).end();
  });
  return { revoked, env: { VAULT_ADDR: origin } };
};
const answering =
  (body: string, { status = 200, missing = 0 } = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { "content-length": Buffer.byteLength(body) + missing });
    response.write(body, () => (missing > 0 ? response.destroy() : response.end()));
  };
const whole = JSON.stringify({ auth: { client_token: TOKEN, accessor: "a" } });

describe("a login that the server does not answer well", () => {
  it.each([
    ["is cut behind the token", answering(whole.slice(0, -15), { missing: 15 }), [TOKEN]],
    ["is cut behind all of it", answering(whole, { missing: 15 }), [TOKEN]],
    ["is cut inside the token", answering(whole.slice(0, 30), { missing: 99 }), []],
    ["is half a document", answering(whole.slice(0, -15)), [TOKEN]],
    ["has no token", answering('{"auth":{}}'), []],
    ["has no login", answering('{"auth":null,"data":{"x":"needle"}}'), []],
    ["is null", answering("null"), []],
    ["is empty", answering(""), []],
    ["is a page", answering("<html>needle</html>"), []],
    ["has a token of two lines", answering(JSON.stringify({ auth: { client_token: "hvs.needle\nX-Other: 1" } })), []],
    ["has a token that is none", answering(JSON.stringify({ auth: { client_token: { needle: 1 } } })), []],
    ["is a refusal", answering('{"errors":["needle"]}', { status: 403 }), []],
    ["is an error", answering(whole, { status: 502 }), []],
  ])("as it %s: fails, shows no token, leaves no file, and revokes what it has got", async (_what, login, expected) => {
    const { run, isUntouched } = openJob();
    const { env, revoked } = await openVault(login);

    const { code, out } = await run("login.sh", { ...env, GITHUB_ACTIONS: "true" });

    expect(code).toBe(1);
    expect(out).toMatch(/answered no token for the role review/);
    expect(out).not.toContain("needle");
    expect(revoked).toEqual(expected);
    isUntouched();
  });

  it("as it ends the token with a line: takes it without", async () => {
    const { run, folder, isUntouched } = openJob();
    const { env, revoked } = await openVault(answering(JSON.stringify({ auth: { client_token: `${TOKEN}\n` } })));
    const { code, out } = await run("login.sh", { ...env, GITHUB_ACTIONS: "true" });
    expect([code, readFileSync(join(folder, "token"), "utf8")]).toEqual([0, `${TOKEN}\n`]);
    expect(logOf(out)).toBe("Logged in as review.\n");
    await run("logout.sh", env);
    expect(revoked).toEqual([TOKEN]);
    isUntouched();
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "and that ends by %s while the server answers: revokes what it still gets",
    async (signal) => {
      const { env: jobEnv, home, isUntouched } = openJob();
      const asked = Promise.withResolvers<void>();
      const told = Promise.withResolvers<void>();
      const { env, revoked } = await openVault(async (_request, response) => {
        asked.resolve();
        await told.promise;
        response.end(whole);
      });
      const child = spawn("bash", [scriptAt("login.sh")], { cwd: home, env: { ...jobEnv, ...env } });
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      const out = Promise.all([text(child.stdout), text(child.stderr)]);

      await asked.promise;
      child.kill(signal);
      told.resolve();

      expect(await ended).toBe(signal === "SIGTERM" ? 143 : 130);
      expect((await out).join("")).not.toContain("needle");
      expect(revoked).toEqual([TOKEN]);
      isUntouched();
    },
  );

  it.each([
    ["broken JSON", '{"value":"needle'],
    ["no token", '{"value":{"needle":1}}'],
  ])("(the forge's, for the OIDC token: %s) shows nothing of it", async (_what, body) => {
    const { run, isUntouched } = openJob();
    const forge = await serve(answering(body));
    const { code, out } = await run("login.sh", {
      VAULT_ADDR: forge.origin,
      TRUSTPLANE_ID_TOKEN: "",
      ACTIONS_ID_TOKEN_REQUEST_URL: `${forge.origin}/?a=b`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "request-needle",
    });
    expect([code, out]).toEqual([1, "login: the forge gave no OIDC token.\n"]);
    isUntouched();
  });
});

describe("the folder of a login", () => {
  it.each([
    ["is there already", (folder: string) => mkdirSync(folder)],
    ["is a link to somewhere else", (folder: string) => symlinkSync(tmpdir(), folder)],
  ])("that %s is not written to, and nobody is asked", async (_what, make) => {
    const { run, folder } = openJob();
    const { env } = await openVault(() => {
      throw new Error("asked");
    });
    make(folder);
    expect(await run("login.sh", env)).toMatchObject({ code: 1, out: expect.stringMatching(/has to be a new one/) });
    expect(existsSync(join(folder, "token"))).toBe(false);
  });

  it("that is a link is left alone by the logout, and so is what it leads to", async () => {
    const { run, folder, home } = openJob();
    const { env, revoked } = await openVault(answering(whole));
    mkdirSync(join(home, "theirs"));
    writeFileSync(join(home, "theirs", "token"), "of-somebody");
    symlinkSync(join(home, "theirs"), folder);
    expect(await run("logout.sh", env)).toEqual({ code: 0, out: "" });
    expect([revoked, existsSync(join(home, "theirs", "token"))]).toEqual([[], true]);
  });
});

it.each([403, 307])("a token that the server does not revoke (%i) is removed, and the log says so", async (status) => {
  const { run, isUntouched } = openJob();
  const { env } = await openVault(answering(whole), status);
  await run("login.sh", env);
  const { code, out } = await run("logout.sh", env);
  expect(code).toBe(0);
  expect(out).toContain(`could not be revoked (HTTP status ${status})`);
  expect(out).not.toContain("needle");
  isUntouched();
});
