// @servers embedded vault

import { describe, expect, it } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { identityGroup } from "../../provider/resources/identity/group.ts";
import { definitions } from "../../provider/resources/index.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";

closeServersAfterwards();

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

    await engine.update(definitions.sysAuthMount, mount.made.id, mount.made.state, inputs);
    engine.startRun();
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

  it("makes the group anew at another mount where nobody can say whether it is the same", async () => {
    const { world, differenceAt } = await openGroup();
    world.traffic.strikeAll(({ url }) => url.includes("/identity/group"), "503");
    expect(await differenceAt(world.fresh("other"))).toMatchObject({ replaces: ["alias"] });
  });

  /** A mount and a group that has its alias there, made by one run. */
  async function openGroup() {
    const world = await openWorld();
    const engine = engineWithLog(world.config(), []);
    const make = async (definition: Definition, args: Values) =>
      engine.create(definition, (await engine.check(definition, args)).inputs);
    const args = { path: world.fresh("people"), type: "jwt" };
    const mount = { args, made: await make(definitions.sysAuthMount, args) };
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
