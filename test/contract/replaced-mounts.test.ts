// @servers embedded vault

import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { MOUNT_MARK } from "../../provider/core/state-names.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import type { Recorded } from "../../provider/engine/operation.ts";
import { identityGroup } from "../../provider/resources/identity/group.ts";
import { definitions } from "../../provider/resources/index.ts";
import { Command } from "../support/command.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { isProbe } from "../support/contract-traffic.ts";
import { openWorld } from "../support/contract-world.ts";

closeServersAfterwards();

const publicKey = String(
  generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" }),
);

describe.runIf(servicesUnderTest.includes("secrets"))("a run that changes the mount of a group's alias", () => {
  // @covers beyond: Groups > alias
  it("changes nothing about the group where the server moves the mount, also where another run has moved it", async () => {
    const { engine, world, mount, group, differenceAt } = await openGroup();
    const to = world.fresh("moved");
    engine.startRun();
    const { inputs } = await engine.check(definitions.sysAuthMount, { ...mount.args, path: to });
    await engine.diff(definitions.sysAuthMount, mount.made.state, inputs);
    // As a preview sees it: the mount is at its old path.
    expect(await differenceAt(to)).toMatchObject({ changed: ["alias"], replaces: [] });
    expect(await differenceAt(world.fresh("other"))).toMatchObject({ replaces: ["alias"] });

    const moved = await engine.update(definitions.sysAuthMount, mount.made.id, mount.made.state, inputs);
    engine.startRun();
    await engine.diff(definitions.sysAuthMount, moved.state, inputs);
    expect(await differenceAt(to)).toMatchObject({ changed: ["alias"], replaces: [] });
    world.traffic.forget();
    const { state } = await engine.update(identityGroup, group.made.id, group.made.state, await group.inputsAt(to));
    expect(world.traffic.seen().filter(({ url }) => url.includes("/group-alias"))).toEqual([]);
    expect(state).toMatchObject({ ...group.made.state, alias: { mount: to, name: "engineers" } });
  });

  it("makes the group anew where the mount is made anew at its path, whatever is known of the alias then", async () => {
    const { engine, mount, differenceAt } = await openGroup();
    expect(await differenceAt(mount.args.path)).toMatchObject({ changed: [], replaces: [] });
    const { inputs } = await engine.check(definitions.sysAuthMount, { ...mount.args, type: "oidc" });
    const other = await engine.diff(definitions.sysAuthMount, mount.made.state, inputs);
    expect(other).toMatchObject({ replaces: ["type"] });
    for (const path of [mount.args.path, UNKNOWN])
      expect(await differenceAt(path)).toMatchObject({ changed: ["alias"], replaces: ["alias"] });
    // The update knows what its preview has said.
    engine.startRun();
    expect(await differenceAt(mount.args.path)).toMatchObject({ replaces: ["alias"] });
  });

  it("binds no group to a mount that another hand has made anew: its logins would get what the group gives", async () => {
    const { world, engine, mount, group } = await openGroup();
    const raw = world.raw("secrets");
    const { path } = mount.args;
    await raw.call(`DELETE sys/auth/${path}`);
    await raw.call(`POST sys/auth/${path}`, { type: "jwt", description: "theirs" });
    engine.startRun();
    const same = await engine.check(definitions.sysAuthMount, mount.args);
    await engine.diff(definitions.sysAuthMount, mount.made.state, same.inputs);
    const inputs = { ...(await group.inputsAt(path)), policies: ["b"] };
    const { id, state } = group.made;
    const refused =
      /its alias would go to another mount at auth\/\S+ than was recorded, which somebody else has made since\. Refr/;
    await expect(engine.diff(identityGroup, state, inputs, { isUnread: true })).rejects.toThrow(refused);
    await expect(engine.update(identityGroup, id, state, inputs)).rejects.toThrow(refused);
    const shown = await raw.call(`GET identity/group/id/${String(state["groupId"])}`);
    expect(shown).not.toHaveProperty("data.policies", ["b"]);
  });

  it("makes the group anew at another mount where nobody can say whether it is the same", async () => {
    const { world, differenceAt } = await openGroup();
    world.traffic.strikeAll(({ url }) => url.includes("/identity/group"), "503");
    expect(await differenceAt(world.fresh("other"))).toMatchObject({ replaces: ["alias"] });
  });

  /** A mount and a group that has its alias there, made by one run. */
  async function openGroup() {
    const { world, engine, mount, make } = await openMount();
    const { args } = mount;
    const named = { name: world.fresh("platform"), type: "external" };
    const at = (path: string) => ({ ...named, alias: path === UNKNOWN ? UNKNOWN : { mount: path, name: "engineers" } });
    const group = {
      made: await make(identityGroup, at(args.path)),
      inputsAt: async (path: string) => (await engine.check(identityGroup, at(path))).inputs,
    };
    engine.startRun();
    return {
      world,
      engine,
      mount,
      group,
      differenceAt: async (path: string) => engine.diff(identityGroup, group.made.state, await group.inputsAt(path)),
    };
  }
});

