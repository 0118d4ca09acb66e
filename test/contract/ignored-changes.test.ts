// @servers embedded vault

import { describe, expect, it } from "vitest";
import { hostNames, pulumiHostNames } from "../support/contract-host.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";
import { jwtMount } from "./cases/mounts.ts";

closeServersAfterwards();

const settings = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
const hosts = servicesUnderTest.includes("secrets") ? pulumiHostNames.filter((name) => hostNames.includes(name)) : [];

/** A write sends the whole record, also what the program leaves to others. */
describe.each(hosts)("ignoreChanges through the %s host", (name) => {
  it("leaves what another hand has put into the property since the state was recorded", async () => {
    const world = await openWorld();
    const raw = world.raw("secrets");
    const mount = await jwtMount(world);
    const path = `auth/${mount}/role/ci`;
    const stack = createStack(world.host(name, "jwtRole"));
    const args = { mount, name: "ci", ...settings, tokenPolicies: ["ours"], boundClaims: { team: "a", ref: "main" } };
    await stack.up(args);
    const ignoring = ["tokenPolicies", "boundClaims.team"];
    const theirs = { token_policies: ["ours", "theirs"], bound_claims: { team: "b", ref: "other" } };
    await raw.call(`POST ${path}`, { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"], ...theirs });

    expect(await stack.up({ ...args, tokenPolicies: ["other"], userClaim: "email" }, { ignoring })).toBe("update");

    expect(await raw.call(`GET ${path}`)).toMatchObject({
      data: {
        user_claim: "email",
        token_policies: ["ours", "theirs"],
        bound_claims: { team: "b", ref: "main" },
      },
    });
    expect(await stack.up({ ...args, userClaim: "email" }, { ignoring })).toBe("same");
    await stack.refresh();
    expect(await stack.up({ ...args, userClaim: "email" }, { ignoring })).toBe("same");
  });

  it("leaves members of a group to whoever adds them", async () => {
    const world = await openWorld();
    const raw = world.raw("secrets");
    const [one, two] = [await groupOf(), await groupOf()];
    const group = world.fresh("people");
    const stack = createStack(world.host(name, "identityGroup"));
    await stack.up({ name: group, memberGroupIds: [one] });
    await raw.call(`POST identity/group/name/${group}`, { member_group_ids: [one, two] });

    await stack.up({ name: group, memberGroupIds: [], metadata: { owner: "us" } }, { ignoring: ["memberGroupIds"] });

    const { data } = (await raw.call(`GET identity/group/name/${group}`)) as { data: Record<string, unknown> };
    expect(data["metadata"]).toEqual({ owner: "us" });
    expect((data["member_group_ids"] as string[]).sort()).toEqual([one, two].sort());

    async function groupOf(): Promise<string> {
      const { data } = (await raw.call("POST identity/group", { name: world.fresh("member") })) as {
        data: { id: string };
      };
      return data.id;
    }
  });

  it("leaves a setting of one record of a set", async () => {
    const world = await openWorld();
    const raw = world.raw("secrets");
    const mount = await jwtMount(world);
    const stack = createStack(world.host(name, "jwtRoleSet"));
    const roles = { ci: { tokenPolicies: ["ours"] }, other: {} };
    await stack.up({ mount, defaults: settings, roles });
    const theirs = { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"], token_policies: ["theirs"] };
    await raw.call(`POST auth/${mount}/role/ci`, theirs);
    const ignoring = ["roles.ci.tokenPolicies"];
    const changed = { mount, defaults: { ...settings, userClaim: "email" }, roles };

    await stack.up(changed, { ignoring });

    expect(await raw.call(`GET auth/${mount}/role/ci`)).toMatchObject({
      data: { user_claim: "email", token_policies: ["theirs"] },
    });
    expect(await stack.up(changed, { ignoring })).toBe("same");
  });
});
