// @servers embedded vault

import { expect, it } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import type { Engine } from "../../provider/engine/engine.ts";
import type { Declarer } from "../../provider/engine/run.ts";
import { definitions } from "../../provider/resources/index.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import { jwtMount } from "./cases/mounts.ts";

closeServersAfterwards();

const hasVault = servicesUnderTest.includes("secrets");
const settings = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };

async function openProgram() {
  const world = await openWorld();
  const engine = engineWithLog(world.config(), []);
  const mount = hasVault ? await jwtMount(world) : "";
  const role = (name = "r", more: Values = {}) => ({ mount, name, ...settings, ...more });
  const set = (...names: readonly string[]) => ({
    mount,
    defaults: settings,
    roles: Object.fromEntries(names.map((name) => [name, {}])),
  });
  return { world, engine, mount, role, set };
}

/** Checks as a preview does; the host is told a resource's name, or is not. */
const checking = (engine: Engine) => ({
  async named(name: string, definition: Definition, news: Values, olds: Values = {}) {
    const { failures } = await engine.check(definition, news, olds, { by: `urn::${name}`, name });
    return failures.map(({ property, reason }) => `${property}: ${reason}`);
  },
  async unnamed(definition: Definition, news: Values, olds: Values = {}) {
    const { failures } = await engine.check(definition, news, olds, {} satisfies Declarer);
    return failures.map(({ reason }) => reason);
  },
});

const { jwtRole, jwtRoleSet, policyParameter } = definitions;

it.runIf(hasVault)(
  "one record of two resources is refused in the preview by their names, however it is written",
  async () => {
    const { engine, mount, role, set } = await openProgram();
    const { named } = checking(engine);
    const says = (one: string, other: string) =>
      `\`${one}\` and \`${other}\` both declare jwt.Role auth/${mount}/role/r: remove one of the two`;
    expect(await named("r", jwtRole, role())).toEqual([]);
    expect(await named("r2", jwtRole, role())).toEqual([`name: ${says("r2", "r")}`]);
    expect(await named("r3", jwtRole, role("R", { mount: `/${mount}/` }))).toEqual([`name: ${says("r3", "r")}`]);
    expect(await named("s", jwtRoleSet, set("x", "r"))).toEqual([`roles.r: ${says("s", "r")}`]);
    expect(await named("t", jwtRoleSet, set("x"))).toEqual([expect.stringContaining("`t` and `s` both declare")]);
    // One that had another record goes to a record that stays another one's.
    expect(await named("r4", jwtRole, role(), role("q"))).toEqual([`name: ${says("r4", "r")}`]);
  },
);

it.runIf(hasVault)(
  "one alias of two groups is refused in the preview by their names, and given from one to the other",
  async () => {
    const { engine, mount } = await openProgram();
    const { named, unnamed } = checking(engine);
    const group = (name: string, alias?: string) => ({
      name,
      type: "external",
      ...(alias === undefined ? {} : { alias: { mount, name: alias } }),
    });
    const { identityGroup } = definitions;
    expect(await named("a", identityGroup, group("a", "devs"))).toEqual([]);
    expect(await named("b", identityGroup, group("b", "devs"))).toEqual([
      `alias: \`b\` and \`a\` both declare the alias "devs" of auth/${mount}: remove one of the two`,
    ]);
    expect(await named("c", identityGroup, group("c", "others"))).toEqual([]);
    engine.startRun();
    // What had it gives it up in this run.
    expect(await named("b", identityGroup, group("b", "devs"), group("b"))).toEqual([]);
    expect(await named("a", identityGroup, group("a"), group("a", "devs"))).toEqual([]);
    engine.startRun();
    // A group that gets another name is made anew, and checked twice.
    expect(await unnamed(identityGroup, group("c", "devs"), group("a", "devs"))).toEqual([]);
    expect(await unnamed(identityGroup, group("c", "devs"))).toEqual([]);
    expect(await unnamed(identityGroup, group("d", "devs"))).toEqual([
      `two resources of this program declare the alias "devs" of auth/${mount}: remove one of the two`,
    ]);
  },
);

it.runIf(hasVault)("a resource is one, however often a run checks it, and what the state has twice stays", async () => {
  const { engine, role, set } = await openProgram();
  const { named } = checking(engine);
  for (const olds of [role(), {}, role("q")]) expect(await named("r", jwtRole, role(), olds)).toEqual([]);
  engine.startRun();
  // The old name of a resource that is renamed without an alias, and a record that leaves a set, are declared by nobody.
  expect(await named("r2", jwtRole, role())).toEqual([]);
  expect(await named("s", jwtRoleSet, set("x"), set("x", "r"))).toEqual([]);
  engine.startRun();
  expect(await named("r", jwtRole, role(), role())).toEqual([]);
  expect(await named("r2", jwtRole, role(), role())).toEqual([]);
  expect(await named("r3", jwtRole, role("unknown"))).toEqual([]);
});

it.runIf(hasVault)("a host that is not told names tells a resource that is made anew from a second one", async () => {
  const { engine, mount, role } = await openProgram();
  const { unnamed } = checking(engine);
  const twice = `two resources of this program declare jwt.Role auth/${mount}/role/r: remove one of the two`;
  expect(await unnamed(jwtRole, role())).toEqual([]);
  expect(await unnamed(jwtRole, role())).toEqual([twice]);

  for (const olds of [role("q"), role("r", { tokenTtl: 60 })]) {
    engine.startRun();
    expect(await unnamed(jwtRole, role(), olds)).toEqual([]);
    await engine.diff(jwtRole, olds, role());
    // What `ignoreChanges` kept is not kept for a new record.
    expect(await unnamed(jwtRole, role("r", { tokenTtl: 90 }))).toEqual([]);
  }
  // A run before this one has deleted it to make it anew, and failed.
  engine.startRun();
  expect(await unnamed(jwtRole, role(), role())).toEqual([]);
  await engine.diff(jwtRole, role(), role());
  expect(await unnamed(jwtRole, role())).toEqual([]);

  await engine.create(jwtRole, role());
  engine.startRun();
  expect(await unnamed(jwtRole, role(), role())).toEqual([]);
  await engine.diff(jwtRole, role(), role());
  expect(await unnamed(jwtRole, role())).toEqual([twice]);
});

it("a key of one policy set is one record, whose id the server gives", async ({ skip }) => {
  skip(!servicesUnderTest.includes("policy"), "no HCP Terraform is among these servers");
  const { world, engine } = await openProgram();
  const { named } = checking(engine);
  const args = { policySetId: world.servers.policy?.policySet, key: "region", value: "eu" };
  expect(await named("p", policyParameter, args)).toEqual([]);
  expect(await named("q", policyParameter, { ...args, value: "us" })).toEqual([
    `key: \`q\` and \`p\` both declare policy.Parameter ${args.policySetId}/region: remove one of the two`,
  ]);
});
