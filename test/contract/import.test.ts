// @servers embedded

import { describe, expect, it } from "vitest";
import { type HostName, hostNames, pulumiHostNames } from "../support/contract-host.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";

closeServersAfterwards();

const isHere = servicesUnderTest.includes("policy");

async function openParameter(name: HostName) {
  const world = await openWorld();
  const { policySet } = world.servers.policy;
  const key = world.fresh("key");
  const made = createStack(world.host(name, "policyParameter"));
  await made.up({ policySetId: policySet, key, value: "1" });
  return { world, policySet, key, id: made.entry()?.id };
}

describe.each(isHere ? hostNames : [])("an import through the %s host", (name) => {
  it("takes the key of a parameter for its id, and records the id", async () => {
    const { world, policySet, key, id } = await openParameter(name);
    const stack = createStack(world.host(name, "policyParameter"));

    expect(await stack.adopt(`${policySet}/${key}`)).toMatchObject({ policySetId: policySet, key, value: "1" });

    expect(stack.entry()).toMatchObject({ id, outputs: { parameterId: id?.split("/")[1] } });
    expect(await stack.preview({ policySetId: policySet, key, value: "1" })).toEqual({ step: "same", replaces: [] });
  });
});

describe.each(isHere ? pulumiHostNames : [])("a read through the %s host", (name) => {
  it("takes no other parameter for one that is gone, although its key is the id that is looked for", async () => {
    const { world, policySet, key, id = "" } = await openParameter(name);
    const host = world.host(name, "policyParameter");
    const [, parameterId = ""] = id.split("/");
    await createStack(host).up({ policySetId: policySet, key: parameterId });

    const gone = { policySetId: policySet, parameterId: key, key: "gone" };
    expect(await host.read(`${policySet}/${key}`, gone)).toBeUndefined();
  });
});
