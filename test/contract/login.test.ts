// @run test: it waits for clocks
// @servers embedded vault

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Definition } from "../../provider/core/definition.ts";
import type { Engine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames, hosts } from "../support/contract-host.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { isProbe, lineOf } from "../support/contract-traffic.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import { jobToken, loggingIn, openEngine, openLogins, setVariable, tokenCount } from "../support/jwt-logins.ts";

closeServersAfterwards();

const roleDefinition: Definition = definitions.jwtRole;
const role = (mount: string, name: string) => ({ mount, name, roleType: "jwt", userClaim: "sub", boundSubject: name });

interface Surroundings {
  readonly world: World;
  readonly mount: string;
  readonly engine: Engine;
  readonly lines: string[];
  /** How often this path was asked. */
  count(end: string): number;
}

/** An engine whose connection logs in with the token of a job. */
async function openLoggedIn(options: { role?: object; claims?: object; login?: object } = {}): Promise<Surroundings> {
  const world = await openWorld();
  const mount = await openLogins(world, { ...options.role });
  const jwtEnv = setVariable(`JOB_${mount}`, await jobToken({ ...options.claims }));
  const config = loggingIn(world, { method: "jwt", mount, role: "ci", jwtEnv, ...options.login });
  const { engine, lines } = openEngine(config);
  const count = (end: string) => world.traffic.seen().filter(({ url }) => url.endsWith(end)).length;
  return { world, mount, engine, lines, count };
}

