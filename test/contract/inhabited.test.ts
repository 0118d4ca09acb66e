// @servers embedded vault

import { describe, expect, it } from "vitest";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";
import { listsStaticRoles } from "./cases/mounts.ts";

closeServersAfterwards();

const jwtValidationPubkeys = [publicKeyPem()];

/** Mounts, a role that lives there, and a configuration. */
const homes = [
  {
    resource: "sysAuthMount",
    type: "jwt",
    mount: "sys/auth/",
    role: "auth/{path}/role/ci",
    body: { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] },
    config: "auth/{path}/config",
    settings: { jwt_validation_pubkeys: jwtValidationPubkeys },
    refusal: /jwt.?config .* is still there and would be lost: .*set `force` to `true` on/i,
  },
  {
    resource: "sysSecretsMount",
    type: "aws",
    mount: "sys/mounts/",
    role: "{path}/roles/ci",
    body: { credential_type: "iam_user", policy_arns: ["arn:aws:iam::aws:policy/ReadOnly"] },
    config: "{path}/config/root",
    settings: { region: "eu-central-1" },
    refusal: /cloud.?root_?config .* is still there and would be lost: .*set `force` to `true` on/i,
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

    const toKeepAll = name === "terraform" ? /a `removed` block/ : /`retainOnDelete` on the mount, too/;
    await expect(stack.destroy()).rejects.toThrow(toKeepAll);
    await expect(stack.destroy()).rejects.toThrow(/1 record is still in .*roles? \(ci\).*`force` to `true`/);
    expect(stack.entry()).toEqual(before);
    expect(await world.servers.stored("secrets", `${home.mount}${path}/`)).toBeDefined();

    await stack.up({ path, type, force: false });
    await expect(stack.destroy()).rejects.toThrow(/`force` to `true`/);
    expect(await world.servers.stored("secrets", `${home.mount}${path}/`)).toBeDefined();

    await stack.up({ path, type, force: true });
    await stack.destroy();
    expect(await world.servers.stored("secrets", `${home.mount}${path}/`)).toBeUndefined();
  });

  it.each(homes)("$resource is not deleted with a configuration that is all it has", async (home) => {
    const world = await openWorld();
    const stack = createStack(world.host(name, home.resource));
    const path = world.fresh("home");
    // Where static roles cannot be listed, that is refused before.
    if (home.type === "aws" && !listsStaticRoles) return;
    await stack.up({ path, type: home.type });
    await world.raw("secrets").call(`POST ${home.config.replace("{path}", path)}`, home.settings);

    await expect(stack.destroy()).rejects.toThrow(home.refusal);
    expect(await world.servers.stored("secrets", `${home.mount}${path}/`)).toBeDefined();

    await stack.up({ path, type: home.type, force: true });
    await stack.destroy();
    expect(await world.servers.stored("secrets", `${home.mount}${path}/`)).toBeUndefined();
  });

  // @covers beyond: Endpoints of groups > GET identity/group-alias/id?list=true
  it("an auth method is not deleted while a group has an alias there", async () => {
    const world = await openWorld();
    const stack = createStack(world.host(name, "sysAuthMount"));
    const [path, other] = [world.fresh("home"), world.fresh("other")];
    const raw = world.raw("secrets");
    await stack.up({ path, type: "jwt" });
    await raw.call(`POST sys/auth/${other}`, { type: "jwt" });
    const addGroup = async (group: string, accessor: unknown) => {
      const made = await raw.call("POST identity/group", { name: world.fresh(group), type: "external" });
      const body = { name: group, mount_accessor: accessor, canonical_id: Object(made).data.id };
      await raw.call("POST identity/group-alias", body);
    };
    await addGroup("elsewhere", Object(await raw.call("GET sys/auth")).data[`${other}/`].accessor);
    await addGroup("devs", stack.entry()?.outputs["accessor"]);

    const refusal =
      /1 group alias is still bound to it \(devs\) and would be lost\. Delete it first, or set `force` to `true`/;
    await expect(stack.destroy()).rejects.toThrow(refusal);
    expect(await world.servers.stored("secrets", `sys/auth/${path}/`)).toBeDefined();
  });

  it.each(homes)("$resource is not deleted where another hand has made it anew", async ({ resource, type, mount }) => {
    // Where static roles cannot be listed, that is refused before.
    if (type === "aws" && !listsStaticRoles) return;
    const world = await openWorld();
    const host = world.host(name, resource);
    const stack = createStack(host);
    const path = world.fresh("home");
    const raw = world.raw("secrets");
    await stack.up({ path, type });
    const accessor = stack.entry()?.outputs["accessor"];
    await raw.call(`DELETE ${mount}${path}`);
    await raw.call(`POST ${mount}${path}`, { type, description: "theirs" });

    await expect(stack.destroy()).rejects.toThrow(/another one is there than was recorded/);
    expect(host.log().join()).not.toContain("deleted all the same");
    expect(await world.servers.stored("secrets", `${mount}${path}/`)).toMatchObject({ description: "theirs" });

    const changed = stack.up({ path, type, description: "ours", takeOver: "always" });
    await expect(changed).rejects.toThrow(/another one is there than was recorded/);

    // Once a refresh has shown that it is gone, a creation takes over what is as the program says.
    await stack.refresh();
    await stack.up({ path, type, description: "theirs" });
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
      ? /1 record is still in .*\/static-roles \(app\).*`force` to `true`/
      : /this server cannot list .*\/static-roles.*`force` to `true`/;
    await expect(stack.destroy()).rejects.toThrow(refusal);
    await stack.up({ path, type: "aws", force: true });
    await stack.destroy();
    expect(await world.servers.stored("secrets", `sys/mounts/${path}/`)).toBeUndefined();
  });
});

