import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ownTarget, storeToken } from "../../cli/commands/login/stored-token.ts";
import { serve } from "../support/loopback-server.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { startLogin } from "./login-harness.ts";

describe("the file of the token", () => {
  const fileIn = (folder: string) => join(folder, ".vault-token");

  it("is readable by its owner alone, whatever it was before, and nothing is left beside it", () => {
    const folder = folderOfTest();
    const file = fileIn(folder);
    storeToken(file, "hvs.first");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    storeToken(file, "hvs.second");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toBe("hvs.second");
    expect(readdirSync(folder)).toEqual([".vault-token"]);
  });

  it("may be a link of one's own, which stays a link", () => {
    const folder = folderOfTest();
    writeFileSync(join(folder, "kept"), "old");
    symlinkSync("kept", fileIn(folder));
    storeToken(fileIn(folder), "hvs.new");
    expect(lstatSync(fileIn(folder)).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "kept"), "utf8")).toBe("hvs.new");
  });

  it.each<[string, (folder: string) => void]>([
    ["a file", (folder) => writeFileSync(fileIn(folder), "theirs")],
    [
      "a link",
      (folder) => {
        writeFileSync(join(folder, "theirs"), "theirs");
        symlinkSync("theirs", fileIn(folder));
      },
    ],
  ])("is not written through %s of another user", (_name, make) => {
    const folder = folderOfTest();
    make(folder);
    const mine = process.getuid?.() ?? 0;
    const getuid = vi.spyOn(process, "getuid").mockReturnValue(mine + 1);
    onTestFinished(() => getuid.mockRestore());
    expect(() => storeToken(fileIn(folder), "hvs.mine")).toThrow(
      /\(it belongs to another user\)\. Correct that, or give --no-store/,
    );
    expect(readFileSync(fileIn(folder), "utf8")).toBe("theirs");
  });

  it.each<[string, (folder: string) => void, string]>([
    ["a folder", (folder) => mkdirSync(fileIn(folder)), "it is no file"],
    ["a link to a folder", (folder) => symlinkSync(".", fileIn(folder)), "it is no file"],
    ["a link that leads nowhere", (folder) => symlinkSync("nowhere", fileIn(folder)), "leads nowhere, ENOENT"],
  ])("cannot be %s", (_name, make, reason) => {
    const folder = folderOfTest();
    make(folder);
    expect(() => ownTarget(fileIn(folder))).toThrow(reason);
  });

  it("cannot be in a home that is no folder", () => {
    expect(() => ownTarget("/dev/null/.vault-token")).toThrow("ENOTDIR");
  });
});

