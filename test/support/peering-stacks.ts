import { expect } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { isRecord } from "../../provider/core/unknowns.ts";
import { type HostName, hasResource } from "./contract-host.ts";
import type { ContractServers } from "./contract-servers.ts";
import { createStack } from "./contract-stack.ts";
import { type ConnectionSettings, openWorld, type World } from "./contract-world.ts";

/** A record, by the cluster that has it and the name that it has there. */
export type Place = readonly [at: "cluster" | "peer", name: string];

interface Opening {
  readonly settings?: ConnectionSettings;
  /** Those of the test file when not given. */
  readonly servers?: ContractServers;
}

/** Both halves of a peering, each a resource of its own: `peer` accepts, `cluster` dials. */
export async function openHalves(host: HostName, { settings = {}, ...own }: Opening = {}) {
  const world = await openWorld(own);
  const acceptor: Place = ["peer", world.fresh("dialer")];
  const dialer: Place = ["cluster", world.fresh("acceptor")];
  // Terraform has no token of its own: the other side of its peerings is not in its program.
  const issuer = hasResource(host, "clusterPeeringToken") ? host : "engine";
  const tokens = createStack(world.host(issuer, "clusterPeeringToken", settings));
  const peerings = createStack(world.host(host, "clusterPeering", settings));
  return {
    world,
    acceptor,
    dialer,
    tokens,
    peerings,
    issuing: { connection: "west", peerName: acceptor[1] },
    /** With the token as it is by now. */
    taking: (): Values => ({ peerName: dialer[1], peeringToken: tokens.entry()?.outputs["peeringToken"] }),
  };
}

/** A pair as one resource: `cluster` accepts, `peer` dials. */
export async function openPair(host: HostName) {
  const world = await openWorld();
  const acceptor: Place = ["cluster", world.fresh("west")];
  const dialer: Place = ["peer", world.fresh("east")];
  const connections = { acceptorConnection: "east", dialerConnection: "west" };
  return {
    world,
    acceptor,
    dialer,
    stack: createStack(world.host(host, "clusterPeeredClusters")),
    args: { ...connections, acceptorPeerName: acceptor[1], dialerPeerName: dialer[1] },
  };
}

export async function stateOf(world: World, [at, name]: Place): Promise<unknown> {
  const { body } = await world.raw(at).ask(`GET peering/${name}`);
  return isRecord(body) ? body["State"] : undefined;
}

/** Waits until the records have this state, or, without one, are gone. */
export async function expectState(world: World, state: string | undefined, ...places: readonly Place[]): Promise<void> {
  const states = () => Promise.all(places.map((place) => stateOf(world, place)));
  // A dialer whose cluster was away tries again after up to 16 s.
  await expect.poll(states, { timeout: 50_000, interval: 25 }).toEqual(places.map(() => state));
}
