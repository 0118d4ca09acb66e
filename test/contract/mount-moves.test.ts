// @servers embedded vault

import { describe, expect, it, onTestFinished } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import type { Engine } from "../../provider/engine/engine.ts";
import type { Recorded } from "../../provider/engine/operation.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames, type ResourceName } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld, type World } from "../support/contract-world.ts";

closeServersAfterwards();

/** Mounts, and what tells that one of them is still the same: what is stored there. */
const mounts = [
  {
    resource: "sysAuthMount",
    type: "jwt",
    list: "sys/auth",
    role: "auth/{path}/role/ci",
    body: { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] },
    within: (path: string) => `auth/${path}`,
    ends: "the tokens that it has issued",
  },
  {
    resource: "sysSecretsMount",
    type: "aws",
    list: "sys/mounts",
    role: "{path}/roles/ci",
    body: { credential_type: "iam_user", policy_arns: ["arn:aws:iam::aws:policy/ReadOnlyAccess"] },
    within: (path: string) => path,
    ends: "the leases of what it has issued",
  },
] as const;

type Mount = (typeof mounts)[number];

/** A mount with a role in it, as a stack made it, and another path for it. */
async function openMount({ resource, type, list, ...mount }: Mount, host: (typeof hostNames)[number]) {
  const world = await openWorld();
  const raw = world.raw("secrets");
  const [from, to] = [`team/${world.fresh("from")}`, world.fresh("to")];
  const stack = createStack(world.host(host, resource));
  const at = (path: string, more: Values = {}) => ({ path, type, ...more });
  await stack.up(at(from, { description: "before" }));
  await raw.call(`POST ${mount.role.replace("{path}", from)}`, mount.body);
  return {
    world,
    raw,
    stack,
    from,
    to,
    at,
    id: (path: string) => `${list}/${path}`,
    accessor: stack.entry()?.outputs["accessor"],
    hasRole: async (path: string) => (await raw.ask(`GET ${mount.role.replace("{path}", path)}`)).status === 200,
    shown: async (path: string) => {
      const listed = (await raw.call(`GET ${list}`)) as { data: Record<string, Values | undefined> };
      return listed.data[`${path}/`];
    },
    asked: () => world.traffic.seen().map(({ method, url }) => `${method} ${url}`),
  };
}

const isMove = ({ method, url }: { readonly method: string; readonly url: string }) =>
  method === "POST" && url === "/v1/sys/remount";

