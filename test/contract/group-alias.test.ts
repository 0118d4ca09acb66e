// @servers embedded vault

import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { identityGroup } from "../../provider/resources/identity/group.ts";
import { hostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openSubject, type Subject } from "../support/contract-subject.ts";
import { lineOf, type SeenRequest } from "../support/contract-traffic.ts";
import { openWorld } from "../support/contract-world.ts";
import { hurried } from "../support/hurried.ts";
import { cases } from "./cases/index.ts";
import { jwtMount } from "./cases/mounts.ts";

closeServersAfterwards();

const here = servicesUnderTest.includes("secrets") ? hostNames : [];

/** The group and its alias are two records: whatever happens between the two writes, the next run completes it. */
describe.each(here)("the alias of a group, through the %s host", (host) => {
  const open = () => openSubject({ resource: "identityGroup", host, of: cases.identityGroup });
  const isAliasWrite = ({ method, url }: SeenRequest) => method !== "GET" && url.includes("/group-alias");
  const aliasWrites = ({ world }: Subject) => world.traffic.seen().filter(isAliasWrite).map(lineOf);
  const isDone = async ({ stack }: Subject, args: Values) => {
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
  };

  // @covers beyond: Endpoints of groups > POST identity/group-alias
  it("that was refused is missing in the state, and the next run sends it", async () => {
    const subject = await open();
    const { stack, ground, world } = subject;
    world.traffic.strikeAll(isAliasWrite, "403");
    await expect(stack.up(ground.full)).rejects.toThrow(/it was written, but its alias was not: 403/);
    world.traffic.calm();
    expect(stack.entry()).toMatchObject({ id: ground.id, unfinished: true });
    stack.untaint();
    expect(stack.entry()?.outputs).not.toHaveProperty("alias");
    // A refresh clears the mark of an unfinished record: what is wrong with it must be a difference.
    expect(await stack.refresh()).toBe(true);
    expect((await stack.preview(ground.full)).step).toBe("update");
    world.traffic.forget();
    expect(await stack.up(ground.full)).toBe("update");
    expect(aliasWrites(subject)).toEqual(["POST /v1/identity/group-alias"]);
    await isDone(subject, ground.full);
  });

  it("whose write was done and got no answer is found by the next run, which does not write it again", async () => {
    const subject = await open();
    const { stack, ground, world } = subject;
    world.traffic.strikeAll(isAliasWrite, "a connection cut after the server has done it");
    await expect(stack.up(ground.full)).rejects.toThrow(/its alias was not/);
    world.traffic.calm();
    stack.untaint();
    world.traffic.forget();
    expect(await stack.up(ground.full)).toBe("update");
    expect(aliasWrites(subject)).toEqual([]);
    await isDone(subject, ground.full);
  });

  it("that is not there after its write is an error, and is written by the next run", async () => {
    const subject = await open();
    const { stack, ground, world } = subject;
    const raw = world.raw("secrets");
    const isReadBack = ({ method }: SeenRequest) => method === "GET" && aliasWrites(subject).length === 1;
    world.traffic.hold(isReadBack, async () => {
      const shown = await raw.call(`GET ${String(ground.id)}`);
      await raw.call(`DELETE identity/group-alias/id/${Object(shown).data.alias.id}`);
    });
    await expect(hurried(() => stack.up(ground.full))).rejects.toThrow(
      /did not refuse it, and it is not as it was written/,
    );
    expect(stack.entry()).toMatchObject({ unfinished: true });
    stack.untaint();
    expect(await stack.up(ground.full)).toBe("update");
    await isDone(subject, ground.full);
  });

  // @covers beyond: Groups > id
  // @covers beyond: Groups > alias
  it("changes in place, and keeps its id", async () => {
    const subject = await open();
    const { stack, ground, world } = subject;
    await stack.up(ground.full);
    const { aliasId, groupId } = stack.entry()?.outputs ?? {};
    expect(aliasId).toBeTruthy();
    const moved = { ...ground.full, alias: { ...Object(ground.full["alias"]), name: "operators" } };
    world.traffic.strikeAll(isAliasWrite, "503");
    await expect(stack.up(moved)).rejects.toThrow(/its alias was not: 503/);
    world.traffic.calm();
    expect(stack.entry()?.outputs).toMatchObject({ alias: ground.full["alias"], aliasId });
    expect(await stack.up(moved)).toBe("update");
    expect(stack.entry()?.outputs).toMatchObject({ alias: moved.alias, aliasId, groupId });
    await isDone(subject, moved);
  });

  it("at another mount is another group's: who came through the old mount would stay in this one", async () => {
    const subject = await open();
    const { stack, ground, world } = subject;
    await stack.up(ground.full);
    const { groupId } = stack.entry()?.outputs ?? {};
    const moved = { ...ground.full, alias: { mount: await jwtMount(world), name: "engineers" } };
    expect(await stack.preview(moved)).toEqual({ step: "replace", replaces: ["alias"] });
    await stack.up(moved);
    expect(stack.entry()?.outputs["groupId"]).not.toBe(groupId);
    await isDone(subject, moved);
  });

  // @covers beyond: Endpoints of groups > DELETE identity/group-alias/id/{id}
  it("that the program gives up is deleted, also where the first attempt fails", async () => {
    const subject = await open();
    const { stack, ground, world } = subject;
    await stack.up(ground.full);
    const { aliasId } = stack.entry()?.outputs ?? {};
    const without = { ...ground.full, alias: undefined };
    world.traffic.strikeAll(isAliasWrite, "403");
    await expect(stack.up(without)).rejects.toThrow(/its alias was not: 403/);
    world.traffic.calm();
    expect((await stack.preview(without)).step).toBe("update");
    world.traffic.forget();
    await stack.up(without);
    expect(aliasWrites(subject)).toEqual([`DELETE /v1/identity/group-alias/id/${String(aliasId)}`]);
    expect(stack.entry()?.outputs).not.toHaveProperty("aliasId");
    await isDone(subject, without);
  });

  it("that another group has is refused, and given once that group is without it", async () => {
    const first = await open();
    await first.stack.up(first.ground.full);
    const second = createStack(first.world.host(host, "identityGroup"));
    const name = first.world.fresh("other");
    const args = { name, type: "external", alias: first.ground.full["alias"] };
    const refusal = /name is already in use .*Another group has this alias: remove it there first/;
    await expect(second.up(args)).rejects.toThrow(refusal);
    expect(second.entry()).toMatchObject({ id: `identity/group/name/${name}`, unfinished: true });
    second.untaint();
    await first.stack.up({ ...first.ground.full, alias: undefined });
    expect(await second.up(args)).toBe("update");
    expect(await second.preview(args)).toEqual({ step: "same", replaces: [] });
  });

  it("at a mount that is not there is refused before anything is written", async () => {
    const { stack, ground, world, stored } = await open();
    const args = { ...ground.full, alias: { mount: world.fresh("nowhere"), name: "x" } };
    await expect(stack.up(args)).rejects.toThrow(/no auth method is mounted at alias\.mount, "nowhere/);
    const doubled = { ...args, alias: { ...Object(ground.full["alias"]), mount: "auth/jwt" } };
    await expect(stack.up(doubled)).rejects.toThrow(/at alias\.mount, "auth\/jwt"\. Write it without `auth\/`\./);
    expect(stack.entry()).toBeUndefined();
    expect(await stored()).toBeUndefined();
    expect(world.traffic.seen().every(({ method }) => method === "GET")).toBe(true);
  });

  // @covers beyond: Groups > alias
  it("of a mount that was made anew is drift, and is given the new accessor", async () => {
    const subject = await open();
    const { stack, ground, world } = subject;
    const raw = world.raw("secrets");
    await stack.up(ground.full);
    const { mount } = Object(ground.full["alias"]);
    await raw.call(`DELETE sys/auth/${mount}`);
    expect(await stack.refresh()).toBe(true);
    expect(stack.entry()?.inputs).not.toHaveProperty("alias");
    await expect(stack.up(ground.full)).rejects.toThrow(/no auth method is mounted/);
    await raw.call(`POST sys/auth/${mount}`, { type: "jwt" });
    expect(await stack.up(ground.full)).toBe("update");
    const shown = await raw.call(`GET ${String(ground.id)}`);
    expect(shown).toMatchObject({ data: { alias: { mount_path: `auth/${mount}/`, name: "engineers" } } });
    await isDone(subject, ground.full);
  });

  it("follows a mount that is renamed: the old path is drift, the new one is no change", async () => {
    const subject = await open();
    const { stack, ground, world } = subject;
    const raw = world.raw("secrets");
    await stack.up(ground.full);
    const { mount } = Object(ground.full["alias"]);
    const to = world.fresh("renamed");
    const { migration_id: move } = Object(
      await raw.call("POST sys/remount", { from: `auth/${mount}`, to: `auth/${to}` }),
    );
    const isMoved = async () => JSON.stringify(await raw.call(`GET sys/remount/status/${move}`));
    await expect.poll(isMoved, { timeout: 10_000 }).toContain("success");
    expect(await stack.refresh()).toBe(true);
    expect(stack.entry()?.inputs["alias"]).toEqual({ mount: to, name: "engineers" });
    // The program says another mount than the alias has, which is not there: what the preview of a host finds, too.
    if (host === "terraform")
      await expect(stack.preview(ground.full)).rejects.toThrow(/nothing is mounted at alias\.mount/);
    else expect((await stack.preview(ground.full)).step).toBe("replace");
    const renamed = { ...ground.full, alias: { mount: to, name: "engineers" } };
    expect(await stack.preview(renamed)).toEqual({ step: "same", replaces: [] });
  });

  it("of a group that is there already becomes the program's", async () => {
    const subject = await open();
    const { stack, ground, world } = subject;
    await stack.up(ground.full);
    const taken = createStack(world.host(host, "identityGroup", { takeOver: "always" }));
    const args = { ...ground.full, alias: { ...Object(ground.full["alias"]), name: "operators" } };
    await taken.up(args);
    expect(taken.entry()?.outputs).toMatchObject({ aliasId: stack.entry()?.outputs["aliasId"] });
    expect(await taken.preview(args)).toEqual({ step: "same", replaces: [] });
  });
});

it.runIf(here.length > 0)(
  "two groups of one program whose names differ in letter case are one group, and refused",
  async () => {
    const world = await openWorld();
    const engine = engineWithLog(world.config(), []);
    const name = world.fresh("platform");
    const made = async (args: Values) => engine.create(identityGroup, (await engine.check(identityGroup, args)).inputs);
    await made({ name });
    await expect(made({ name: name.toUpperCase() })).rejects.toThrow(/two resources of this program declare/);
  },
);

it.runIf(here.length > 0)("a preview says that another group has the alias, before the rest is written", async () => {
  const world = await openWorld();
  const lines: string[] = [];
  const engine = engineWithLog(world.config(), lines);
  const [mount, theirs, ours] = [await jwtMount(world), world.fresh("theirs"), world.fresh("ours")];
  const args = { name: ours, type: "external", alias: { mount, name: "people" } };
  await engine.create(identityGroup, { ...args, name: theirs });
  const isTaken = expect.stringMatching(
    `^warning: identity.Group "${ours}": this update will be refused, unless .+: another group \\(.+\\) has its alias`,
  );
  await engine.foresee(identityGroup, args);
  expect(lines.splice(0)).toEqual([isTaken]);
  const other = { ...args, alias: { mount, name: "others" } };
  const { state } = await engine.create(identityGroup, other);
  await engine.foresee(identityGroup, { ...args, policies: ["more"] }, { olds: state });
  expect(lines.splice(0)).toEqual([isTaken]);
  await engine.foresee(identityGroup, { ...other, policies: ["more"] }, { olds: state });
  await engine.foresee(identityGroup, { ...other, alias: { mount, name: "free" } }, { olds: state });
  const weak = engineWithLog(world.config({ token: "hvs.nobody" }), lines);
  await weak.foresee(identityGroup, args);
  expect(lines.filter((line) => line.includes("alias"))).toEqual([]);
});

describe.each(here)("a group, through the %s host", (host) => {
  const open = () => openSubject({ resource: "identityGroup", host, of: cases.identityGroup });

  // @covers beyond: Groups > type
  it("of another type that is there already is refused", async () => {
    const { stack, world } = await open();
    const name = world.fresh("internal");
    await world.raw("secrets").call(`POST identity/group/name/${name}`, {});
    await expect(stack.up({ name, type: "external" })).rejects.toThrow(
      /it exists already, with another type \("internal"\)/,
    );
  });

  it("has the same name in any letter case", async () => {
    const { stack, ground } = await open();
    await stack.up(ground.full);
    const louder = { ...ground.full, name: String(ground.full["name"]).toUpperCase() };
    expect(await stack.preview(louder)).toEqual({ step: "same", replaces: [] });
  });

  it("with blanks, slashes and signs in its name lives like any other", async () => {
    const { stack, world } = await open();
    const args = { name: `${world.fresh("Ops")} / on-call, ü #1?%20`, policies: ["a"] };
    expect(await stack.up(args)).toBe("create");
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
    const changed = { ...args, policies: ["b"] };
    expect(await stack.up(changed)).toBe("update");
    await stack.destroy();
    const { status } = await world.raw("secrets").ask(`GET identity/group/name/${encodeURIComponent(args.name)}`);
    expect(status).toBe(404);
  });

  // @covers beyond: Groups > member_entity_ids
  it("that is external does not show who is in it: logins decide that", async () => {
    const { stack, ground } = await open();
    await stack.up(ground.full);
    expect(await stack.adopt(String(ground.id))).not.toHaveProperty("memberEntityIds");
  });
});
