import { changed, defineCase, repeated, replaced } from "../../support/contract-case.ts";
import { dialledAddress, issuedToken, removePeering, volatileOfPeering, waitSpared } from "./peers.ts";

export const clusterPeeredClustersCase = defineCase("clusterPeeredClusters", {
  async prepare(world) {
    const names = { acceptorPeerName: world.fresh("west"), dialerPeerName: world.fresh("east") };
    const minimal = { acceptorConnection: "east", dialerConnection: "west", ...names };
    return {
      minimal,
      full: {
        ...minimal,
        acceptorMeta: { team: "platform" },
        dialerMeta: { team: "network" },
        serverExternalAddresses: [await dialledAddress(world, "cluster")],
      },
      id: `${names.acceptorPeerName}/${names.dialerPeerName}`,
      record: (state) => [
        ["cluster", `peering/${String(state["acceptorPeerName"])}`],
        ["peer", `peering/${String(state["dialerPeerName"])}`],
      ],
      async remove() {
        await removePeering(world, names.acceptorPeerName);
        await removePeering(world, names.dialerPeerName, "peer");
      },
      async edit() {
        await removePeering(world, names.dialerPeerName, "peer");
        const body = {
          PeerName: names.dialerPeerName,
          PeeringToken: await issuedToken(world, "cluster"),
          Meta: { team: "x" },
        };
        await world.raw("peer").call("POST peering/establish", body);
        return { dialerMeta: { team: "x" } };
      },
    };
  },
  fields: {
    acceptorConnection: { means: "nothing", reason: "another connection is another server; see wrong-server.test.ts" },
    acceptorPeerName: replaced((world) => ({ acceptorPeerName: world.fresh("west") }), { without: "required" }),
    acceptorPartition: { means: "nothing", reason: "only Enterprise has partitions; see profile-partitions.test.ts" },
    acceptorMeta: replaced({ acceptorMeta: { team: "security" } }),
    serverExternalAddresses: changed(
      async (world) => {
        const address = await dialledAddress(world, "cluster");
        return { serverExternalAddresses: [address.replace("127.0.0.1", "localhost")] };
      },
      { local: true },
    ),
    dialerConnection: { means: "nothing", reason: "another connection is another server; see wrong-server.test.ts" },
    dialerPeerName: replaced((world) => ({ dialerPeerName: world.fresh("east") }), { without: "required" }),
    dialerPartition: { means: "nothing", reason: "only Enterprise has partitions; see profile-partitions.test.ts" },
    dialerMeta: replaced({ dialerMeta: { team: "security" } }),
    waitForActive: { means: "nothing", reason: "says how a write ends; see peering-wait.test.ts" },
  },
  spellings: [
    { title: "an empty and an unset map", one: { acceptorMeta: {} }, other: { acceptorMeta: undefined } },
    {
      title: "the order of members",
      one: { dialerMeta: { a: "1", b: "2" } },
      other: { dialerMeta: { b: "2", a: "1" } },
    },
  ],
  unwaited: { waitForActive: false },
  volatile: volatileOfPeering,
  spared: waitSpared,
  unseen: ["serverExternalAddresses"],
  skips: [
    {
      case: "a change by another hand is found and repaired",
      reason: "another hand can change nothing of a peering in place: what it makes anew is not the stack's",
      fails: /dialerMeta/,
    },
  ],
  requests: {
    create: ["GET peerings", "POST peering/token", "GET peerings", "POST peering/establish", repeated("GET peerings")],
    update: ["GET peerings", "POST peering/token", "GET peerings", "POST peering/establish", repeated("GET peerings")],
    read: ["GET peerings", "GET peerings"],
    delete: [
      // Of each side.
      repeated("GET peerings"),
      "DELETE peering/{dialerPeerName}",
      repeated("GET peerings"),
      "DELETE peering/{acceptorPeerName}",
      repeated("GET peerings"),
    ],
  },
});
