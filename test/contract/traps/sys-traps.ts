import { expect } from "vitest";
import { definitionOf } from "../../support/contract-case.ts";
import { expectSame, subjectOf, type Trap, trap } from "../../support/contract-trap.ts";

/** Traps of mounts, and of answers in general (reference secrets-server 6). */
export const sysTraps: readonly Trap[] = [
  // @covers beyond: Mounts > default_lease_ttl
  trap(38, "lifetimes of a mount that are inherited stay unset, although tuning shows them in effect", async () => {
    const { stack, ground, world } = await subjectOf("sysAuthMount");
    await stack.up(ground.minimal);
    const tuned = await world.raw("secrets").call(`GET sys/auth/${String(ground.minimal["path"])}/tune`);
    expect(tuned).toMatchObject({ data: { max_lease_ttl: 2764800 } });
    await stack.refresh();
    expect(stack.entry()?.inputs).not.toHaveProperty("maxLeaseTtl");
    expect(await stack.preview(ground.minimal)).toEqual({ step: "same", replaces: [] });
  }),
  trap(39, "slashes at the ends of a mount's path are no difference, and the id has none", async () => {
    const { ground } = await subjectOf("sysSecretsMount");
    const path = String(ground.minimal["path"]);
    const subject = await subjectOf("sysSecretsMount");
    await subject.stack.up({ ...subject.ground.minimal, path: `/${path}/` });
    expect(subject.stack.entry()?.id).toBe(`sys/mounts/${path}`);
    expect(await subject.stack.preview({ ...subject.ground.minimal, path })).toEqual({ step: "same", replaces: [] });
    const role = await subjectOf("jwtRole");
    const mount = String(role.ground.minimal["mount"]);
    await role.stack.up({ ...role.ground.minimal, mount: `${mount}/` });
    expect(await role.stack.preview(role.ground.minimal)).toEqual({ step: "same", replaces: [] });
  }),
  trap(41, "members of an answer that no row knows are ignored", async () => {
    const { stack } = await expectSame("sysAuthMount", {}, {});
    const { fields, outputs } = definitionOf("sysAuthMount");
    const known = [...Object.keys(fields), ...Object.keys(outputs), "server"];
    // The answer has these, and no row does.
    for (const name of ["uuid", "runningPluginVersion", "running_plugin_version"]) expect(known).not.toContain(name);
    expect(Object.keys(stack.entry()?.outputs ?? {}).filter((name) => !known.includes(name))).toEqual([]);
  }),
];
