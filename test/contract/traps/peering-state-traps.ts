import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, onTestFinished } from "vitest";
import { isRecord } from "../../../provider/core/unknowns.ts";
import { createEngine } from "../../../provider/engine/engine.ts";
import { clusterPeeringToken } from "../../../provider/resources/cluster/peering-token.ts";
import { subjectOf, type Trap } from "../../support/contract-trap.ts";
import type { World } from "../../support/contract-world.ts";
import { serve } from "../../support/loopback-server.ts";
import { openForwarder } from "../../support/tcp-forwarder.ts";
import { dialledAddress } from "../cases/peers.ts";

/** Traps of states that a peering gets into by what another cluster does (reference cluster-and-policy B.9, B.10). */
export const peeringStateTraps: readonly Trap[] = [
  {
    number: 17,
    title: "a record that is stuck as TERMINATED is deleted again while its end is awaited",
    // A server gets there by chance, so a stand-in of a few lines answers what a real one was seen to answer.
    async test() {
      let deletions = 0;
      const { engine, seen } = await engineAt((request) => {
        if (request.method === "DELETE") deletions += 1;
        return deletions < 2 ? peering("TERMINATED", { DeletedAt: new Date().toISOString() }) : undefined;
      });
      await engine.delete(clusterPeeringToken, "east", { peerName: "east" });
      expect(deletions).toBe(2);
      expect(seen.at(-1)).toBe("GET /v1/peering/east");
    },
  },
  {
    number: 18,
    title: "FAILING says nothing about why, so it is neither drift nor an end",
    async test() {
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
    },
  },
];

/** A real cluster opens and closes its streams every five seconds when there is much to do. */
const patience = { interval: 10, timeout: 20_000 };

async function stateOf(world: World, name: string): Promise<unknown> {
  const body = await world.raw("cluster").call(`GET peering/${name}`);
  return isRecord(body) ? body["State"] : undefined;
}

function peering(State: string, more: Readonly<Record<string, unknown>> = {}) {
  return { ID: "id", Name: "east", State, ...more };
}

/** An engine on a cluster that has the peering which `current` answers, if any. */
async function engineAt(current: (request: IncomingMessage) => object | undefined) {
  const seen: string[] = [];
  const { origin } = await serve((request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "", "http://consul");
    seen.push(`${request.method} ${pathname}`);
    if (pathname === "/v1/connect/ca/roots") return void response.end('{"TrustDomain":"trust.consul"}');
    const record = current(request);
    if (request.method === "DELETE") return void response.end();
    if (pathname === "/v1/peerings") return void response.end(JSON.stringify(record ? [record] : []));
    response.writeHead(record ? 200 : 404).end(record ? JSON.stringify(record) : 'Peering not found for "east"');
  });
  const env = { CONSUL_HTTP_ADDR: origin, CONSUL_HTTP_TOKEN: "any" };
  return { engine: createEngine({ config: () => undefined, env, log: () => undefined }), seen };
}
