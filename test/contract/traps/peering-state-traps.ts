import type { IncomingMessage, ServerResponse } from "node:http";
import { expect } from "vitest";
import { createEngine } from "../../../provider/engine/engine.ts";
import { clusterPeeringToken } from "../../../provider/resources/cluster/peering-token.ts";
import type { Trap } from "../../support/contract-trap.ts";
import { serve } from "../../support/loopback-server.ts";

/**
 * Traps of states that the embedded server does not reach yet. A stand-in of a few lines answers what the real server
 * was seen to answer (reference cluster-and-policy B.9, B.10).
 */
export const peeringStateTraps: readonly Trap[] = [
  {
    number: 17,
    title: "a record that is stuck as TERMINATED is deleted again while its end is awaited",
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
      const { engine } = await engineAt(() => peering("FAILING"));
      const found = await engine.read(clusterPeeringToken, "east", { peerName: "east" });
      expect(found?.state).toEqual({ peerName: "east", peeringId: "id", server: "consul:trust.consul" });
    },
  },
];

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
