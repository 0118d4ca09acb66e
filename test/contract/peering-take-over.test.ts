// @servers embedded consul

import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hasResource, hostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";
import { cases } from "./cases/index.ts";

closeServersAfterwards();

const { clusterPeeredClusters } = definitions;

const hosts = hostNames.filter((name) => hasResource(name, "clusterPeeringToken"));

it.runIf(hosts.length > 0)("a pair is refused where it says that neither side may be taken over", async () => {
  const world = await openWorld();
  const { minimal } = await cases.clusterPeeredClusters.prepare(world);
  await world.raw("cluster").call("POST peering/token", { PeerName: minimal["acceptorPeerName"] });
  const up = (takeOver: string) =>
    createStack(world.host("engine", "clusterPeeredClusters")).up({ ...minimal, takeOver });
  await expect(up("never")).rejects.toThrow(/it exists already.*, and `takeOver` is `never`\. Import it/);
  expect(await up("same")).toBe("create");
});

it.runIf(hosts.length > 0)("the preview of a pair says what is there of each side", async () => {
  const world = await openWorld();
  const { minimal } = await cases.clusterPeeredClusters.prepare(world);
  const lines: string[] = [];
  const engine = engineWithLog(world.config(), lines);
  const foresee = async (args: Values) => {
    lines.length = 0;
    const { inputs } = await engine.check(clusterPeeredClusters, { ...minimal, ...args });
    await engine.foresee(clusterPeeredClusters, inputs);
    return lines;
  };
  expect(await foresee({})).toEqual([]);
  await world.raw("cluster").call("POST peering/token", { PeerName: minimal["acceptorPeerName"] });
  expect(await foresee({})).toEqual([expect.stringMatching(/PeeringToken .* is there already.* It is taken over/)]);
  await expect(foresee({ takeOver: "never" })).rejects.toThrow(
    /creating cluster\.PeeredClusters .*: creating cluster\.PeeringToken .*: it exists already.*, and `takeOver` is `never`\. Import it/,
  );
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