// @covers beyond: Endpoints > POST sys/remount
// @covers beyond: Endpoints > GET sys/remount/status/{migration_id}
describe.runIf(servicesUnderTest.includes("secrets")).each(hostNames)(
  "another path of a mount, through the %s host",
  (host) => {
    describe.each(mounts)("$resource", (mount) => {
      it("is a move by the server in place: what is stored there and the accessor stay", async () => {
        const { stack, from, to, at, id, accessor, hasRole, shown, asked, world } = await openMount(mount, host);
        const wanted = at(to, { description: "after" });
        expect(await stack.preview(wanted)).toEqual({ step: "update", replaces: [] });
        world.traffic.forget();
        expect(await stack.up(wanted)).toBe("update");
        expect(asked().filter((line) => !line.startsWith("GET"))).toEqual([
          "POST /v1/sys/remount",
          `POST /v1/${id(to)}/tune`,
        ]);
        expect(await shown(from)).toBeUndefined();
        expect(await shown(to)).toMatchObject({ accessor, description: "after" });
        expect(await hasRole(to)).toBe(true);
        expect(stack.entry()?.outputs).toMatchObject({ path: to, accessor, description: "after" });
        expect(await stack.preview(wanted)).toEqual({ step: "same", replaces: [] });
        expect(await stack.refresh()).toBe(true);
        expect(stack.entry()?.id).toBe(id(to));
        expect(await stack.preview(wanted)).toEqual({ step: "same", replaces: [] });
        await stack.up(at(from));
        expect(await hasRole(from)).toBe(true);
        await stack.up(at(from, { force: true }));
        await stack.destroy();
        expect(await shown(from)).toBeUndefined();
      });

      it("comes with a change that replaces: then nothing is moved", async () => {
        const { stack, to, at } = await openMount(mount, host);
        const { step, replaces } = await stack.preview(at(to, { local: true }));
        expect([step, replaces]).toEqual(["replace", ["local"]]);
      });

      it.each(["back", "on", "refreshed", "on anew"])("with an unknown end is recorded, and can go %s", async (way) => {
        const { stack, from, to, at, raw, accessor, shown, hasRole, world } = await openMount(mount, host);
        let wasSent = false;
        world.traffic.strikeAll((request) => {
          const isAfter = wasSent;
          wasSent ||= isMove(request);
          return isAfter;
        }, "403");
        await expect(stack.up(at(to))).rejects.toThrow(/it is not known whether it was moved: 403/);
        expect(stack.entry()).toMatchObject({ outputs: { path: to, accessor }, unfinished: true });
        world.traffic.calm();
        await expect.poll(async () => (await raw.ask(`GET ${mount.list}`)).body).toHaveProperty(["data", `${to}/`]);

        const wanted = way === "back" ? from : to;
        if (way === "refreshed" || way === "on anew") {
          await raw.call("POST sys/remount", { from: mount.within(to), to: mount.within(from) });
          await expect.poll(() => shown(from)).toBeDefined();
        }
        if (way === "refreshed") expect(await stack.refresh()).toBe(true);
        expect(stack.entry()?.outputs["path"]).toBe(way === "refreshed" ? from : to);
        await stack.up(at(wanted));
        expect(stack.entry()).toMatchObject({ outputs: { path: wanted, accessor }, unfinished: false });
        expect(await hasRole(wanted)).toBe(true);
        expect(await shown(wanted === to ? from : to)).toBeUndefined();
      });

      it("after which the change of the rest fails is recorded, and the next run changes the rest", async () => {
        const { stack, to, at, shown, world } = await openMount(mount, host);
        world.traffic.strikeAll(({ url }) => url.endsWith("/tune"), "403");
        await expect(stack.up(at(to, { description: "after" }))).rejects.toThrow(/it was moved, but not changed: 403/);
        expect(stack.entry()?.outputs).toMatchObject({ path: to, description: "before" });
        world.traffic.calm();
        expect(await stack.refresh()).toBe(true);
        await stack.up(at(to, { description: "after" }));
        expect(await shown(to)).toMatchObject({ description: "after" });
        expect(world.traffic.seen().filter(isMove)).toHaveLength(1);
      });

      it("that is taken is refused by the server, and nothing is changed", async () => {
        const { stack, from, to, at, raw, hasRole, shown } = await openMount(mount, host);
        await raw.call(`POST ${mount.list}/${to}`, { type: mount.type });
        await expect(stack.up(at(to))).rejects.toThrow(/400 path(?: is)? already in use at/);
        expect(stack.entry()?.outputs["path"]).toBe(from);
        expect(await hasRole(from)).toBe(true);
        expect((await shown(to))?.["accessor"]).not.toBe((await shown(from))?.["accessor"]);
      });

      it("is where a mount is made that is gone from the old path; one of another type is left alone there", async () => {
        const { stack, from, to, at, raw, shown, accessor } = await openMount(mount, host);
        await raw.call(`DELETE ${mount.list}/${from}`);
        const other = mount.type === "jwt" ? "approle" : "kv";
        await raw.call(`POST ${mount.list}/${to}`, { type: other }).catch(() => undefined);
        if ((await shown(to)) !== undefined) {
          await expect(stack.up(at(to))).rejects.toThrow(/it exists already, with another type/);
          await raw.call(`DELETE ${mount.list}/${to}`);
        }
        await stack.up(at(to));
        // Terraform keeps what was planned, as for a move, until it looks.
        if (host === "terraform") await stack.refresh();
        expect((await shown(to))?.["accessor"]).toBe(stack.entry()?.outputs["accessor"]);
        expect(stack.entry()?.outputs["accessor"]).not.toBe(accessor);
      });
    });
  },
);

/** One run of a program: an engine, and what it says. */
function openRun(world: World) {
  const lines: string[] = [];
  const engine: Engine = engineWithLog(world.config(), lines);
  onTestFinished(() => engine.end());
  const make = async (resource: ResourceName, args: Values) => {
    const { inputs, failures } = await engine.check(definitions[resource], args);
    expect(failures).toEqual([]);
    return engine.create(definitions[resource], inputs);
  };
  return { engine, lines, make };
}

