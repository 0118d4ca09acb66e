// @servers embedded vault

import { describe, expect, it } from "vitest";
import { hostNames } from "../support/contract-host.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";
import { listsStaticRoles } from "./cases/mounts.ts";

closeServersAfterwards();

/** Mounts, and a role that lives there. */
const homes = [
  {
    resource: "sysAuthMount",
    type: "jwt",
    mount: "sys/auth/",
    role: "auth/{path}/role/ci",
    body: { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] },
  },
  {
    resource: "sysSecretsMount",
    type: "aws",
    mount: "sys/mounts/",
    role: "{path}/roles/ci",
    body: { credential_type: "iam_user", policy_arns: ["arn:aws:iam::aws:policy/ReadOnly"] },
  },
] as const;

describe.each(hostNames)("a mount in which roles live, through the %s host", (name) => {
  // @covers beyond: Endpoints > DELETE sys/auth/{path}
  // @covers beyond: Endpoints > DELETE sys/mounts/{path}
  it.each(homes)("$resource is not deleted with them, unless it is forced", async ({ resource, type, ...home }) => {
    const world = await openWorld();
    const stack = createStack(world.host(name, resource));
    const path = world.fresh("home");
    await stack.up({ path, type });
    await world.raw("secrets").call(`POST ${home.role.replace("{path}", path)}`, home.body);
    const before = stack.entry();

    await expect(stack.destroy()).rejects.toThrow(/1 record still lives in .*roles? \(ci\).*force: true/);
    expect(stack.entry()).toEqual(before);
    expect(await world.servers.stored("secrets", `${home.mount}${path}/`)).toBeDefined();

    await stack.up({ path, type, force: false });
    await expect(stack.destroy()).rejects.toThrow(/force: true/);
    expect(await world.servers.stored("secrets", `${home.mount}${path}/`)).toBeDefined();

    await stack.up({ path, type, force: true });
    await stack.destroy();
    expect(await world.servers.stored("secrets", `${home.mount}${path}/`)).toBeUndefined();
  });

  it.each(homes)("$resource is not deleted where another hand has made it anew", async ({ resource, type, mount }) => {
    const world = await openWorld();
    const stack = createStack(world.host(name, resource));
    const path = world.fresh("home");
    const raw = world.raw("secrets");
    await stack.up({ path, type });
    const accessor = stack.entry()?.outputs["accessor"];
    await raw.call(`DELETE ${mount}${path}`);
    await raw.call(`POST ${mount}${path}`, { type, description: "theirs" });

    await expect(stack.destroy()).rejects.toThrow(/another one is there than was recorded.*force: true/);
    expect(await world.servers.stored("secrets", `${mount}${path}/`)).toMatchObject({ description: "theirs" });

    // As a creation does, a change takes over what is of the same type.
    await stack.up({ path, type, description: "ours" });
    if (name === "terraform") await stack.refresh();
    expect(stack.entry()?.outputs["accessor"]).not.toBe(accessor);
    await stack.destroy();
    expect(await world.servers.stored("secrets", `${mount}${path}/`)).toBeUndefined();
  });

  // @covers beyond: Endpoints > GET {mount}/static-roles?list=true
  it("static roles count too; where they cannot be listed, the mount is deleted by force only", async () => {
    const world = await openWorld();
    const stack = createStack(world.host(name, "sysSecretsMount"));
    const path = world.fresh("home");
    await stack.up({ path, type: "aws" });
    const raw = world.raw("secrets");
    const username = world.fresh("user");
    await world.servers.cloudUser(username);
    await raw.call(`POST ${path}/config/root`, await world.servers.cloudUser(world.fresh("root")));
    await raw.call(`POST ${path}/static-roles/app`, { username, rotation_period: "1h" });

    const refusal = listsStaticRoles
      ? /1 record still lives in .*\/static-roles \(app\).*force: true/
      : /this server cannot list .*\/static-roles.*force: true/;
    await expect(stack.destroy()).rejects.toThrow(refusal);
    await stack.up({ path, type: "aws", force: true });
    await stack.destroy();
    expect(await world.servers.stored("secrets", `sys/mounts/${path}/`)).toBeUndefined();
  });
});
