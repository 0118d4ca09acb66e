// @servers embedded vault

import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import { cloudMount, jwtMount } from "./cases/mounts.ts";

closeServersAfterwards();

const hasVault = servicesUnderTest.includes("secrets");
const role = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };

describe.each(hasVault ? hostNames : [])("a record that somebody else has made, through the %s host", (host) => {
  it("is refused with what differs, and is taken over as it is, or with a word for it", async () => {
    const world = await openWorld();
    const name = world.fresh("team");
    const theirs = { name, policies: ["theirs"] };
    const ours = { name, policies: ["ours"] };
    await world.raw("secrets").call("POST identity/group", theirs);
    const up = (args: Values, takeOver?: "always" | "never") =>
      createStack(world.host(host, "identityGroup", takeOver && { takeOver })).up(args);
    world.traffic.forget();
    // Each waits for a moment whether another resource of the state has it.
    await Promise.all([
      expect(up(ours)).rejects.toThrow(
        /it exists already with other content: policies \["theirs"\] → \["ours"\]\. Import it/,
      ),
      // What would be enough is advised, and no more.
      expect(up(theirs, "never")).rejects.toThrow(
        /it exists already, and `take_?over` is `never`\. Import it, choose another name, or have it taken over: set its `take_?over` to `same`, or TRUSTPLANE_TAKE_OVER=same /i,
      ),
      expect(up(ours, "never")).rejects.toThrow(
        /it exists already with other content: policies \["theirs"\] → \["ours"\], and `take_?over` is `never`\. .*to `always`/i,
      ),
    ]);
    expect(await up(theirs)).toBe("create");
    expect(writes(world)).toEqual([]);
    expect(await up(ours, "always")).toBe("create");
    expect(writes(world)).not.toEqual([]);
  });

  it("is taken over where its resource says so, whatever its connection says, and that is no change later", async () => {
    const world = await openWorld();
    const name = world.fresh("team");
    await world.raw("secrets").call("POST identity/group", { name, policies: ["theirs"] });
    const stack = (takeOver?: "always" | "never") =>
      createStack(world.host(host, "identityGroup", takeOver && { takeOver }));
    const ours = { name, policies: ["ours"] };
    await expect(stack("always").up({ ...ours, takeOver: "same" })).rejects.toThrow(
      /it exists already with other content/,
    );
    const taken = stack("never");
    expect(await taken.up({ ...ours, takeOver: "always" })).toBe("create");
    world.traffic.forget();
    expect(await taken.up({ ...ours, takeOver: "always" })).toBe("same");
    await taken.up(ours);
    await taken.refresh();
    expect(await taken.up(ours)).toBe("same");
    expect(writes(world)).toEqual([]);
  });

  it("is refused where no server shows whether a secret is the program's", async () => {
    const world = await openWorld();
    const mount = await cloudMount(world);
    const theirs = { access_key: "AKIAFIRST", secret_key: "theirs", region: "eu-west-1" };
    await world.raw("secrets").call(`POST ${mount}/config/root`, theirs);
    const args = { mount, accessKey: "AKIAFIRST", secretKey: "ours", region: "eu-west-1" };
    const up = (more: Values) => createStack(world.host(host, "cloudRootConfig")).up({ ...args, ...more });
    world.traffic.forget();
    await expect(up({})).rejects.toThrow(
      /it exists already, and no server shows secret_?key, so it cannot be compared\. Import it/i,
    );
    expect(writes(world)).toEqual([]);
    expect(await up({ takeOver: "always" })).toBe("create");
  });

  it("is taken over with the key that its server has, where the program says that the server rotates it", async () => {
    const world = await openWorld();
    const mount = await cloudMount(world);
    const theirs = { access_key: "AKIAROTATED", secret_key: "rotated", region: "eu-west-1" };
    await world.raw("secrets").call(`POST ${mount}/config/root`, theirs);
    const args = { mount, accessKey: "AKIAFIRST", secretKey: "first", region: "eu-west-1" };
    const up = (more: Values) => createStack(world.host(host, "cloudRootConfig")).up({ ...args, ...more });
    await expect(up({ takeOver: "never" })).rejects.toThrow(
      /it exists already.*, and `take_?over` is `never`\. Import it/i,
    );
    await expect(up({})).rejects.toThrow(/another access_?key \(AKIAROTATED\).+set `rotated_?by_?server: true`/i);
    expect(await up({ rotatedByServer: true })).toBe("create");
    expect(await world.servers.stored("secrets", `${mount}/config/root`)).toMatchObject({ access_key: "AKIAROTATED" });
  });

  it("is refused in a set with others of its kind, in one message, and the records beside it are made", async () => {
    const world = await openWorld();
    const mount = await jwtMount(world);
    for (const name of ["theirs", "more"])
      await world.raw("secrets").call(`POST auth/${mount}/role/${name}`, wireRole("b"));
    const stack = createStack(world.host(host, "jwtRoleSet"));
    const refused = stack.up({ mount, defaults: role, roles: { theirs: {}, more: {}, one: {} } });
    await expect(refused).rejects.toThrow(
      /2 of 3 records (will fail|failed): (creating \S+ "\w+": it exists already with other content: [^;.]*(; |\. )){2}Import it, [^;]*\./,
    );
    await expect(refused).rejects.toThrow(
      host === "terraform" ? /will fail:/ : /failed: .* The other records are done/,
    );
    // A plan that is refused is not applied.
    const made = host === "terraform" ? [] : ["one"];
    expect(Object.keys(Object(stack.entry()?.outputs["roles"]))).toEqual(made);
    const said = await createStack(world.host(host, "jwtRoleSet")).up({
      ...{ mount, defaults: role, roles: { theirs: {}, more: {}, one: {} }, takeOver: "always" },
    });
    expect(said).toBe("create");
  });
});