describe.runIf(servicesUnderTest.includes("secrets"))("a run that moves a mount", () => {
  const [auth] = mounts;
  const nameless = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
  const role = { ...nameless, name: "ci" };

  it("says what ends, moves the roles' ids without a write, and deletes nothing at the old path", async () => {
    const world = await openWorld();
    const [from, to] = [world.fresh("from"), `team/${world.fresh("to")}`];
    const { engine, lines, make } = openRun(world);
    const mount = await make("sysAuthMount", { path: from, type: "jwt" });
    const [ci, set] = [
      await make("jwtRole", { ...role, mount: from }),
      await make("jwtRoleSet", {
        mount: from,
        roles: { one: nameless, two: nameless },
      }),
    ];
    engine.startRun();
    world.traffic.forget();

    const { inputs } = await engine.check(definitions.sysAuthMount, { path: to, type: "jwt" });
    const difference = await engine.diff(definitions.sysAuthMount, mount.state, inputs);
    expect(difference).toMatchObject({ changed: ["path"], replaces: [] });
    expect(lines.at(-1)).toBe(
      `info: sys.AuthMount "${to}": the server moves it from "${from}", with what is in it, and ends ${auth.ends}`,
    );
    await engine.update(definitions.sysAuthMount, mount.id, mount.state, inputs);
    // As Pulumi does: the difference, then the delete, then the new record.
    const replace = async (resource: "jwtRole" | "jwtRoleSet", { id, state }: Recorded, args: Values) => {
      const { inputs: wanted } = await engine.check(definitions[resource], args);
      expect((await engine.diff(definitions[resource], state, wanted)).replaces).toEqual(["mount"]);
      await engine.delete(definitions[resource], id, state);
    };
    await replace("jwtRole", ci, { ...role, mount: to });
    await replace("jwtRoleSet", set, { mount: to, roles: { one: nameless, two: nameless } });
    expect(lines).toContain(`info: jwt.Role "ci" was moved with sys.AuthMount "${to}", and is not deleted`);
    const made = [
      await make("jwtRole", { ...role, mount: to }),
      await make("jwtRoleSet", {
        mount: to,
        roles: { one: nameless, two: nameless },
      }),
    ];
    expect(made.map(({ id }) => id)).toEqual([`auth/${to}/role/ci`, expect.stringContaining(to)]);
    const writes = world.traffic.seen().filter(({ method }) => method !== "GET");
    expect(writes.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /v1/sys/remount",
      `POST /v1/sys/auth/${to}/tune`,
    ]);
    expect((await world.raw("secrets").call(`GET auth/${to}/role?list=true`)) as Values).toMatchObject({
      data: { keys: ["ci", "one", "two"] },
    });
  });

  it("deletes, where they are now, the records that the program has no more or by another name", async () => {
    const world = await openWorld();
    const [from, to] = [world.fresh("from"), `team/${world.fresh("to")}`];
    const { engine, make } = openRun(world);
    const mount = await make("sysAuthMount", { path: from, type: "jwt" });
    const [gone, renamed] = [
      await make("jwtRole", { ...role, mount: from, name: "gone" }),
      await make("jwtRole", { ...role, mount: from, name: "before" }),
    ];
    const set = await make("jwtRoleSet", { mount: from, roles: { one: nameless, two: nameless } });
    engine.startRun();

    const { inputs } = await engine.check(definitions.sysAuthMount, { path: to, type: "jwt" });
    await engine.update(definitions.sysAuthMount, mount.id, mount.state, inputs);
    const other = { ...role, mount: to, name: "after" };
    await engine.diff(definitions.jwtRole, renamed.state, (await engine.check(definitions.jwtRole, other)).inputs);
    await engine.delete(definitions.jwtRole, renamed.id, renamed.state);
    await make("jwtRole", other);
    const fewer = { mount: to, roles: { one: nameless } };
    await engine.diff(definitions.jwtRoleSet, set.state, (await engine.check(definitions.jwtRoleSet, fewer)).inputs);
    await engine.delete(definitions.jwtRoleSet, set.id, set.state);
    await make("jwtRoleSet", fewer);
    await engine.delete(definitions.jwtRole, gone.id, gone.state);
    expect((await world.raw("secrets").call(`GET auth/${to}/role?list=true`)) as Values).toMatchObject({
      data: { keys: ["after", "one"] },
    });
  });

  it("does not move a mount that another resource of the program has taken over in the same run", async () => {
    const world = await openWorld();
    const [from, to] = [world.fresh("from"), world.fresh("to")];
    const { engine, make } = openRun(world);
    const mount = await make("sysAuthMount", { path: from, type: "jwt" });
    engine.startRun();
    await make("sysAuthMount", { path: from, type: "jwt" });
    const { inputs } = await engine.check(definitions.sysAuthMount, { path: to, type: "jwt" });
    const moving = engine.update(definitions.sysAuthMount, mount.id, mount.state, inputs);
    await expect(moving).rejects.toThrow(/two resources of this program declare/);
    expect(world.traffic.seen().filter(isMove)).toEqual([]);
  });
});
