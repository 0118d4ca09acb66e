import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DoctorReport } from "../../cli/commands/doctor/report.ts";
import { run } from "../cli/drift-harness.ts";
import { startLogin } from "../cli/login-harness.ts";
import { answeredBy, cliRedirect, type LoginForm, type OidcBench } from "./oidc-bench.ts";

/** `trustplane login`, at the embedded server and at a real one. `address` is the server's. */
export function describeLoginCommand(open: () => Promise<OidcBench & { readonly address: string }>): void {
  let bench: OidcBench & { readonly address: string };
  beforeAll(async () => {
    bench = await open();
    await bench.ask("POST sys/auth/people", { type: "oidc" });
    await bench.ask("POST sys/auth/empty", { type: "oidc" });
    await bench.ask("POST sys/auth/names", { type: "userpass" });
  });
  beforeEach(async () => {
    await bench.configure();
    await bench.role();
  });

  const start = (...words: readonly string[]) =>
    startLogin({ VAULT_ADDR: bench.address }, "--mount", "people", "--role", "engineer", ...words);

  /** The browser, without one: the provider's answer is brought to where the program waits. */
  async function bring(login: ReturnType<typeof start>, form: LoginForm = {}) {
    const answer = await answeredBy(await login.url(), form);
    const redirect = await login.redirect();
    redirect.search = String(new URLSearchParams(answer));
    const page = await fetch(redirect);
    return { answer, page, text: await page.text() };
  }

  describe("a login that succeeds", () => {
    it("stores a token that works, says whose it is, and shows it nowhere", async () => {
      const login = start();
      const { page, text, answer } = await bring(login);
      expect(await login.exitCode).toBe(0);
      const file = join(login.home, ".vault-token");
      const token = readFileSync(file, "utf8");
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const self = await bench.ask("GET auth/token/lookup-self", undefined, { token });
      expect(self.data).toMatchObject({ display_name: "people-alice", policies: ["default", "deploy"] });
      expect(login.err()).toMatch(
        /\nLogged in at http:\/\/127\.0\.0\.1:\d+ as people-alice; policies default, deploy; for 768h; renewable\. The token is in /,
      );
      expect([page.status, text]).toEqual([200, expect.stringContaining("<h1>Logged in</h1>")]);
      expect(login.out()).toBe("");
      for (const shown of [login.err(), text]) {
        expect(shown).not.toContain(token);
        expect(shown).not.toContain(answer["code"]);
      }
    });

    it("is found by the next command", async () => {
      const login = start();
      await bring(login);
      await login.exitCode;
      const { out } = await run(["doctor", "--json"], { VAULT_ADDR: bench.address, HOME: login.home });
      const report: DoctorReport = JSON.parse(out);
      const token = report.connections[0]?.checks.find(({ check }) => check === "token");
      const finding = `from ${login.home}/.vault-token; policies default, deploy; `;
      expect(token).toMatchObject({ status: "ok", finding: expect.stringContaining(finding) });
    });

    it.each([
      ["--token-only", /^Log in in your browser, at this address:\n\nhttp\S+\n\n$/],
      ["--no-store", /\n\nLogged in at \S+ as people-alice; policies default, deploy; for 768h; renewable\.\n$/],
    ])("prints the token and stores nothing with %s", async (flag, said) => {
      const login = start(flag);
      await bring(login);
      expect(await login.exitCode).toBe(0);
      const [token = "", ...rest] = login.out().split("\n");
      expect(rest).toEqual([""]);
      expect((await bench.ask("GET auth/token/lookup-self", undefined, { token })).status).toBe(200);
      expect(login.err()).toMatch(said);
      expect(statSync(join(login.home, ".vault-token"), { throwIfNoEntry: false })).toBeUndefined();
    });

    it("does not use up a token that works once to ask for its name", async () => {
      await bench.role({ token_num_uses: 1 });
      const login = start("--token-only");
      await bring(login);
      const token = login.out().trim();
      expect((await bench.ask("GET auth/token/lookup-self", undefined, { token })).data).toMatchObject({
        display_name: "people-alice",
      });
    });
  });

  describe("a login that fails says what to do", () => {
    it.each([
      ["no role", ["--role", ""], /missing role.*Give --role, or set default_role of auth\/people\/config\./],
      ["another role", ["--role", "nobody"], /role "nobody" could not be found.*Correct --role\./],
      [
        "a redirect that the role does not allow",
        ["--callback-host", "laptop.example.com"],
        /the role "engineer" lacks http:\/\/laptop\.example\.com:\d+\/oidc\/callback in allowed_redirect_uris/,
      ],
      ["a mount that is missing", ["--mount", "nowhere"], /Is there an OIDC auth method at auth\/nowhere\?.*--mount/],
      ["a mount of another type", ["--mount", "names"], /Is there an OIDC auth method at auth\/names\?.*--mount/],
      [
        "a mount without configuration",
        ["--mount", "empty"],
        /could not load configuration.*Set oidc_discovery_url and oidc_client_id of auth\/empty\/config/,
      ],
    ])("about %s", async (_name, words, message) => {
      const login = start(...words);
      expect(await login.exitCode).toBe(1);
      expect(login.err()).toMatch(/^trustplane: not logged in: .*\n$/);
      expect(login.err()).toMatch(message);
    });

    it("about a provider that posts its answer to the server", async () => {
      await bench.configure({ oidc_response_mode: "form_post", oidc_response_types: "id_token" });
      const login = start();
      expect(await login.exitCode).toBe(1);
      expect(login.err()).toMatch(/oidc_response_mode of auth\/people\/config is form_post.*set it to query/);
    });

    it("about somebody who refuses at the provider, and stores nothing", async () => {
      const login = start();
      const { text } = await bring(login, { action: "refuse" });
      expect(await login.exitCode).toBe(1);
      expect(text).toContain("<h1>Not logged in</h1>");
      expect(login.err()).toMatch(/not logged in: the identity provider refused the login: access_denied/);
      expect(statSync(join(login.home, ".vault-token"), { throwIfNoEntry: false })).toBeUndefined();
    });

    it("about claims that the role does not accept", async () => {
      await bench.role({ allowed_redirect_uris: [cliRedirect], bound_claims: { team: "blue" } });
      const login = start();
      const { text } = await bring(login, { claims: '{"team": "red"}' });
      expect(await login.exitCode).toBe(1);
      expect(text).toContain("<h1>Not logged in</h1>");
      expect(login.err()).toMatch(/claim "team" does not match any associated bound claim values/);
    });
  });
}
