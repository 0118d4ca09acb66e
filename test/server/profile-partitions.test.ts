import { expect, it, onTestFinished } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { createEngine } from "../../provider/engine/engine.ts";
import { clusterPeeringToken } from "../../provider/resources/cluster/peering-token.ts";
import { cases } from "../contract/cases/index.ts";
import type { ResourceCase } from "../support/contract-case.ts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { createStack } from "../support/contract-stack.ts";
import { openSubject } from "../support/contract-subject.ts";
import { openWorld } from "../support/contract-world.ts";

const enterprise = { profile: "enterprise" } as const;

interface Partitioned {
  readonly resource: "clusterPeeringToken" | "clusterPeering" | "clusterPeeredClusters";
  readonly args: Values;
  /** Where its records are, as the cluster's API has it. */
  places(args: Values): readonly (readonly [service: "cluster" | "peer", name: unknown, partition: string])[];
  /** Takes it to other partitions. */
  readonly moved: Values;
}

const one = ({ peerName }: Values) => [["cluster", peerName, "team"]] as const;

const partitioned: readonly Partitioned[] = [
  { resource: "clusterPeeringToken", args: { partition: "team" }, places: one, moved: { partition: "other" } },
  { resource: "clusterPeering", args: { partition: "team" }, places: one, moved: { partition: undefined } },
  {
    resource: "clusterPeeredClusters",
    args: { acceptorPartition: "team", dialerPartition: "net" },
    places: ({ acceptorPeerName, dialerPeerName }) => [
      ["cluster", acceptorPeerName, "team"],
      ["peer", dialerPeerName, "net"],
    ],
    moved: { acceptorPartition: "other", dialerPartition: undefined },
  },
];

// @covers peering: Peering connection > Partition
// @covers peering: Endpoints > query partition
it.each(partitioned)("$resource is in the partition that it names, and another one replaces it", async (each) => {
  const servers = await startEmbedded(enterprise, enterprise);
  onTestFinished(() => servers.close());
  const world = await openWorld({ servers });
  // The names of both tables agree, which the type of `cases` checks; here any of them is meant.
  const of = cases[each.resource] as unknown as ResourceCase;
  const { stack, ground } = await openSubject({ resource: each.resource, host: "engine", of, world });
  const args = { ...ground.full, ...each.args };
  const statuses = (query: (partition: string) => string) =>
    Promise.all(
      each.places(args).map(async ([service, name, partition]) => {
        const { status } = await world.raw(service).ask(`GET peering/${String(name)}${query(partition)}`);
        return status;
      }),
    );
  const every = (status: number) => each.places(args).map(() => status);
  const within = (partition: string) => `?partition=${partition}`;

  expect(await stack.up(args)).toBe("create");
  expect(await statuses(within)).toEqual(every(200));
  expect(await statuses(() => "")).toEqual(every(404));
  expect(await stack.refresh()).toBe(true);
  expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
  expect(await stack.preview({ ...args, ...each.moved })).toEqual({
    step: "replace",
    replaces: Object.keys(each.moved),
  });
  await stack.destroy();
  expect(await statuses(within)).toEqual(every(404));
});

// @covers peering: Peering connection > Partition
it("a peering is imported by its partition and its name", async () => {
  const servers = await startEmbedded(enterprise, enterprise);
  onTestFinished(() => servers.close());
  const world = await openWorld({ servers });
  // As above.
  const of = cases.clusterPeeringToken as unknown as ResourceCase;
  const { stack, ground } = await openSubject({ resource: "clusterPeeringToken", host: "engine", of, world });
  const { peerName } = ground.minimal;
  for (const Partition of ["default", "team"]) {
    const body = { PeerName: peerName, Partition, Meta: { in: Partition } };
    await world.raw("cluster").call("POST peering/token", body);
  }
  expect(await stack.adopt(`team/${String(peerName)}`)).toEqual({ peerName, partition: "team", meta: { in: "team" } });
});

async function clusterWorld(profile: "enterprise" | "vault") {
  const servers = await startEmbedded({ profile }, { profile });
  onTestFinished(() => servers.close());
  const world = await openWorld({ servers });
  const statusIn = async (name: string, query: string) =>
    (await world.raw("cluster").ask(`GET peering/${name}${query}`)).status;
  return { world, statusIn };
}

