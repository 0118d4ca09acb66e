// @servers embedded vault
// @run test: it waits for clocks

import { describe, expect, it, vi } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { asSecret } from "../../provider/core/secret-envelope.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { messageOf } from "../../provider/engine/operation.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { openPluginHost } from "../support/contract-host-plugin.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import type { Stack } from "../support/contract-stack.ts";
import { type ConnectionSettings, openWorld } from "../support/contract-world.ts";
import type { ContractHost } from "../support/host-under-test.ts";
import { jwtMount } from "./cases/mounts.ts";

closeServersAfterwards();

const hasVault = servicesUnderTest.includes("secrets");
const { jwtRole, jwtRoleSet, identityGroup } = definitions;
const wireRole = { role_type: "jwt", user_claim: "sub" };
const role = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };

describe.runIf(hasVault)("a preview of a record that is there already", () => {
  async function open(settings?: ConnectionSettings) {
    const world = await openWorld();
    const lines: string[] = [];
    const engine = engineWithLog(world.config(settings), lines);
    const name = world.fresh("team");
    await world.raw("secrets").call("POST identity/group", { name, policies: ["theirs"] });
    world.traffic.forget();
    const foresee = async (args: Values) =>
      engine.foresee(identityGroup, (await engine.check(identityGroup, { name, ...args })).inputs);
    const said = () => lines.filter((line) => line.includes(name));
    return { world, engine, name, foresee, said, lines };
  }

  it("is refused with what the creation is refused with", async () => {
    const { engine, foresee, name } = await open();
    const ours = { name, policies: ["ours"] };
    const refusal = /creating identity\.Group "team\w+": it exists already with other content: policies .* Import it/;
    await expect(foresee(ours)).rejects.toThrow(refusal);
    await expect(engine.create(identityGroup, (await engine.check(identityGroup, ours)).inputs)).rejects.toThrow(
      refusal,
    );
  });

  /** What a preview of this host says, or is refused with. */
  async function previewed(host: ContractHost, stack: Stack, args: Values): Promise<string> {
    const refused: string[] = [];
    const note = (error: unknown) => void refused.push(messageOf(error));
    if ("foresee" in host) {
      const plugin = host as ReturnType<typeof openPluginHost>;
      const entry = stack.entry();
      const { inputs } = await plugin.check(entry?.inputs ?? {}, args);
      await plugin.foresee(inputs, entry).catch(note);
    } else await stack.preview(args).catch(note);
    const lines = [...host.log(), ...refused].map((line) => line.trim());
    return lines.filter((line) => / already|refused/.test(line)).join("\n");
  }

  const through = (["dynamic", "plugin", "terraform"] as const).filter((host) => hostNames.includes(host));
  // Pulumi asks the dynamic classes in the order of the program: the resource that has the record may come later.
  const refuses = (host: string) =>
    host === "dynamic" ? /this update will be refused, unless a resource of this stack/ : /^/;

  /** What is refused has waited for a moment: on all hosts at once. */
  const onEach = (told: (host: (typeof through)[number]) => Promise<void>) => Promise.all(through.map(told));

  it("says through each host what a creation takes over, or is refused with", () =>
    onEach(async (name) => {
      const { world, name: group } = await open();
      const said = (policies: string[], takeOver?: string) => {
        const host = world.host(name, "identityGroup");
        return previewed(host, host.stack(), { name: group, policies, ...(takeOver ? { takeOver } : {}) });
      };
      const refused = await said(["ours"]);
      expect(refused).toMatch(/it exists already with other content: policies \["theirs"\] → \["ours"\]\. Import it/);
      expect(refused).toMatch(refuses(name));
      expect(await said(["theirs"])).toMatch(/ is there already, as declared\. It is taken over$/);
      expect(await said(["ours"], "always")).toMatch(/ is there already: policies .* It is taken over$/);
    }));

  it("says through each host what is there of the records that are new to a set", () =>
    onEach(async (name) => {
      const { world } = await open();
      const mount = await jwtMount(world);
      const host = world.host(name, "jwtRoleSet");
      const stack = host.stack();
      await stack.up({ mount, defaults: role, roles: { one: {} } });
      for (const each of ["one", "theirs"])
        await world.raw("secrets").call(`POST auth/${mount}/role/${each}`, { ...wireRole, bound_audiences: ["b"] });
      const said = await previewed(host, stack, { mount, defaults: role, roles: { one: {}, theirs: {}, two: {} } });
      expect(said).toMatch(/jwt.role "theirs": it exists already with other content: bound.?audiences/i);
      expect(said).toMatch(refuses(name));
      expect(said).not.toMatch(/"one"|records failed|are done/);
    }));

  it("is taken over by each host where the program says so beside what makes it", () =>
    onEach(async (name) => {
      const { world } = await open();
      const mount = await jwtMount(world);
      const stack = world.host(name, "jwtRoleSet").stack();
      await stack.up({ mount, defaults: role, roles: { one: {} }, takeOver: "same" });
      const there = `auth/${mount}/role/theirs`;
      await world.raw("secrets").call(`POST ${there}`, { ...wireRole, bound_audiences: ["b"] });
      const wanted = { mount, defaults: role, roles: { one: {}, theirs: {} } };
      await stack.up({ ...wanted, takeOver: "always" });
      expect(await stack.preview({ ...wanted, takeOver: "always" })).toMatchObject({ step: "same" });
      expect(await world.servers.stored("secrets", there)).toMatchObject({ bound_audiences: ["a"] });
    }));

  it("says what it changes where that is allowed, and that it is as declared", async () => {
    const always = await open({ takeOver: "always" });
    await always.foresee({ policies: ["ours"] });
    expect(always.said()).toEqual([
      `warning: identity.Group "${always.name}" is there already: policies ["theirs"] → ["ours"]. It is taken over`,
    ]);
    const same = await open();
    await same.foresee({ policies: ["theirs"] });
    expect(same.said()).toEqual([
      `info: identity.Group "${same.name}" is there already, as declared. It is taken over`,
    ]);
  });

  it("looks at a few new records of a mount, and then at one list of all", async () => {
    const { world, engine } = await open();
    const mount = await jwtMount(world);
    await world.raw("secrets").call(`POST auth/${mount}/role/r5`, { ...wireRole, bound_audiences: ["a"] });
    world.traffic.forget();
    for (const name of ["r1", "r2", "r3", "r4", "r5"])
      await engine.foresee(jwtRole, (await engine.check(jwtRole, { mount, name, ...role })).inputs);
    const asked = world.traffic.seen().flatMap(({ url }) => url.match(/role(\/.*|\?.*)/)?.[0] ?? []);
    expect(asked).toEqual(["role/r1", "role/r2", "role?list=true", "role/r5"]);
  });

  it.each([
    ["payroll", 'policies ["theirs"] → ["[secret]"]'],
    ["payroll-".repeat(20), "policies"],
  ])("does not show what the program keeps secret, nor its beginning: %s", async (secret, changes) => {
    const { world, name } = await open();
    const host = openPluginHost({ resource: "identityGroup", config: world.config({ takeOver: "always" }) });
    await host.check({}, { name, policies: [asSecret(secret)] });
    const inputs = JSON.parse(host.answers.at(-1) ?? "");
    await host.foresee(inputs);
    const taken = `warning: identity.Group "${name}" is there already: ${changes}. It is taken over`;
    expect(host.log()).toEqual([taken]);
    // A replacement is asked about twice, as a difference and as a creation, and is said once.
    await host.foresee(inputs);
    expect(host.log()).toEqual([taken]);
  });

  it("does not count what is not known yet, and asks nothing where the address is not known", async () => {
    const { world, engine, foresee, said } = await open();
    await foresee({ policies: [UNKNOWN] });
    expect(said()).toHaveLength(1);
    world.traffic.forget();
    await engine.foresee(jwtRole, { mount: UNKNOWN, name: "ci", ...role });
    expect(world.traffic.seen()).toEqual([]);
  });

  it("is found in the list that also shows what a new exclusive set removes", async () => {
    const { world } = await open();
    const mount = await jwtMount(world);
    const theirs = { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] };
    for (const name of ["ours", "a", "b", "c", "d", "e"])
      await world.raw("secrets").call(`POST auth/${mount}/role/${name}`, theirs);
    const host = openPluginHost({ resource: "jwtRoleSet", config: world.config() });
    const { inputs } = await host.check({}, { mount, defaults: role, roles: { ours: {} }, exclusive: true });
    world.traffic.forget();
    await host.foresee(inputs);
    expect(host.log().map((line) => line.replace(mount, "MOUNT"))).toEqual([
      'info: jwt.Role "ours" is there already, as declared. It is taken over',
      // What the preview does not name is not removed: none is left to an ellipsis.
      expect.stringMatching(
        /^info: jwt.RoleSet "MOUNT": 5 records \(a, b, c, d, e\) that the program does not name are removed/,
      ),
    ]);
    expect(world.traffic.seen().filter(({ url }) => url.includes("list=true"))).toHaveLength(1);
  });

  it("is no error where the token may not look, or nobody answers", async () => {
    const refused = await open({ token: "hvs.nobody" });
    await refused.foresee({ policies: ["ours"] });
    const policy = await refused.engine.check(definitions.sysPolicy, { name: refused.world.fresh("p"), policy: "" });
    for (const inputs of [policy.inputs, { ...policy.inputs, name: refused.world.fresh("p") }])
      await refused.engine.foresee(definitions.sysPolicy, inputs);
    // Once for each kind: what is said of one is not said of the others.
    expect(refused.lines.filter((line) => line.includes("may not read whether it is there"))).toEqual([
      expect.stringContaining("identity.Group: the token may not read"),
      expect.stringContaining("sys.Policy: the token may not read"),
    ]);
    const { world, engine } = await open();
    const lines: string[] = [];
    const nowhere = engineWithLog({ secrets: JSON.stringify({ address: "http://127.0.0.1:9", maxRetries: 0 }) }, lines);
    await nowhere.foresee(identityGroup, { name: world.fresh("g") });
    await engine.end();
  });

  it("is found record by record where the token may not list those of a set", async () => {
    const { world, engine } = await open();
    const mount = await jwtMount(world);
    await world.raw("secrets").call(`POST auth/${mount}/role/theirs`, { ...wireRole, bound_audiences: ["b"] });
    const args = { mount, defaults: role, roles: { theirs: {}, one: {}, two: {} } };
    const { inputs } = await engine.check(jwtRoleSet, args);
    world.traffic.strikeAll(({ url }) => url.includes("list=true"), "403");
    world.traffic.forget();
    await expect(engine.foresee(jwtRoleSet, inputs)).rejects.toThrow(
      /creating jwt\.Role "theirs": it exists already with/,
    );
    const asked = world.traffic.seen().flatMap(({ url }) => url.match(/role(\/.*|\?.*)/)?.[0] ?? []);
    expect(asked.sort()).toEqual(["role/one", "role/theirs", "role/two", "role?list=true"]);
  });

  it("is refused for a new record of a set, once a list has shown it, and not for one that a state has", async () => {
    const { world, engine } = await open();
    const mount = await jwtMount(world);
    const theirs = { role_type: "jwt", user_claim: "sub", bound_audiences: ["b"] };
    for (const name of ["theirs", "held"]) await world.raw("secrets").call(`POST auth/${mount}/role/${name}`, theirs);
    const inputs = async (resource: typeof jwtRoleSet | typeof jwtRole, args: Values) =>
      (await engine.check(resource, { mount, ...args })).inputs;
    const all = await inputs(jwtRoleSet, { defaults: role, roles: { theirs: {}, one: {}, two: {} } });
    world.traffic.forget();
    await expect(engine.foresee(jwtRoleSet, all)).rejects.toThrow(
      /creating jwt\.Role "theirs": it exists already with/,
    );
    const asked = world.traffic.seen().filter(({ url }) => url.includes("/role"));
    expect(asked).toHaveLength(2);
    const held = await inputs(jwtRole, { name: "held", ...role, boundAudiences: ["b"] });
    const made = await engine.create(jwtRole, held);
    engine.startRun();
    const other = await inputs(jwtRole, { name: "held", ...role });
    world.traffic.forget();
    const foreseen = engine.foresee(jwtRole, other);
    await vi.waitFor(() => expect(world.traffic.seen()).not.toEqual([]));
    await world.raw("secrets").call(`GET auth/${mount}/role/held`);
    // The preview comes to the resource that has it a moment later.
    await engine.diff(jwtRole, made.state, await inputs(jwtRole, { name: "away", ...role }));
    await foreseen;
  });
});
