import { describe, expect, it } from "vitest";
import type { Finding } from "../../cli/facts/lint/lint.ts";
import { openStack, role, run, type Wanted } from "./drift-harness.ts";
import { previewJson } from "./preview-text.ts";
import { recording } from "./terraform-harness.ts";

const policy: Wanted = { resource: "sysPolicy", name: "ci", args: { name: "ci", policy: "# nothing" } };
const bound = { boundSubject: "x", tokenTtl: "15m" };

async function lintedStack(wanted: readonly Wanted[], host: "dynamic" | "plugin" = "dynamic") {
  const { resources, env, raw, server } = await openStack(wanted, { host });
  const state = JSON.stringify({ version: 3, deployment: { resources } });
  const lint = (flags: readonly string[] = [], own: Readonly<Record<string, string>> = {}) =>
    run(["lint", "--json", ...flags], { ...env, ...own }, state);
  const unknown = (out: string) =>
    (JSON.parse(out).findings as readonly Finding[]).filter((each) => each.rule === "unknown-policy");
  return { lint, unknown, raw, server };
}

describe.each(["dynamic", "plugin"] as const)("trustplane lint --live on a state of the %s host", (host) => {
  it("names policies that neither the program nor the server has, by one list", async () => {
    const names = ["ci", "Made-Elsewhere", "nowhere", "default"];
    const roles = [role("ci", { ...bound, tokenPolicies: names }), role("web", { ...bound, tokenPolicies: ["ci"] })];
    const { lint, unknown, raw, server } = await lintedStack([policy, ...roles], host);
    await raw("secrets").call("POST sys/policies/acl/made-elsewhere", { policy: "# nothing" });
    server.log.clear();
    const { code, out } = await lint(["--live"]);
    expect(unknown(out).map(({ property, what }) => `${property} ${what}`)).toEqual([
      'tokenPolicies[2] names a policy that neither the program nor the server has: "nowhere"',
    ]);
    expect(code).toBe(2);
    const asked = server.log.all().map(({ method, path }) => `${method} ${path}`);
    expect(asked.filter((line) => line.includes("policies/acl"))).toHaveLength(1);
    expect(asked.filter((line) => !line.startsWith("GET"))).toEqual([]);
  });
});

describe("trustplane lint", () => {
  const roles = [role("ci", { ...bound, tokenPolicies: ["nowhere"] })];

  it("asks no server without --live, and calls no policy unknown then", async () => {
    const { lint, unknown, server } = await lintedStack(roles);
    server.log.clear();
    expect(unknown((await lint()).out)).toEqual([]);
    expect(server.log.all()).toEqual([]);
  });

  it("calls no policy unknown where the token may not list, and says so", async () => {
    const { lint, unknown, raw } = await lintedStack(roles);
    await raw("secrets").call("POST sys/policies/acl/weak", { policy: "# nothing" });
    const made = await raw("secrets").call("POST auth/token/create", { policies: ["weak"] });
    const { client_token: token } = (made as { auth: { client_token: string } }).auth;
    const { code, out, err } = await lint(["--live", "--fail-on", "error"], { VAULT_TOKEN: token });
    const said = /no policy is called unknown, because they could not be listed: .*403.*sys\/policies\/acl/;
    expect([code, unknown(out), JSON.parse(out).notLookedAt]).toEqual([1, [], [expect.stringMatching(said)]]);
    expect(err).toMatch(said);
  });

  it("calls no policy unknown that another server does not have than the one of the state", async () => {
    const { lint, unknown } = await lintedStack(roles);
    const other = await openStack([policy]);
    const { code, out, err } = await lint(["--live", "--fail-on", "error"], other.env);
    expect([code, unknown(out)]).toEqual([1, []]);
    expect(err).toMatch(/could not be listed: the state was written to another server \(/);
  });

  it("says that it does not know the server of a state that names none, as terraform show -json prints it", async () => {
    const { env } = await openStack([policy]);
    const { code, out, err } = await run(
      ["lint", "--live", "--fail-on", "never", "--json"],
      env,
      recording("shown-state"),
    );
    const said =
      /^the state does not say to which server it was written, so it was not compared with .* answers, vault:/;
    expect([code, JSON.parse(out).notLookedAt]).toEqual([0, [expect.stringMatching(said)]]);
    expect(err.split("the state does not say")).toHaveLength(2);
  });

  it.each(["first", "last"])("calls none unknown where the %s of two roles was written elsewhere", async (which) => {
    const { resources, env } = await openStack(
      ["a", "b"].map((name) => role(name, { ...bound, tokenPolicies: ["ci"] })),
    );
    const roles = resources.filter(({ type }) => type.endsWith(":Role"));
    const moved = resources.map((each) =>
      each === roles.at(which === "first" ? 0 : -1)
        ? { ...each, outputs: { ...each.outputs, server: "elsewhere" } }
        : each,
    );
    const state = JSON.stringify({ version: 3, deployment: { resources: moved } });
    const { code, err } = await run(["lint", "--live", "--fail-on", "error"], env, state);
    expect([code, err]).toEqual([1, expect.stringMatching(/written to another server \(elsewhere\)/)]);
  });

  it("sends nothing to a server that only the state names", async () => {
    const { lint, unknown, server } = await lintedStack(roles);
    server.log.clear();
    const { out, err } = await lint(["--live"], { VAULT_ADDR: "http://127.0.0.1:1", VAULT_MAX_RETRIES: "0" });
    expect(unknown(out)).toEqual([]);
    expect(err).toMatch(/could not be listed/);
    expect(server.log.all()).toEqual([]);
  });

  it("refuses --live of a preview, which does not say where its servers are", async () => {
    const { code, err } = await run(["lint", "--live"], {}, previewJson({ steps: [] }));
    expect([code, err]).toEqual([1, expect.stringMatching(/--live needs a state/)]);
  });
});
