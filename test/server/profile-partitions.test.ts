import { expect, it, onTestFinished } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { cases } from "../contract/cases/index.ts";
import type { ResourceCase } from "../support/contract-case.ts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
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
