import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { type Engine, inputsOf } from "../../provider/engine/engine.ts";
import { identityGroup } from "../../provider/resources/identity/group.ts";
import { needsChromium, openChromium } from "../browser/chromium.ts";
import { engineWithLog } from "./contract-host-engine.ts";
import { serve } from "./loopback-server.ts";
import type { OidcBench } from "./oidc-bench.ts";

export interface GroupBench extends OidcBench {
  readonly secrets: { readonly address: string; readonly token: string };
}

const group: Definition = identityGroup;
const policy = "engineers-only";
const protectedPath = `sys/policies/acl/${policy}`;

/**
 * A group that the provider has made, and persons who log in with a real browser: the issuer says that alice is in
 * `engineering` and bob is not. Told of the embedded server and of a real one.
 */
export function describeGroupLogins(open: () => Promise<GroupBench>): void {
  describe("persons who log in in a browser", needsChromium(), () => {
    let bench: GroupBench;
    let browser: Browser;
    let engine: Engine;
    beforeAll(async () => {
      bench = await open();
      browser = await openChromium();
      const { address, token } = bench.secrets;
      process.env["TRUSTPLANE_GROUP_LOGIN"] = token;
      engine = engineWithLog({ secrets: JSON.stringify({ address, tokenEnv: "TRUSTPLANE_GROUP_LOGIN" }) }, []);
      await bench.ask(`POST ${protectedPath}`, { policy: `path "${protectedPath}" { capabilities = ["read"] }` });
      await mount();
    });
    afterAll(async () => {
      delete process.env["TRUSTPLANE_GROUP_LOGIN"];
      await browser?.close();
    });

    async function mount(): Promise<void> {
      await bench.ask("POST sys/auth/people", { type: "oidc" });
      await bench.configure();
      await bench.role({
        allowed_redirect_uris: ["http://localhost/oidc/callback"],
        groups_claim: "groups",
        oidc_scopes: "groups",
      });
    }

    /** The token of a person who logs in, with the policies that come from groups. */
    async function logIn(person: "alice" | "bob") {
      const came = Promise.withResolvers<Record<string, string>>();
      const { origin } = await serve((request, response) => {
        const url = new URL(request.url ?? "", "http://localhost");
        if (url.pathname === "/oidc/callback") came.resolve(Object.fromEntries(url.searchParams));
        response.setHeader("content-type", "text/html").end("<!doctype html><title>done</title>");
      });
      const page = await browser.newPage();
      onTestFinished(() => page.close());
      const redirect_uri = `http://localhost:${new URL(origin).port}/oidc/callback`;
      await page.goto(await bench.authUrl({ redirect_uri }));
      await page.getByRole("radio", { name: person, exact: true }).check();
      await page.getByRole("button", { name: "Log in" }).click();
      const { auth } = await bench.callback(await came.promise);
      const { client_token: token, identity_policies: ofGroups = [] } = Object(auth);
      return { token: String(token), ofGroups };
    }

    const reads = async (token: string) => (await bench.ask(`GET ${protectedPath}`, undefined, { token })).status;
    const inputs: Values = {
      name: "Engineers",
      type: "external",
      policies: [policy],
      alias: { mount: "people", name: "engineering" },
    };

    it("have the policy of the group that the provider has made, as long as it is there, and others have not", async () => {
      const before = await logIn("alice");
      expect([before.ofGroups, await reads(before.token)]).toEqual([[], 403]);

      const { id, state } = await engine.create(group, (await engine.check(group, inputs)).inputs);
      const [alice, bob] = [await logIn("alice"), await logIn("bob")];
      expect([alice.ofGroups, await reads(alice.token)]).toEqual([[policy], 200]);
      expect([bob.ofGroups, await reads(bob.token)]).toEqual([[], 403]);
      // Who is in it is no difference of the program.
      const read = await engine.read(group, id, state);
      expect(read && inputsOf(group, read.state)).toEqual(inputsOf(group, state));

      engine.startRun();
      await engine.delete(group, id, state);
      expect(await reads(alice.token)).toBe(403);
    });

    it("have it again once the provider has repaired the alias of a mount that was made anew", async () => {
      engine.startRun();
      const checked = (await engine.check(group, inputs)).inputs;
      const { id, state } = await engine.create(group, checked);
      await bench.ask("DELETE sys/auth/people");
      await mount();
      const stranger = await logIn("alice");
      expect([stranger.ofGroups, await reads(stranger.token)]).toEqual([[], 403]);

      const drifted = (await engine.read(group, id, state))?.state ?? {};
      expect((await engine.diff(group, drifted, checked)).changed).toEqual(["alias"]);
      engine.startRun();
      const repaired = await engine.update(group, id, drifted, checked);
      expect((await engine.diff(group, repaired.state, checked)).changed).toEqual([]);
      const alice = await logIn("alice");
      expect([alice.ofGroups, await reads(alice.token)]).toEqual([[policy], 200]);
      engine.startRun();
      await engine.delete(group, id, repaired.state);
    });
  });
}
