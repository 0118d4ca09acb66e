import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConsulServers, startWithConsul } from "../support/contract-servers-live.ts";
import { createStack } from "../support/contract-stack.ts";
import type { World } from "../support/contract-world.ts";
import { expectState, openHalves } from "../support/peering-stacks.ts";

/** A peering that carries traffic: what the other of two real clusters sees of a service. */

let servers: ConsulServers;

beforeAll(async () => {
  servers = await startWithConsul();
}, 60_000);
afterAll(() => servers.close());

// @covers beyond: cluster.ExportedServices > Services
it("a peer sees a service while it is exported to it, and no longer when the program has dropped it", async () => {
  const { world, tokens, peerings, issuing, taking, acceptor, dialer } = await openHalves("engine", { servers });
  await tokens.up(issuing);
  await peerings.up(taking());
  await expectState(world, "ACTIVE", acceptor, dialer);
  const [web, db] = [world.fresh("web"), world.fresh("db")];
  await register(world, web);
  await register(world, db);
  const seen = (service: string) => instancesOf(world, service, dialer[1]);
  const exported = createStack(world.host("engine", "clusterExportedServices"));
  const only = (...names: string[]) => ({
    connection: "west",
    services: names.map((name) => ({ name, consumers: [{ peer: acceptor[1] }] })),
  });

  expect(await seen(web)).toEqual([]);
  await exported.up(only(web));
  await expect.poll(() => seen(web), { timeout: 15_000 }).toEqual(["192.0.2.1"]);
  expect(await seen(db)).toEqual([]);

  expect(await exported.up(only(db))).toBe("update");
  await expect.poll(() => seen(db), { timeout: 15_000 }).toEqual(["192.0.2.1"]);
  await expect.poll(() => seen(web), { timeout: 15_000 }).toEqual([]);

  await exported.destroy();
  await expect.poll(() => seen(db), { timeout: 15_000 }).toEqual([]);
}, 120_000);

// @covers beyond: cluster.Intention > Sources
it("an intention decides who may connect", async () => {
  const { world } = await openHalves("engine", { servers });
  const [destination, api] = [world.fresh("web"), world.fresh("api")];
  const intention = createStack(world.host("engine", "clusterIntention"));
  const mayConnect = async (source: string) =>
    world.raw("cluster").call(`GET connect/intentions/check?source=${source}&destination=${destination}`);

  expect(await mayConnect(api)).toEqual({ Allowed: false });
  await intention.up({
    destination,
    sources: [
      { name: "*", action: "deny" },
      { name: api, action: "allow" },
    ],
  });
  expect(await mayConnect(api)).toEqual({ Allowed: true });
  expect(await mayConnect("other")).toEqual({ Allowed: false });
  await intention.up({ destination, sources: [{ name: api, action: "deny" }] });
  expect(await mayConnect(api)).toEqual({ Allowed: false });
});

/** One instance at the cluster that exports. */
async function register(world: World, Service: string): Promise<void> {
  const body = { Node: world.fresh("node"), Address: "192.0.2.1", Service: { Service, Port: 80 } };
  await world.raw("peer").call("PUT catalog/register", body);
}

/** The addresses of a service that came through a peering. */
async function instancesOf(world: World, service: string, peer: string): Promise<string[]> {
  const found = await world.raw("cluster").call(`GET health/service/${service}?peer=${peer}`);
  return (found as { Node: { Address: string } }[]).map(({ Node }) => Node.Address);
}
