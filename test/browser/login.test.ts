import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type EmbeddedServer, startEmbeddedServer } from "../../tools/demo/embedded-server.mts";
import { repository } from "../../tools/steps/repository.mjs";
import { createOidcBench, type OidcBench } from "../support/oidc-bench.ts";
import { needsChromium, openChromium } from "./chromium.ts";

const command = join(repository, "dist", "cli", "trustplane.js");

describe("`trustplane login`, with a person at a browser,", needsChromium(), () => {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-login-"));
  const [home, programs, opened] = ["home", "bin", "opened"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  let server: EmbeddedServer;
  let bench: OidcBench;
  let browser: Browser;

  beforeAll(async () => {
    mkdirSync(home);
    mkdirSync(programs);
    // What the system has for this, as far as the command can tell.
    setOpener(`printf %s "$*" > ${opened}`);
    server = await startEmbeddedServer("login", { folder, mayBeKept: false, flags: ["--issuer"] });
    bench = createOidcBench(server.secrets, server);
    await bench.ask("POST sys/auth/people", { type: "oidc" });
    await bench.configure({ default_role: "engineer" });
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await bench.role();
    rmSync(opened, { force: true });
  });

  /** What opens addresses on Linux and on macOS. */
  function setOpener(line: string): void {
    for (const name of ["xdg-open", "open"])
      writeFileSync(join(programs, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  }

  /** The command, in a process of its own, and all that it prints. */
  function start(...words: readonly string[]) {
    const { PATH = "" } = process.env;
    const env = { PATH: [programs, PATH].join(delimiter), HOME: home, VAULT_ADDR: server.secrets.address };
    const child: ChildProcess = spawn(
      process.execPath,
      [command, "login", "--mount", "people", "--port", "0", ...words],
      {
        env,
      },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    let [out, err] = ["", ""];
    child.stdout?.on("data", (chunk) => {
      out += String(chunk);
    });
    child.stderr?.on("data", (chunk) => {
      err += String(chunk);
    });
    return { child, ended: once(child, "close"), out: () => out, err: () => err };
  }

  const openedAddress = () =>
    vi.waitFor(() => {
      const address = readFileSync(opened, "utf8");
      expect(address).not.toBe("");
      return address;
    }, 10_000);

  async function openPage(): Promise<{ page: Page; requested: string[]; complaints: string[] }> {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const [requested, complaints]: [string[], string[]] = [[], []];
    page.on("request", (request) => requested.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    return { page, requested, complaints };
  }

  it("opens the browser, which comes back to it, and ends with a token that works", async () => {
    const login = start();
    const { page, requested, complaints } = await openPage();
    await page.goto(await openedAddress());
    await page.getByRole("radio", { name: "bob", exact: true }).check();
    await page.getByRole("button", { name: "Log in" }).click();

    await page.getByRole("heading", { name: "Logged in" }).waitFor();
    expect(await page.getByRole("main").textContent()).toContain("You can close this window");
    expect(await login.ended).toEqual([0, null]);
    expect(login.err()).toMatch(/\nLogged in at \S+ as people-bob; policies default, deploy; for 768h; renewable\./);
    expect(login.out()).toBe("");
    const file = join(home, ".vault-token");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const self = await bench.ask("GET auth/token/lookup-self", undefined, { token: readFileSync(file, "utf8") });
    expect(self.data).toMatchObject({ display_name: "people-bob", path: "auth/people/oidc/callback" });
    expect(new Set(requested.map((url) => new URL(url).hostname))).toEqual(new Set(["127.0.0.1", "localhost"]));
    expect(complaints).toEqual([]);
  });

  it("says in both places that the person has refused", async () => {
    const login = start("--token-only");
    const { page } = await openPage();
    await page.goto(await openedAddress());
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByRole("heading", { name: "Not logged in" }).waitFor();
    expect(await login.ended).toEqual([1, null]);
    expect(login.err()).toContain("the identity provider refused the login: access_denied");
    expect(login.out()).toBe("");
  });

  it("has ended when the person comes back too late", async () => {
    const login = start("--timeout", "3s");
    const { page } = await openPage();
    await page.goto(await openedAddress());
    expect(await login.ended).toEqual([1, null]);
    await expect(page.getByRole("button", { name: "Log in" }).click()).resolves.toBeUndefined();
    await page.waitForURL(/^chrome-error:/);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends with %s", async (signal) => {
    const login = start("--skip-browser");
    await vi.waitFor(() => expect(login.err()).toContain("http"), 10_000);
    login.child.kill(signal);
    expect(await login.ended).toEqual([1, null]);
    expect(login.err()).toMatch(/trustplane: not logged in: it was interrupted\.\n$/);
    expect(statSync(opened, { throwIfNoEntry: false })).toBeUndefined();
  });

  it("says so where no browser can be opened, and goes on", async () => {
    setOpener("exit 3");
    const login = start();
    await vi.waitFor(() => expect(login.err()).toContain("open could not open a browser"), 10_000);
    const { page } = await openPage();
    await page.goto(/^http\S+$/m.exec(login.err())?.[0] ?? "");
    await page.getByRole("button", { name: "Log in" }).click();
    expect(await login.ended).toEqual([0, null]);
  });
});
