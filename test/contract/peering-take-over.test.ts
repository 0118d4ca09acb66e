// @servers embedded consul

import { describe, expect, it } from "vitest";
import { hasResource, hostNames } from "../support/contract-host.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";
import { cases } from "./cases/index.ts";

closeServersAfterwards();

const hosts = hostNames.filter((name) => hasResource(name, "clusterPeeringToken"));

it.runIf(hosts.length > 0)("a pair is refused where it says that neither side may be taken over", async () => {
  const world = await openWorld();
  const { minimal } = await cases.clusterPeeredClusters.prepare(world);
  await world.raw("cluster").call("POST peering/token", { PeerName: minimal["acceptorPeerName"] });
  const up = (takeOver: string) =>
    createStack(world.host("engine", "clusterPeeredClusters")).up({ ...minimal, takeOver });
  await expect(up("never")).rejects.toThrow(/it exists already\. Import it/);
  expect(await up("same")).toBe("create");
});

describe.each(hosts)("a peering that is there already, through the %s host", (host) => {
  it("is taken over with its metadata, and not with another, which the server would ignore", async () => {
    const world = await openWorld();
    const stack = createStack(world.host(host, "clusterPeeringToken"));
    const peerName = world.fresh("peer");
    await world.raw("cluster").call("POST peering/token", { PeerName: peerName, Meta: { team: "theirs" } });
    await expect(stack.up({ peerName, meta: { team: "ours" } })).rejects.toThrow(
      /it exists already, with another meta \(\{"team":"theirs"\}\)/,
    );
    expect(await stack.up({ peerName, meta: { team: "theirs" } })).toBe("create");
    expect(await stack.preview({ peerName, meta: { team: "theirs" } })).toEqual({ step: "same", replaces: [] });
  });
});