// @covers peering: Endpoints > query partition
it("the connection's own partition is that of every request, and the one that a resource names comes before it", async () => {
  const { world, statusIn } = await clusterWorld("enterprise");
  const host = world.host("engine", "clusterPeeringToken", { partition: "team" });
  const [own, other] = [createStack(host), createStack(host)];
  await own.up({ peerName: "west" });
  await other.up({ peerName: "west", partition: "other" });
  expect(own.entry()?.id).toBe("west");
  expect(await statusIn("west", "?partition=team")).toBe(200);
  expect(await statusIn("west", "?partition=other")).toBe(200);
  expect(await statusIn("west", "")).toBe(404);
  expect(await own.refresh()).toBe(true);

  await own.destroy();
  expect(await statusIn("west", "?partition=team")).toBe(404);
  expect(await other.refresh()).toBe(true);
  await expect(own.up({ peerName: "west", partition: "default" })).rejects.toThrow(
    /partition cannot be `default`: the connection has the partition "team" of its own/,
  );
});

it("a partition that the connection names instead of the resource is the same, and its record stays", async () => {
  const { world, statusIn } = await clusterWorld("enterprise");
  const { cluster = "{}", ...config } = world.config();
  const teamed = { ...JSON.parse(cluster), service: "cluster", partition: "team" };
  const texts: Record<string, string> = { ...config, cluster, connections: JSON.stringify({ teamed }) };
  const engine = createEngine({ config: (key) => texts[key], env: process.env, log: () => {} });
  onTestFinished(() => engine.end());
  const named = await engine.create(clusterPeeringToken, { peerName: "west", partition: "team" });
  engine.startRun();
  // Its token is issued anew.
  await engine.create(clusterPeeringToken, { peerName: "west", connection: "teamed", takeOver: "always" });
  await engine.delete(clusterPeeringToken, named.id, named.state);
  expect(await statusIn("west", "?partition=team")).toBe(200);
});

// @covers peering: Endpoints > query partition
it.each([
  [{ partition: "team" }, {}],
  [{}, { partition: "team" }],
])(
  "the community edition refuses %j of a resource, %j of a connection, before anything is written",
  async (args, own) => {
    const { world, statusIn } = await clusterWorld("vault");
    const stack = createStack(world.host("engine", "clusterPeeringToken", own));
    await expect(stack.up({ peerName: "west", ...args })).rejects.toThrow(/Partitions are a Consul Enterprise feature/);
    expect(await statusIn("west", "")).toBe(404);
    expect(world.traffic.seen().filter(({ method }) => method !== "GET")).toEqual([]);
  },
);

// The embedded server has config entries of no partition: this is what it is asked.
it.each([
  ["clusterExportedServices", {}, "GET /v1/config/exported-services/own?partition=own"],
  ["clusterExportedServices", { partition: "Team" }, "GET /v1/config/exported-services/team?partition=team"],
  ["clusterIntention", {}, "GET /v1/config/service-intentions/web?partition=own"],
  ["clusterIntention", { partition: "team" }, "GET /v1/config/service-intentions/web?partition=team"],
  ["clusterIntention", { namespace: "shop" }, "GET /v1/config/service-intentions/web?ns=shop&partition=own"],
] as const)("%s of %j on a connection with a partition is asked for there", async (resource, place, asked) => {
  const servers = await startEmbedded(enterprise);
  onTestFinished(() => servers.close());
  const world = await openWorld({ servers });
  const sources = [{ name: "api", action: "allow" }];
  const args =
    resource === "clusterIntention"
      ? { destination: "web", sources }
      : { services: [{ name: "web", consumers: [{ peer: "west" }] }] };
  const stack = createStack(world.host("engine", resource, { partition: "own" }));
  await expect(stack.up({ ...args, ...place })).rejects.toThrow(/config entries of a partition are not supported/);
  expect(world.traffic.seen().map(({ method, url }) => `${method} ${url}`)).toContain(asked);
});
