// @servers embedded vault

import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";
import { jwtMount } from "./cases/mounts.ts";

closeServersAfterwards();

const { identityGroup, sysAuthMount } = definitions;
const settings = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };

const here = servicesUnderTest.includes("secrets") ? hostNames : [];

/** What another hand can give another name or path, and how. */
const renamings = [
  {
    resource: "identityGroup",
    property: "name",
    args: (name: string): Values => ({ name, policies: ["a"] }),
    change: { policies: ["b"] },
    id: (name: string) => `identity/group/name/${name}`,
    step: { step: "replace", replaces: ["name"] },
    rename: (to: string, { from, groupId }: Values) =>
      [`POST identity/group/id/${groupId}`, { name: to, from }] as const,
    theirs: (name: string) => ["identity/group/name/", name, { policies: ["theirs"] }] as const,
  },
  {
    resource: "sysAuthMount",
    property: "path",
    args: (path: string): Values => ({ path, type: "jwt" }),
    change: { description: "b" },
    id: (path: string) => `sys/auth/${path}`,
    step: { step: "update", replaces: [] },
    rename: (to: string, { from }: Values) => ["POST sys/remount", { from: `auth/${from}`, to: `auth/${to}` }] as const,
    theirs: (path: string) => ["sys/auth/", path, { type: "jwt", description: "theirs" }] as const,
  },
] as const;

describe.each(here)("what another hand has renamed, through the %s host", (hostName) => {
  it("has the same name in other letters, and is changed as ever", async () => {
    const world = await openWorld();
    const stack = createStack(world.host(hostName, "identityGroup"));
    const name = world.fresh("platform");
    await stack.up({ name, policies: ["a"] });
    const body = { name: name.toUpperCase(), policies: ["a"] };
    await world.raw("secrets").call(`POST identity/group/id/${stack.entry()?.outputs["groupId"]}`, body);
    expect(await stack.up({ name, policies: ["b"] })).toBe("update");
    await stack.refresh();
    expect(await stack.up({ name, policies: ["a"] })).toBe("update");
    await stack.destroy();
  });

  it.each(renamings)("is not gone, and no second one is made: $resource", async (its) => {
    const world = await openWorld();
    const raw = world.raw("secrets");
    const stack = createStack(world.host(hostName, its.resource));
    const [from, to] = [world.fresh("from"), world.fresh("to")];
    await stack.up(its.args(from));
    const [path, body] = its.rename(to, { ...stack.entry()?.outputs, from });
    await raw.call(path, body);
    const isThere = async (name: string) => {
      const lists = await Promise.all(
        ["sys/auth", "identity/group/name?list=true"].map((list) => raw.ask(`GET ${list}`)),
      );
      return JSON.stringify(lists).includes(name);
    };
    await expect.poll(() => isThere(to)).toBe(true);
    const what = new RegExp(`another hand has changed its ${its.property} to "${to}" since: .*Refresh`);
    await expect(stack.destroy()).rejects.toThrow(what);
    // Terraform refreshes before it plans.
    if (hostName !== "terraform") {
      const changed = { ...its.args(from), ...its.change };
      await expect(stack.preview(changed)).rejects.toThrow(what);
      await expect(stack.up(changed)).rejects.toThrow(what);
    }
    expect(await isThere(from)).toBe(false);
    // Where the token may not ask for it by its id, nobody knows whether it is gone.
    world.traffic.strikeAll(({ url }) => /identity\/group\/id\/|sys\/auth$/.test(url), "403");
    await expect(stack.refresh()).rejects.toThrow(/403/);
    world.traffic.calm();
    expect(await stack.refresh()).toBe(true);
    expect(stack.entry()).toMatchObject({ id: its.id(to), outputs: { [its.property]: to } });
    expect(await stack.preview(its.args(from))).toEqual(its.step);
    await stack.up(its.args(from));
    expect(await isThere(from)).toBe(true);
    expect(await isThere(to)).toBe(false);
  });

  it.each(renamings)("is not another one that has its name by now: $resource", async (its) => {
    const world = await openWorld();
    const raw = world.raw("secrets");
    const stack = createStack(world.host(hostName, its.resource));
    const [from, to] = [world.fresh("from"), world.fresh("to")];
    await stack.up(its.args(from));
    const ours = stack.entry()?.outputs;
    const [request, body] = its.rename(to, { ...ours, from });
    await raw.call(request, body);
    const [path, name, theirs] = its.theirs(from);
    await expect.poll(async () => (await raw.ask(`POST ${path}${name}`, theirs)).status).toBeLessThan(300);
    const what = new RegExp(`another hand has changed its ${its.property} to "${to}" since: .*Refresh`);
    await expect(stack.destroy()).rejects.toThrow(what);
    if (hostName !== "terraform") await expect(stack.up({ ...its.args(from), ...its.change })).rejects.toThrow(what);
    expect(await stack.refresh()).toBe(true);
    expect(stack.entry()).toMatchObject({ id: its.id(to), outputs: { [its.property]: to } });
    // The other one has the name that the program wants.
    await expect(stack.up(its.args(from))).rejects.toThrow(/exists already|already in use|path is already/);
    await stack.destroy();
    expect(JSON.stringify((await raw.ask(`GET ${path}${name}`)).body)).toContain("theirs");
  });
});

