import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHost, type Host } from "../../provider/hosts/dynamic/host";
import { type Running, startServers } from "../../server/serve.ts";

/** What the SDK's `get` sends: the id, and of the properties only the connections. */
describe("a look-up of a pair of records", () => {
  let servers: readonly [Running, Running];
  let host: Host;

  beforeAll(async () => {
    servers = [await startServers(), await startServers()];
    const [ours, partner] = servers.map(({ cluster }) => ({ address: cluster.address, token: cluster.token }));
    const config = {
      cluster: JSON.stringify(ours),
      connections: JSON.stringify({ partner: { service: "cluster", ...partner } }),
    };
    host = createHost("clusterPeeredClusters", { config });
    await host.create({ acceptorPeerName: "b", dialerPeerName: "a", dialerConnection: "partner" });
  });

  afterAll(() => Promise.all(servers.map((server) => server.close())));

  test("finds both by the names in the id", async () => {
    const found = await host.read("b/a", { dialerConnection: "partner" });

    expect(found.id).toBe("b/a");
    expect(found.props).toMatchObject({ acceptorPeerName: "b", dialerPeerName: "a" });
    expect(found.props["dialerPeeringId"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("fails where neither is there, and a refresh of the same forgets", async () => {
    await expect(host.read("x/y", { dialerConnection: "partner" })).rejects.toThrow("there is no x/y");

    const recorded = { acceptorPeerName: "x", dialerPeerName: "y", dialerConnection: "partner" };
    expect(await host.read("x/y", recorded)).toEqual({});
  });
});