describe("a mount goes with what the same run", () => {
  const resources = [
    ["sysAuthMount", "jwt", "jwtConfig", { jwtValidationPubkeys }],
    ["sysSecretsMount", "aws", "cloudRootConfig", { region: "eu-central-1" }],
    ["sysSecretsMount", "aws", "cloudRootConfig", { region: "eu-central-1", onDelete: "blank" }],
  ] as const;

  it.each(resources)("has forgotten: %s of type %s, %s %j", async (mount, type, config, args) => {
    if (type === "aws" && !listsStaticRoles) return;
    const { world, engine, make } = await openEngine();
    const path = world.fresh("home");
    const home = await make(mount, { path, type });
    const made = await make(config, { mount: path, ...args });
    engine.startRun();
    await engine.delete(definitions[config], made.id, made.state);
    await engine.delete(definitions[mount], home.id, home.state);
    expect(await engine.read(definitions[mount], home.id, home.state)).toBeUndefined();
  });

  it("makes anew: a configuration and a group's alias that name the mount by its path", async () => {
    const { world, engine, make } = await openEngine();
    const path = world.fresh("home");
    const args = {
      sysAuthMount: { path, type: "jwt" },
      jwtConfig: { mount: path, jwtValidationPubkeys },
      identityGroup: { name: world.fresh("devs"), type: "external", alias: { mount: path, name: "devs" } },
    };
    const home = await make("sysAuthMount", args.sysAuthMount);
    await make("jwtConfig", args.jwtConfig);
    await make("identityGroup", args.identityGroup);
    engine.startRun();
    // The preview sees the whole program, and the update that replaces the mount begins with the mount.
    await engine.check(definitions.jwtConfig, args.jwtConfig);
    await expect(engine.delete(definitions.sysAuthMount, home.id, home.state)).rejects.toThrow(/jwt\.Config/);
    const { inputs } = await engine.check(definitions.sysAuthMount, { path, type: "oidc" });
    await engine.diff(definitions.sysAuthMount, home.state, inputs);
    await expect(engine.delete(definitions.sysAuthMount, home.id, home.state)).rejects.toThrow(/1 group alias is/);
    await engine.check(definitions.identityGroup, args.identityGroup);
    await engine.delete(definitions.sysAuthMount, home.id, home.state);
    expect(await engine.read(definitions.sysAuthMount, home.id, home.state)).toBeUndefined();
  });

  async function openEngine() {
    const world = await openWorld();
    const engine = engineWithLog(world.config(), []);
    const make = async (resource: keyof typeof definitions, args: object) =>
      engine.create(definitions[resource], (await engine.check(definitions[resource], { ...args })).inputs);
    return { world, engine, make };
  }
});