it.runIf(hasVault)(
  "a configuration that was blanked is nobody's, and one that was forgotten may be somebody's",
  async () => {
    const world = await openWorld();
    const mount = await cloudMount(world);
    const made = (region: string, onDelete: string) => {
      const stack = createStack(world.host("engine", "cloudRootConfig"));
      return { stack, up: () => stack.up({ mount, accessKey: "AKIAFIRST", secretKey: "first", region, onDelete }) };
    };
    const blanked = made("eu-west-1", "blank");
    expect(await blanked.up()).toBe("create");
    await blanked.stack.destroy();
    const forgotten = made("us-east-1", "forget");
    expect(await forgotten.up()).toBe("create");
    await forgotten.stack.destroy();
    await expect(made("eu-west-1", "forget").up()).rejects.toThrow(/other content: region "us-east-1" → "eu-west-1"/);
  },
);

it.runIf(hasVault)("a secret that no server shows is written over with a word for it, and not in silence", async () => {
  const world = await openWorld();
  const mount = await cloudMount(world);
  const theirs = { access_key: "AKIAFIRST", secret_key: "theirs", region: "eu-west-1" };
  await world.raw("secrets").call(`POST ${mount}/config/root`, theirs);
  const lines: string[] = [];
  const engine = engineWithLog(world.config(), lines);
  const args = { mount, accessKey: "AKIAFIRST", secretKey: "ours", region: "eu-west-1", takeOver: "always" };
  const { inputs } = await engine.check(definitions.cloudRootConfig, args);
  await engine.foresee(definitions.cloudRootConfig, inputs);
  await engine.create(definitions.cloudRootConfig, inputs);
  const over = "no server shows secretKey: what is there is written over";
  expect(lines).toEqual([
    `info: cloud.RootConfig "${mount}" is there already, as declared. It is taken over; ${over}`,
    `warning: cloud.RootConfig "${mount}" exists already and is taken over; ${over}`,
  ]);
});

it.runIf(hasVault)("a set says of those records alone that they are taken over which were not refused", async () => {
  const world = await openWorld();
  const mount = await jwtMount(world);
  await world.raw("secrets").call(`POST auth/${mount}/role/theirs`, wireRole("b"));
  await world.raw("secrets").call(`POST auth/${mount}/role/same`, wireRole("a"));
  const lines: string[] = [];
  const engine = engineWithLog(world.config(), lines);
  const wanted = { mount, defaults: role, roles: { theirs: {}, same: {} } };
  const { inputs } = await engine.check(definitions.jwtRoleSet, wanted);
  await expect(engine.create(definitions.jwtRoleSet, inputs)).rejects.toThrow(/"theirs": it exists already with other/);
  expect(lines.filter((line) => line.includes("of its records"))).toEqual([
    "info: 1 of its records exist already (same) and are taken over",
  ]);
});