describe.each(here)("what another hand has made anew, through the %s host", (hostName) => {
  it("is neither changed nor deleted before a refresh has shown it, and then ours is gone", async () => {
    const world = await openWorld();
    const raw = world.raw("secrets");
    const stack = createStack(world.host(hostName, "identityGroup"));
    const name = world.fresh("team");
    await stack.up({ name, policies: ["a"] });
    await raw.call(`DELETE identity/group/name/${name}`);
    await raw.call(`POST identity/group/name/${name}`, { policies: ["theirs"] });
    const what = /somebody else has made another one since, with another group_?[iI]d\. Refresh/;
    await expect(stack.destroy()).rejects.toThrow(what);
    if (hostName !== "terraform") {
      await expect(stack.preview({ name, policies: ["b"] })).rejects.toThrow(what);
      await expect(stack.up({ name, policies: ["b"] })).rejects.toThrow(what);
    }
    const theirs = () => raw.call(`GET identity/group/name/${name}`);
    expect(await theirs()).toHaveProperty("data.policies", ["theirs"]);
    expect(await stack.refresh()).toBe(false);
    await expect(stack.up({ name, policies: ["a"] })).rejects.toThrow(
      /exists already with other content: policies \["theirs"\]/,
    );
    await stack.destroy();
    expect(await theirs()).toHaveProperty("data.policies", ["theirs"]);
  });

  it.runIf(hostName === "engine")("is not another resource's either, where the deletion was refused", async () => {
    const world = await openWorld();
    const engine = engineWithLog(world.config(), []);
    const { inputs } = await engine.check(identityGroup, { name: world.fresh("team"), policies: ["a"] });
    const { id, state } = await engine.create(identityGroup, inputs);
    await world.raw("secrets").call(`DELETE ${id}`);
    await world.raw("secrets").call(`POST ${id}`, { policies: ["theirs"] });
    engine.startRun();
    await expect(engine.delete(identityGroup, id, state)).rejects.toThrow(/somebody else has made another one since/);
    await expect(engine.create(identityGroup, inputs)).rejects.toThrow(/exists already with other content/);
  });

  it.runIf(hostName === "engine")("is not moved where it is a mount, also without a preview", async () => {
    const world = await openWorld();
    const engine = engineWithLog(world.config(), []);
    const inputsAt = async (path: string) => (await engine.check(sysAuthMount, { path, type: "jwt" })).inputs;
    const path = world.fresh("jobs");
    const { id, state } = await engine.create(sysAuthMount, await inputsAt(path));
    await world.raw("secrets").call(`DELETE sys/auth/${path}`);
    await world.raw("secrets").call(`POST sys/auth/${path}`, { type: "jwt", description: "theirs" });
    engine.startRun();
    const moving = engine.update(sysAuthMount, id, state, await inputsAt(world.fresh("moved")));
    await expect(moving).rejects.toThrow(/another one is there than was recorded/);
    expect(await world.raw("secrets").call("GET sys/auth")).toHaveProperty(
      ["data", `${path}/`, "description"],
      "theirs",
    );
  });

  it("is not taken for ours where it is a mount", async () => {
    const world = await openWorld();
    const raw = world.raw("secrets");
    const stack = createStack(world.host(hostName, "sysAuthMount"));
    const path = world.fresh("jobs");
    await stack.up({ path, type: "jwt" });
    await raw.call(`DELETE sys/auth/${path}`);
    await raw.call(`POST sys/auth/${path}`, { type: "jwt", description: "theirs" });
    if (hostName !== "terraform") {
      const what = /another one is there than was recorded: somebody else has made it since/;
      const elsewhere = { path: world.fresh("moved"), type: "jwt" };
      await expect(stack.preview(elsewhere)).rejects.toThrow(what);
      await expect(stack.up(elsewhere)).rejects.toThrow(what);
    }
    expect(await stack.refresh()).toBe(false);
    await stack.destroy();
    expect(await raw.call("GET sys/auth")).toHaveProperty(["data", `${path}/`, "description"], "theirs");
  });
});