describe.runIf(servicesUnderTest.includes("secrets"))("a run that changes the mount of roles", () => {
  const common = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
  const kinds = [
    ["jwtRole", { name: "ci", ...common }],
    ["jwtRoleSet", { defaults: common, roles: { one: {}, two: {} } }],
    ["jwtConfig", { jwtValidationPubkeys: [publicKey] }],
  ] as const;

  it.each(kinds)("makes a %s anew where a new mount takes the path of one that moves away", async (resource, args) => {
    const { engine, mount, record, world } = await openRecord(definitions[resource], args);
    const { path } = mount.args;
    const to = world.fresh("moved");
    expect(await record.differenceAt(path)).toMatchObject({ changed: [], replaces: [] });
    const { inputs } = await engine.check(definitions.sysAuthMount, { ...mount.args, path: to });
    await engine.diff(definitions.sysAuthMount, mount.made.state, inputs);
    expect(await record.differenceAt(path)).toMatchObject({ replaces: ["mount"] });

    await engine.update(definitions.sysAuthMount, mount.made.id, mount.made.state, inputs);
    await mount.make(definitions.sysAuthMount, mount.args);
    const made = await mount.make(definitions[resource], { ...args, mount: path });
    await engine.delete(definitions[resource], record.made.id, record.made.state);
    expect(await engine.read(definitions[resource], made.id, made.state)).toBeDefined();
    // What the program has no more where it is now is deleted, but for what the API cannot delete.
    const left = await engine.read(definitions[resource], record.made.id.replace(path, to), {
      ...record.made.state,
      mount: to,
    });
    expect(left === undefined).toBe(resource !== "jwtConfig");
  });

  it.each(kinds)("makes a %s anew where its mount is made anew", async (resource, args) => {
    const { engine, mount, record } = await openRecord(definitions[resource], args);
    const { inputs } = await engine.check(definitions.sysAuthMount, { ...mount.args, type: "oidc" });
    await engine.diff(definitions.sysAuthMount, mount.made.state, inputs);
    expect(await record.differenceAt(mount.args.path)).toMatchObject({ replaces: ["mount"] });
  });

  it.each(kinds)("makes a %s anew where a run before this one has made only its mount anew", async (resource, args) => {
    const { engine, mount, record } = await openRecord(definitions[resource], args);
    const { inputs } = await engine.check(definitions.sysAuthMount, mount.args);
    await engine.delete(definitions.sysAuthMount, mount.made.id, { ...mount.made.state, force: true });
    const anew = await mount.make(definitions.sysAuthMount, mount.args);
    engine.startRun();
    expect(await record.differenceAt(mount.args.path)).toMatchObject({ changed: [], replaces: [] });
    await engine.diff(definitions.sysAuthMount, anew.state, inputs);
    expect(await record.differenceAt(mount.args.path)).toMatchObject({ changed: ["mount"], replaces: ["mount"] });
    // A state of an earlier version does not say in which mount the record is.
    const { [MOUNT_MARK]: mark, ...earlier } = record.made.state;
    expect(mark).toBeDefined();
    const said = (await engine.check(definitions[resource], { ...args, mount: mount.args.path })).inputs;
    expect(await engine.diff(definitions[resource], earlier, said)).toMatchObject({ changed: [], replaces: [] });

    const made = await mount.make(definitions[resource], { ...args, mount: mount.args.path });
    expect(await engine.diff(definitions[resource], made.state, said)).toMatchObject({ changed: [], replaces: [] });
    // What is read or written gets the mark.
    expect(await engine.read(definitions[resource], made.id, { ...earlier })).toMatchObject({
      state: { [MOUNT_MARK]: made.state[MOUNT_MARK] },
    });
  });

  it("is not begun while somebody else's record is in the mount", async () => {
    const { engine, mount, record, world } = await openRecord(definitions.jwtRole, { name: "ci", ...common });
    const { path } = mount.args;
    const theirs = { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] };
    await world.raw("secrets").call(`POST auth/${path}/role/theirs`, theirs);
    const compare = async () => {
      const { inputs } = await engine.check(definitions.sysAuthMount, { ...mount.args, type: "oidc" });
      await engine.diff(definitions.sysAuthMount, mount.made.state, inputs);
      await engine.foresee(definitions.sysAuthMount, inputs, { replaces: "ahead" });
      await record.differenceAt(path);
    };
    await compare();
    engine.startRun();
    await compare();
    const { id, state } = record.made;
    await expect(engine.delete(definitions.jwtRole, id, state)).rejects.toThrow(
      /1 record is still in .*\(theirs\) and would be lost/,
    );
    expect(await engine.read(definitions.jwtRole, id, state)).toBeDefined();
    await world.raw("secrets").call(`DELETE auth/${path}/role/theirs`);
    engine.startRun();
    await compare();
    engine.startRun();
    await compare();
    await engine.delete(definitions.jwtRole, id, state);
    await engine.delete(definitions.sysAuthMount, mount.made.id, mount.made.state);
  });

  /** A mount and a record in it, made by one run. */
  async function openRecord(definition: Definition, args: Values) {
    const { make, ...opened } = await openMount();
    const { engine, mount } = opened;
    const made = await make(definition, { ...args, mount: mount.args.path });
    engine.startRun();
    const differenceAt = async (path: string) =>
      engine.diff(definition, made.state, (await engine.check(definition, { ...args, mount: path })).inputs);
    return { ...opened, mount: { ...mount, make }, record: { made, differenceAt } };
  }
});