describe("a login", () => {
  /** A server that logs anybody in, and what it was asked. */
  async function openServer() {
    const asked: string[] = [];
    const { origin } = await serve(async (incoming, response) => {
      const { pathname } = new URL(incoming.url ?? "", "http://server");
      asked.push(`${incoming.method} ${pathname} ${incoming.headers["x-vault-token"] ?? ""}`.trim());
      const { redirect_uri } = JSON.parse((await text(incoming)) || "{}");
      const auth_url = `https://idp.example.com/?${new URLSearchParams({ state: "st_ours", redirect_uri })}`;
      const auth = { client_token: "hvs.mine", lease_duration: 60, policies: ["default"] };
      response.end(JSON.stringify(pathname.endsWith("/auth_url") ? { data: { auth_url } } : { auth }));
    });
    return { origin, asked };
  }

  async function loggedIn(env: Readonly<Record<string, string>>, ...words: readonly string[]) {
    const login = startLogin(env, ...words);
    const redirect = await login.redirect();
    redirect.search = "state=st_ours&code=c";
    await fetch(redirect);
    return { code: await login.exitCode, err: login.err(), home: login.home };
  }

  it("is not begun where the token could not be stored", async () => {
    const { origin, asked } = await openServer();
    const login = startLogin({ VAULT_ADDR: origin, HOME: "/dev/null" });
    expect(await login.exitCode).toBe(1);
    expect(login.err()).toMatch(
      /^trustplane: not logged in: the token cannot be stored in \/dev\/null\/\.vault-token \(ENOTDIR\)/,
    );
    expect(asked).toEqual([]);
  });

  it("is not begun with an empty HOME, for the token would be in the current folder", async () => {
    const { origin, asked } = await openServer();
    const login = startLogin({ VAULT_ADDR: origin, HOME: "" });
    expect(await Promise.race([login.exitCode, login.url()])).toBe(1);
    expect(login.err()).toContain("HOME is not the path of a folder");
    expect(asked).toEqual([]);
  });

  it("gives the token back that it cannot store any more", async () => {
    const { origin, asked } = await openServer();
    const login = startLogin({ VAULT_ADDR: origin });
    const redirect = await login.redirect();
    rmSync(login.home, { recursive: true });
    redirect.search = "state=st_ours&code=c";
    const page = await fetch(redirect);
    expect(await login.exitCode).toBe(1);
    expect(await page.text()).toContain("Not logged in");
    expect(login.err()).toMatch(/cannot be stored in \S+ \(ENOENT\)/);
    expect(asked.at(-1)).toBe("POST /v1/auth/token/revoke-self hvs.mine");
  });

  it.each<[string, (origin: string) => Record<string, string>, RegExp]>([
    ["VAULT_TOKEN", () => ({ VAULT_TOKEN: "another" }), /use the token of VAULT_TOKEN instead: unset it/],
    [
      "VAULT_TOKEN_FILE",
      () => ({ VAULT_TOKEN_FILE: "/t" }),
      /use the token of \/t, which VAULT_TOKEN_FILE names, instead/,
    ],
    ["TRUSTPLANE_LOGIN_ROLE", () => ({ TRUSTPLANE_LOGIN_ROLE: "ci" }), /TRUSTPLANE_LOGIN_ROLE is set.*unset it/],
    [
      "another VAULT_ADDR",
      () => ({ VAULT_ADDR: "http://127.0.0.1:9" }),
      /send this token to http:\/\/127\.0\.0\.1:9: set VAULT_ADDR to http/,
    ],
    ["another BAO_ADDR", () => ({ BAO_ADDR: "http://127.0.0.1:9" }), /127\.0\.0\.1:9: set BAO_ADDR to http/],
    ["another namespace", () => ({ VAULT_NAMESPACE: "team" }), /use the namespace team: set VAULT_NAMESPACE to "ours"/],
    ["nothing", (VAULT_ADDR) => ({ VAULT_ADDR }), /is in \S+\.vault-token\.\n$/],
  ])("says what keeps later commands from using the token: %s", async (_name, env, message) => {
    const { origin, asked } = await openServer();
    const own = "VAULT_NAMESPACE" in env(origin) ? ["--namespace", "ours"] : [];
    const { code, err } = await loggedIn({ VAULT_ADDR: origin, ...env(origin) }, "--address", origin, ...own);
    expect(code).toBe(0);
    expect(err).toMatch(message);
    // Neither is sent along.
    expect(asked.join()).not.toContain("another");
  });

  it("happens in the namespace of the environment, or the one that is given", async () => {
    const seen: unknown[] = [];
    const { origin } = await serve((incoming, response) => {
      seen.push(incoming.headers["x-vault-namespace"]);
      response.writeHead(404).end('{"errors":["no handler for route"]}');
    });
    const env = { VAULT_ADDR: origin, VAULT_NAMESPACE: "team/a" };
    await startLogin(env).exitCode;
    const login = startLogin(env, "--namespace", "team/b");
    await login.exitCode;
    expect(seen).toEqual(["team/a", "team/b"]);
    expect(login.err()).toMatch(/Is there an OIDC auth method at auth\/oidc in the namespace team\/b\?/);
  });

  it.each([
    [
      "a server that is not there",
      { VAULT_ADDR: "http://127.0.0.1:9", VAULT_MAX_RETRIES: "0" },
      /the connection was refused.*`trustplane doctor` says why/,
    ],
    [
      "no address at all",
      { VAULT_MAX_RETRIES: "0" },
      /No address is set, so this is the default: set VAULT_ADDR, or give --address/,
    ],
    [
      "an address that is none",
      { VAULT_ADDR: "ftp://x" },
      /the address of connection "secrets" must be an http or https URL/,
    ],
  ])("explains %s", async (_name, env, message) => {
    const login = startLogin(env);
    expect(await login.exitCode).toBe(1);
    expect(login.err()).toMatch(message);
    expect(login.err().split("\n")).toHaveLength(2);
  });

  it.each([
    ["--address", ""],
    ["--port", "http"],
    ["--mount", "../sys"],
    ["--callback-host", "http://x"],
    ["--callback-method", "ftp"],
    ["--timeout", "0"],
    ["--timeout", "soon"],
  ])("does not begin with %s %s", async (flag, value) => {
    expect(await startLogin({}, flag, value).exitCode).toBe(1);
  });
});