describe.each(here)("a destroy through the %s host", (name) => {
  it("names what somebody else has changed since the last run, and deletes it all the same", async () => {
    const world = await openWorld();
    const raw = world.raw("secrets");
    const mount = await jwtMount(world);
    const path = `auth/${mount}/role/ci`;
    const host = world.host(name, "jwtRole");
    for (const policies of [undefined, ["root-like"]]) {
      const stack = createStack(host);
      await stack.up({ mount, name: "ci", ...settings, tokenTtl: "1h" });
      if (policies) await raw.call(`POST ${path}`, { role_type: "jwt", user_claim: "sub", token_policies: policies });
      await stack.destroy();
      expect((await raw.ask(`GET ${path}`)).status).toBe(404);
      const said = host.log().filter((line) => line.includes("somebody else has changed"));
      const property = name === "terraform" ? "token_policies" : "tokenPolicies";
      expect(said.length).toBe(policies ? 1 : 0);
      if (policies) expect(said[0]).toMatch(new RegExp(`"ci".*${property}.*It is deleted all the same`));
    }
  });

  it("names the groups that lose a group as their member", async () => {
    const world = await openWorld();
    const raw = world.raw("secrets");
    const [group, outer] = [world.fresh("people"), world.fresh("outer")];
    const host = world.host(name, "identityGroup");
    const stack = createStack(host);
    await stack.up({ name: group });
    const { groupId } = stack.entry()?.outputs ?? {};
    await raw.call(`POST identity/group/name/${outer}`, { member_group_ids: [groupId] });
    const path = `GET identity/group/name/${outer}`;
    expect((await raw.ask(path)).body).toHaveProperty("data.member_group_ids", [groupId]);
    const { id } = ((await raw.ask(path)).body as { data: { id: string } }).data;
    await stack.destroy();
    expect((await raw.ask(path)).body).not.toHaveProperty("data.member_group_ids", [groupId]);
    const said = host.log().filter((line) => line.includes(id));
    expect(said).toEqual([expect.stringMatching(new RegExp(`"${group}": the server takes it out of the`))]);
  });

  it("leaves a group that somebody else has made with another type", async () => {
    const world = await openWorld();
    const raw = world.raw("secrets");
    const group = world.fresh("people");
    const stack = createStack(world.host(name, "identityGroup"));
    await stack.up({ name: group });
    await raw.call(`DELETE identity/group/name/${group}`);
    await raw.call(`POST identity/group/name/${group}`, { type: "external" });
    await expect(stack.destroy()).rejects.toThrow(/another type \("external"\).*Refresh the state/);
    expect((await raw.ask(`GET identity/group/name/${group}`)).status).toBe(200);
    expect(await stack.refresh()).toBe(false);
    await stack.destroy();
    expect((await raw.ask(`GET identity/group/name/${group}`)).status).toBe(200);
  });

  it("leaves what is in a mount of another type, and takes the record out of the state", async () => {
    const world = await openWorld();
    const raw = world.raw("secrets");
    const mount = await jwtMount(world);
    const host = world.host(name, "jwtRole");
    const stack = createStack(host);
    await stack.up({ mount, name: "ci", ...settings });
    await raw.call(`DELETE sys/auth/${mount}`);
    await raw.call(`POST sys/auth/${mount}`, { type: "approle" });
    await raw.call(`POST auth/${mount}/role/ci`, { token_policies: ["theirs"] });
    world.traffic.forget();
    await stack.destroy();
    expect(stack.entry()).toBeUndefined();
    expect(world.traffic.seen().filter(({ method }) => method === "DELETE")).toEqual([]);
    const said = `mount "${mount}" is an approle mount now: the record went with the mount before it, and nothing is deleted`;
    expect(host.log().join("\n")).toContain(said);
  });
});

describe.each(here)("a configuration that is to be blanked, through the %s host", (hostName) => {
  it.each([
    [{ access_key: "AKIATHEIRS", secret_key: "theirs" }, "AKIATHEIRS"],
    [{ access_key: "AKIAOURS", secret_key: "ours", region: "eu-west-1" }, undefined],
  ])("stays where another hand has written another key: %j", async (theirs, stays) => {
    const world = await openWorld();
    const raw = world.raw("secrets");
    const mount = world.fresh("aws");
    await raw.call(`POST sys/mounts/${mount}`, { type: "aws" });
    const host = world.host(hostName, "cloudRootConfig", { takeOver: "always" });
    const stack = createStack(host);
    await stack.up({ mount, accessKey: "AKIAOURS", secretKey: "ours", onDelete: "blank" });
    await raw.call(`POST ${mount}/config/root`, theirs);
    await stack.destroy();
    const { data } = (await raw.call(`GET ${mount}/config/root`)) as { data: Values };
    expect(data["access_key"] || undefined).toBe(stays);
    const what = stays
      ? /another access_?[kK]ey by now \(AKIATHEIRS\), .* is not blanked/
      : /It is blanked all the same/;
    expect(host.log().join()).toMatch(what);
  });
});