describe.runIf(servicesUnderTest.includes("secrets"))("a connection that logs in with a JWT", () => {
  it("logs in once for everything at once, and leaves no token behind", async () => {
    const { world, engine, mount, count } = await openLoggedIn();
    const before = await tokenCount(world);
    const names = Array.from({ length: 12 }, (_, at) => `app-${at}`);
    await Promise.all(names.map((name) => engine.create(roleDefinition, role(mount, name))));
    expect(count(`/auth/${mount}/login`)).toBe(1);
    expect(await tokenCount(world)).toBe(before + 1);
    await engine.end();
    expect(count("/auth/token/revoke-self")).toBe(1);
    expect(await tokenCount(world)).toBe(before);
  });

  it("logs in again in the next run of the same process", async () => {
    const { engine, mount, count } = await openLoggedIn();
    await engine.create(roleDefinition, role(mount, "first"));
    await engine.end();
    await engine.create(roleDefinition, role(mount, "second"));
    await engine.end();
    expect(count(`/auth/${mount}/login`)).toBe(2);
    expect(count("/auth/token/revoke-self")).toBe(2);
  });

  it("renews a token while the run is longer than its lease, up to its longest time, and then logs in again", async () => {
    const { world, engine, mount, count } = await openLoggedIn({ role: { token_ttl: "2s", token_max_ttl: "4s" } });
    const before = await tokenCount(world);
    for (let at = 0; at < 14; at++) {
      await engine.create(roleDefinition, role(mount, `app-${at}`));
      await sleep(400);
    }
    expect(count("/auth/token/renew-self")).toBeGreaterThan(0);
    expect(count(`/auth/${mount}/login`)).toBeGreaterThan(1);
    await engine.end();
    expect(await tokenCount(world)).toBe(before);
  });

  it("logs in again where the server does not know the token any more, without an error", async () => {
    const { engine, mount, count } = await openLoggedIn({ role: { token_num_uses: 3 } });
    for (const name of ["a", "b", "c"]) await engine.create(roleDefinition, role(mount, name));
    expect(count(`/auth/${mount}/login`)).toBeGreaterThan(1);
    await engine.end();
  });

  it("neither renews nor revokes a batch token", async () => {
    const { engine, mount, count, lines } = await openLoggedIn({ role: { token_type: "batch", token_ttl: "1s" } });
    await engine.create(roleDefinition, role(mount, "a"));
    await sleep(1000);
    await engine.create(roleDefinition, role(mount, "b"));
    await engine.end();
    expect(count(`/auth/${mount}/login`)).toBeGreaterThan(1);
    expect(count("-self")).toBe(0);
    expect(lines.filter((line) => line.startsWith("warning"))).toEqual([]);
  });

  it("says what the JWT says where the server refuses it, and asks once for all", async () => {
    const { engine, mount, count } = await openLoggedIn({ claims: { aud: "somebody-else" } });
    const all = ["a", "b", "c"].map((name) => engine.create(roleDefinition, role(mount, name)));
    const failures = (await Promise.allSettled(all)).map((one) =>
      one.status === "rejected" ? one.reason.message : "",
    );
    expect(failures[0]).toMatch(
      /^creating jwt.Role "a": the login of connection "secrets" by jwt: 400 error validating token: .*aud.* \(POST auth\/\w+\/login\)\. The JWT of JOB_\w+ says issuer "https:\/\/ci\.example\.com", audience "somebody-else", subject "repo:acme\/platform": compare that with the role/,
    );
    expect(count(`/auth/${mount}/login`)).toBe(1);
  });

  it("says what the JWT has for the claim that the server refuses, on one line", async () => {
    const ref = `refs/heads/\n${"x".repeat(300)}`;
    const failures = [];
    for (const [name, claims] of [
      ["ref", { ref }],
      ["/project/path", { project: { path: ["b", "c"] } }],
      ["/project/path", {}],
    ] as const) {
      const { engine, mount } = await openLoggedIn({ role: { bound_claims: { [name]: "main" } }, claims });
      failures.push(await engine.create(roleDefinition, role(mount, "a")).catch((error: Error) => error.message));
    }
    expect(failures).toEqual([
      expect.stringMatching(/claim "ref" does not match .*says claim "ref" "refs\/heads\/\\nx{186}…, issuer "/),
      expect.stringContaining('says claim "/project/path" ["b","c"], issuer "'),
      expect.stringContaining('says claim "/project/path" is not there, issuer "'),
    ]);
  });

  it.each([
    ["has expired", { exp: 1_700_000_000 }, /the JWT of JOB_\w+ expired \d+ seconds ago: get a new one/],
    ["is not valid yet", { nbf: 4_000_000_000 }, /the JWT of JOB_\w+ is not valid before \d+ seconds from now/],
  ])("sends no JWT that %s", async (_, claims, message) => {
    const { engine, mount, world } = await openLoggedIn({ claims });
    await expect(engine.create(roleDefinition, role(mount, "a"))).rejects.toThrow(message);
    expect(
      world.traffic
        .seen()
        .filter((request) => !isProbe(request))
        .map(lineOf),
    ).toEqual([]);
  });

  it("does not say tokens, neither in messages nor in what it records", async () => {
    const { engine, mount, lines } = await openLoggedIn({ claims: { aud: "somebody-else" } });
    const error = await engine.create(roleDefinition, role(mount, "a")).catch((failure: Error) => failure.message);
    const jwt = process.env[`JOB_${mount}`] ?? "";
    for (const part of [jwt, ...jwt.split(".")]) expect(`${error}${lines.join()}`).not.toContain(part);
  });

  describe.each(hostNames)("through the %s host", (host) => {
    it("does all that a token does, and records nothing of it", async () => {
      const world = await openWorld();
      const mount = await openLogins(world);
      const before = await tokenCount(world);
      const jwtEnv = setVariable(`JOB_${mount}`, await jobToken());
      const config = loggingIn(world, { method: "jwt", mount, role: "ci", jwtEnv });
      const open = hosts[host]({ resource: "jwtRole", config });
      const stack = createStack(open);
      await stack.up(role(mount, "app"));
      const entry = stack.entry();
      expect(await stack.refresh()).toBe(true);
      await stack.destroy();
      await open.end();
      expect(await tokenCount(world)).toBe(before);
      const shown = JSON.stringify([entry, open.answers, open.log()]);
      for (const secret of [process.env[jwtEnv] ?? "", "hvs."]) expect(shown).not.toContain(secret);
    });
  });
});