describe.runIf(servicesUnderTest.includes("secrets"))("a run that moves several mounts", () => {
  it("is told that they cannot change paths, before anything is sent", async () => {
    const { one, other, world } = await openThree();
    await one.differenceAt(other.path);
    world.traffic.forget();
    await expect(other.differenceAt(one.path)).rejects.toThrow(
      new RegExp(
        `^moving sys.AuthMount "${one.path}" from auth/${other.path} to auth/${one.path}: resources of this program change places in a ring, .*taken\\. Move one of them to another path first, in a run of its own\\.$`,
      ),
    );
    expect(world.traffic.seen()).toEqual([]);
  });

  it.each([
    ["one provider", false],
    ["several, each a process of its own", true],
  ])("is told so of three that change them in a ring, of %s, and moves three in a row", async (_, isOfSeveral) => {
    const { one, other, third, world } = await openThree(isOfSeveral);
    await one.differenceAt(other.path);
    await other.differenceAt(third.path);
    world.traffic.forget();
    await expect(third.differenceAt(one.path)).rejects.toThrow(/: resources of this program change places in a ring, /);
    expect(world.traffic.seen().filter((request) => !isProbe(request))).toEqual([]);
    expect(await third.differenceAt(world.fresh("free"))).toMatchObject({ changed: ["path"], replaces: [] });
  });

  it("is told what to do where the path of the one is that of the other, which moves later", async () => {
    const { one, other, world } = await openThree();
    await other.differenceAt(world.fresh("third"));
    await expect(one.moveTo(other.path)).rejects.toThrow(
      /^updating sys.AuthMount ".*": 400 path(?: is)? already in use at .* Another mount has that path\. If this program moves it as well, let this resource depend on it; .*third path first, in a run of its own\.$/,
    );
  });

  it("makes one, and moves one, where another one moves away, also where that begins later", async () => {
    const { one, other, third, world, mount, make } = await openThree();
    const [last, away] = [world.fresh("last"), world.fresh("away")];
    await one.differenceAt(last);
    await other.differenceAt(away);
    await third.differenceAt(other.path);
    const makes = make(definitions.sysAuthMount, mount.args);
    const follows = third.moveTo(other.path);
    await one.moveTo(last);
    await other.moveTo(away);
    await follows;
    expect((await makes).state["accessor"]).not.toBe(mount.made.state["accessor"]);
    const mounts = (await world.raw("secrets").call("GET sys/auth")) as Values;
    expect(mounts).toMatchObject({ [`${last}/`]: { accessor: mount.made.state["accessor"] } });
  });

  /** Three mounts of a program, in a new run. */
  async function openThree(isOfSeveral = false) {
    const { world, engine, mount, make } = await openMount();
    const command = new Command();
    const engineOf = () => (isOfSeveral ? engineWithLog(world.config(), [], command.open("preview")) : engine);
    const makeAt = async (path: string) => {
      const args = { path, type: "jwt" };
      return moving(args, await make(definitions.sysAuthMount, args));
    };
    const moving = ({ path }: Values, { id, state }: Recorded) => {
      const engine = engineOf();
      const inputsAt = async (to: string) =>
        (await engine.check(definitions.sysAuthMount, { path: to, type: "jwt" })).inputs;
      return {
        path: String(path),
        differenceAt: async (to: string) => engine.diff(definitions.sysAuthMount, state, await inputsAt(to)),
        moveTo: async (to: string) => engine.update(definitions.sysAuthMount, id, state, await inputsAt(to)),
      };
    };
    const [other, third] = [await makeAt(world.fresh("other")), await makeAt(world.fresh("third"))];
    engine.startRun();
    return { world, mount, make, one: moving(mount.args, mount.made), other, third };
  }
});

async function openMount() {
  const world = await openWorld();
  const engine = engineWithLog(world.config(), []);
  const make = async (definition: Definition, args: Values) =>
    engine.create(definition, (await engine.check(definition, args)).inputs);
  const args = { path: world.fresh("people"), type: "jwt" };
  return { world, engine, make, mount: { args, made: await make(definitions.sysAuthMount, args) } };
}
