// @servers embedded vault

import { describe, expect, it } from "vitest";
import { hostNames } from "../support/contract-host.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";
import { jwtMount } from "./cases/mounts.ts";

closeServersAfterwards();

const settings = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };

describe.each(servicesUnderTest.includes("secrets") ? hostNames : [])("a destroy through the %s host", (name) => {
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
    await stack.refresh();
    await stack.destroy();
    expect((await raw.ask(`GET identity/group/name/${group}`)).status).toBe(404);
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
