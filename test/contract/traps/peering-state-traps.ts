import { expect, onTestFinished } from "vitest";
import { isRecord } from "../../../provider/core/unknowns.ts";
import { clusterPeeringToken } from "../../../provider/resources/cluster/peering-token.ts";
import { engineWithLog } from "../../support/contract-host-engine.ts";
import { subjectOf, type Trap, trap } from "../../support/contract-trap.ts";
import type { World } from "../../support/contract-world.ts";
import { openStandIn, peeringIn } from "../../support/peering-stand-in.ts";
import { openForwarder } from "../../support/tcp-forwarder.ts";
import { dialledAddress } from "../cases/peers.ts";

/** Traps of states that a peering gets into by what another cluster does (reference cluster-and-policy B.9, B.10). */
export const peeringStateTraps: readonly Trap[] = [
  // @covers peering: States > removed
  trap(17, "a record that is stuck as TERMINATED is deleted again while its end is awaited", async () => {
    // A server gets there by chance, so a stand-in of a few lines answers what a real one was seen to answer.
    let deletions = 0;
    const { config, seen } = await openStandIn((request) => {
      if (request.method === "DELETE") deletions += 1;
      return deletions < 2 ? peeringIn("TERMINATED", { DeletedAt: new Date().toISOString() }) : undefined;
    });
    const engine = engineWithLog(config, []);
    await engine.delete(clusterPeeringToken, "east", { peerName: "east" });
    expect(deletions).toBe(2);
    expect(seen.at(-1)).toBe("GET /v1/peerings");
  }),
  // @covers peering: Fields of the stored record > State
  trap(18, "FAILING says nothing about why, so it is neither drift nor an end", async () => {
    const { stack, ground, world } = await subjectOf("clusterPeering");
    const forwarder = await openForwarder(await dialledAddress(world, "peer"));
    onTestFinished(() => forwarder.cut());
    const PeerName = world.fresh("dialer");
    const body = { PeerName, ServerExternalAddresses: [forwarder.address] };
    const { PeeringToken } = (await world.raw("peer").call("POST peering/token", body)) as { PeeringToken: string };
    const args = { ...ground.full, peeringToken: PeeringToken };
    await stack.up(args);
    const state = () => stateOf(world, String(ground.full["peerName"]));
    await expect.poll(state, patience).toBe("ACTIVE");
    await forwarder.cut();
    await expect.poll(state, patience).toBe("FAILING");

    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
  }),
];

/** A real cluster opens and closes its streams every five seconds when there is much to do. */
const patience = { interval: 10, timeout: 20_000 };

async function stateOf(world: World, name: string): Promise<unknown> {
  const body = await world.raw("cluster").call(`GET peering/${name}`);
  return isRecord(body) ? body["State"] : undefined;
}
