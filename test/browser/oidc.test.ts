import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type EmbeddedServer, startEmbeddedServer } from "../../tools/demo/embedded-server.mts";
import { errorOf } from "../server/frame-harness.ts";
import { serve } from "../support/loopback-server.ts";
import { createOidcBench, type OidcBench } from "../support/oidc-bench.ts";
import { needsChromium, openChromium } from "./chromium.ts";

describe("a login in a browser, at what `trustplane serve --issuer` runs,", needsChromium(), () => {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-oidc-"));
  let server: EmbeddedServer;
  let bench: OidcBench;
  let browser: Browser;

  beforeAll(async () => {
    server = await startEmbeddedServer("oidc", { folder, mayBeKept: false, flags: ["--issuer"] });
    bench = createOidcBench(server.secrets, server);
    await bench.ask("POST sys/auth/people", { type: "oidc" });
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await bench.configure();
    await bench.role({
      allowed_redirect_uris: ["http://localhost/oidc/callback"],
      groups_claim: "groups",
      oidc_scopes: "groups",
    });
  });

  /** A page of its own, and what it has asked for and complained about. */
  async function openPage(): Promise<{ page: Page; requested: string[]; complaints: string[] }> {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const [requested, complaints]: [string[], string[]] = [[], []];
    page.on("request", (request) => requested.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    return { page, requested, complaints };
  }

  /** A program that waits for the browser, as the command line of Vault does. */
  async function waitingProgram() {
    const came = Promise.withResolvers<Record<string, string>>();
    const { origin } = await serve((request, response) => {
      const url = new URL(request.url ?? "", "http://localhost");
      if (url.pathname === "/oidc/callback") came.resolve(Object.fromEntries(url.searchParams));
      response
        .setHeader("content-type", "text/html")
        .end("<!doctype html><title>done</title><link rel=icon href=data:,>");
    });
    const redirect_uri = `http://localhost:${new URL(origin).port}/oidc/callback`;
    return { redirect_uri, answer: came.promise };
  }

  // @covers jwt: Endpoints > GET auth/{mount}/oidc/callback
  it("goes from its address over the authorize page to the program that waits, and gives a token that works", async () => {
    const { redirect_uri, answer } = await waitingProgram();
    const { page, requested, complaints } = await openPage();

    await page.goto(await bench.authUrl({ redirect_uri, client_nonce: "mine" }));
    expect(await page.title()).toBe("Log in · trustplane issuer");
    await page.getByRole("radio", { name: "bob", exact: true }).check();
    await page.getByRole("button", { name: "Log in" }).click();

    const { auth } = await bench.callback({ ...(await answer), client_nonce: "mine" });
    expect(auth).toMatchObject({ token_policies: ["default", "deploy"], metadata: { role: "engineer" } });
    const token = String(auth?.["client_token"]);
    const self = await bench.ask("GET auth/token/lookup-self", undefined, { token });
    expect(self.data).toMatchObject({ display_name: "people-bob", path: "auth/people/oidc/callback" });
    expect(new Set(requested.map((url) => new URL(url).hostname))).toEqual(new Set(["127.0.0.1", "localhost"]));
    expect(complaints).toEqual([]);
  });

  it("works by keyboard alone", async () => {
    const { redirect_uri, answer } = await waitingProgram();
    const { page } = await openPage();
    await page.goto(await bench.authUrl({ redirect_uri }));

    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");

    const { auth } = await bench.callback(await answer);
    const token = String(auth?.["client_token"]);
    expect((await bench.ask("GET auth/token/lookup-self", undefined, { token })).data).toMatchObject({
      display_name: "people-bob",
    });
  });

  it("says what is wrong with more claims, keeps what was typed, and is refused where a claim is wrong", async () => {
    await bench.role({ allowed_redirect_uris: ["http://localhost/oidc/callback"], bound_claims: { team: "blue" } });
    const { redirect_uri, answer } = await waitingProgram();
    const { page } = await openPage();
    await page.goto(await bench.authUrl({ redirect_uri }));
    await page.getByRole("radio", { name: "bob", exact: true }).check();
    await page.getByText("More claims, for this login only").click();
    await page.getByLabel("A JSON object").fill('{"team": <"red">}');
    await page.getByRole("button", { name: "Log in" }).click();

    expect(await page.getByRole("alert").textContent()).toBe("More claims must be a JSON object, or nothing.");
    expect(await page.getByRole("radio", { name: "bob", exact: true }).isChecked()).toBe(true);
    expect(await page.getByLabel("A JSON object").inputValue()).toBe('{"team": <"red">}');
    await page.getByLabel("A JSON object").fill('{"team": "red"}');
    await page.getByRole("button", { name: "Log in" }).click();

    const problem = 'error validating claims: claim "team" does not match any associated bound claim values';
    expect(errorOf(await bench.callback(await answer))).toEqual([400, problem]);
  });

  it("tells the program that the user has refused", async () => {
    const { redirect_uri, answer } = await waitingProgram();
    const { page } = await openPage();
    await page.goto(await bench.authUrl({ redirect_uri }));
    await page.getByRole("button", { name: "Refuse" }).click();
    expect(await answer).toMatchObject({ error: "access_denied" });
  });

  it.each([
    ["used twice", (answer: Record<string, string>) => bench.callback(answer)],
    ["older than ten minutes", () => bench.admin("POST clock", { advanceSeconds: 600 })],
  ])("is refused when its state is %s", async (_name, before) => {
    const { redirect_uri, answer } = await waitingProgram();
    const { page } = await openPage();
    await page.goto(await bench.authUrl({ redirect_uri }));
    await page.getByRole("button", { name: "Log in" }).click();
    await before(await answer);
    const problem = "Vault login failed. Expired or missing OAuth state.";
    expect(errorOf(await bench.callback(await answer))).toEqual([400, problem]);
  });

  describe("whose answer is posted", () => {
    const redirect_uri = () => `${server.secrets.address}/v1/auth/people/oidc/callback`;
    beforeEach(async () => {
      await bench.role({ allowed_redirect_uris: [redirect_uri()] });
    });
    const formPost = (types: string) =>
      bench.configure({ oidc_response_mode: "form_post", oidc_response_types: types });

    it.each(["code", "id_token"])(
      "as %s, is told to the window that has opened it, which completes the login",
      async (type) => {
        await formPost(type);
        await bench.admin("PUT issuer/client", { responseMode: "form_post" });
        const { page } = await openPage();
        await page.goto(`${server.secrets.address}/v1/sys/health`);
        const opened = page.waitForEvent("popup");
        // As Vault's web interface does: its window opens the provider's, and waits to be told.
        const url = JSON.stringify(await bench.authUrl({ redirect_uri: redirect_uri() }));
        const told = page.evaluate<Record<string, string>>(`new Promise((resolve) => {
        addEventListener("message", ({ data }) => resolve(data), { once: true });
        open(${url});
      })`);
        await (await opened).getByRole("button", { name: "Log in" }).click();

        const { source, path, code, state } = await told;
        expect({ source, path, code }).toEqual({ source: "oidc-callback", path: "people", code: "no_code" });
        expect((await bench.callback({ state: state ?? "", code: "no_code" })).auth).toMatchObject({
          policies: ["default", "deploy"],
        });
      },
    );

    it("can be completed by hand where no window waits for it", async () => {
      await formPost("id_token");
      const { page, complaints } = await openPage();
      await page.goto(await bench.authUrl({ redirect_uri: redirect_uri() }));
      await page.getByRole("button", { name: "Log in" }).click();
      await page.getByRole("link", { name: "Complete it here" }).click();
      const { auth } = JSON.parse((await page.locator("body").textContent()) ?? "");
      expect(auth).toMatchObject({ token_policies: ["default", "deploy"] });
      expect(complaints).toEqual([]);
    });
  });

  it("cannot be sent to another machine: the page says so, and shows what was asked for as text", async () => {
    const evil = "https://evil.example.com/<b>cb</b>";
    await bench.role({ allowed_redirect_uris: [evil] });
    const { page } = await openPage();
    await page.goto(await bench.authUrl({ redirect_uri: evil }));
    expect(await page.getByRole("alert").textContent()).toBe(
      `The redirect_uri "${evil}" is neither registered nor of this machine.`,
    );
    expect(await page.locator("b").count()).toBe(0);
  });
});