describe.runIf(hasVault)("a record that a state of this run has", () => {
  it("goes from a set to a role of its own with a change, as nobody else has it", async () => {
    const world = await openWorld();
    const mount = await jwtMount(world);
    const engine = engineWithLog(world.config(), []);
    const inputs = async (resource: "jwtRoleSet" | "jwtRole", args: Values) =>
      (await engine.check(definitions[resource], args)).inputs;
    const both = await inputs("jwtRoleSet", { mount, defaults: role, roles: { one: {}, two: {} } });
    const made = await engine.create(definitions.jwtRoleSet, both);
    engine.startRun();
    const less = await inputs("jwtRoleSet", { mount, defaults: role, roles: { one: {} } });
    await engine.diff(definitions.jwtRoleSet, made.state, less);
    const two = await inputs("jwtRole", { mount, name: "two", ...role, boundAudiences: ["b"] });
    const taken = await engine.create(definitions.jwtRole, two);
    expect(taken.state["boundAudiences"]).toEqual(["b"]);
  });

  describe("stays in a set that a failed run has brought it into, when its former resource goes to another name", () => {
    async function begin() {
      const world = await openWorld();
      const mount = await jwtMount(world);
      const engine = engineWithLog(world.config(), []);
      const { jwtRole, jwtRoleSet } = definitions;
      const single = (name: string, olds?: Values) => engine.check(jwtRole, { mount, name, ...role }, olds);
      const former = await engine.create(jwtRole, (await single("one")).inputs);
      // The set was made, and the run failed before it came to the role.
      engine.startRun();
      const { inputs: both } = await engine.check(jwtRoleSet, { mount, defaults: role, roles: { one: {}, two: {} } });
      const { id, state } = await engine.create(jwtRoleSet, both);
      return {
        beginRun: () => engine.startRun(),
        async compareSet() {
          await engine.check(jwtRoleSet, both, both);
          return engine.diff(jwtRoleSet, state, both);
        },
        updateSet: () => engine.update(jwtRoleSet, id, state, both),
        async compareRole() {
          const { inputs } = await single("three", former.state);
          expect((await engine.diff(jwtRole, former.state, inputs)).replaces).toEqual(["name"]);
        },
        deleteRole: () => engine.delete(jwtRole, former.id, former.state),
        stored: async () =>
          (await world.raw("secrets").call(`GET auth/${mount}/role?list=true`)) as { data: { keys: string[] } },
      };
    }

    it("after the set", async () => {
      const { beginRun, compareSet, compareRole, deleteRole, stored } = await begin();
      beginRun();
      await compareSet();
      await compareRole();
      await deleteRole();
      expect((await stored()).data.keys).toEqual(["one", "two"]);
    });

    it("before the set, which the preview has seen", async () => {
      const { beginRun, compareSet, compareRole, deleteRole, stored } = await begin();
      beginRun();
      await compareRole();
      await compareSet();
      beginRun();
      await compareRole();
      await deleteRole();
      expect((await stored()).data.keys).toEqual(["one", "two"]);
      expect((await compareSet()).changed).toEqual([]);
    });

    it("before the set, in a run without a preview: the set makes it anew", async () => {
      const { beginRun, compareSet, compareRole, deleteRole, updateSet, stored } = await begin();
      beginRun();
      await compareRole();
      await deleteRole();
      expect((await compareSet()).records).toMatchObject([{ name: "one" }]);
      await updateSet();
      expect((await stored()).data.keys).toEqual(["one", "two"]);
    });
  });

  it("stays where a set had it that goes to another connection", async () => {
    const [world, elsewhere] = [await openWorld(), await openWorld({ which: "second" })];
    const [one, two] = [world, elsewhere].map((each) => JSON.parse(String(each.config()["secrets"])) as Values);
    const connections = { one: { service: "secrets", ...one }, two: { service: "secrets", ...two } };
    const engine = engineWithLog({ ...world.config(), connections: JSON.stringify(connections) }, []);
    const mount = await jwtMount(world);
    await elsewhere.raw("secrets").call(`POST sys/auth/${mount}`, { type: "jwt" });
    const { jwtRole, jwtRoleSet } = definitions;
    const set = (connection: string) => ({ connection, mount, roles: { ci: role } });
    const single = { connection: "one", mount, name: "ci", ...role };
    const before = (await engine.check(jwtRoleSet, set("one"))).inputs;
    const made = await engine.create(jwtRoleSet, before);
    // A run before this one made the role, and failed before it came to the set.
    const had = await engine.read(jwtRole, `auth/${mount}/role/ci`, single);
    engine.startRun();
    const { inputs } = await engine.check(jwtRole, single, had?.state);
    const { inputs: moved } = await engine.check(jwtRoleSet, set("two"), before);
    await engine.diff(jwtRole, had?.state ?? {}, inputs);
    await engine.diff(jwtRoleSet, made.state, moved);
    await engine.delete(jwtRoleSet, made.id, made.state);
    expect((await world.raw("secrets").ask(`GET auth/${mount}/role/ci`)).status).toBe(200);
  });

  it("is made anew by a run that has only forgotten it, with its secret", async () => {
    const world = await openWorld();
    const mount = await cloudMount(world);
    const engine = engineWithLog(world.config(), []);
    const args = { mount, accessKey: "AKIAFIRST", secretKey: "ours", region: "eu-west-1" };
    const { inputs } = await engine.check(definitions.cloudRootConfig, args);
    const made = await engine.create(definitions.cloudRootConfig, inputs);
    engine.startRun();
    await engine.delete(definitions.cloudRootConfig, made.id, made.state);
    await engine.create(definitions.cloudRootConfig, inputs);
    engine.startRun();
    await expect(engine.create(definitions.cloudRootConfig, inputs)).rejects.toThrow(/so it cannot be compared/);
  });
});

function wireRole(audience: string): Values {
  return { role_type: "jwt", user_claim: "sub", bound_audiences: [audience] };
}

function writes(world: World): readonly string[] {
  return world.traffic.seen().flatMap(({ method, url }) => (method === "GET" ? [] : [`${method} ${url}`]));
}
