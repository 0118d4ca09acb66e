import { changed, defineCase, pathOf, repeated, replaced } from "../../support/contract-case.ts";
import { removePeering, volatileOfPeering } from "./peers.ts";

export const clusterPeeringTokenCase = defineCase("clusterPeeringToken", {
  async prepare(world) {
    const peerName = world.fresh("east");
    return {
      minimal: { peerName },
      full: {
        peerName,
        serverExternalAddresses: ["192.0.2.7:8503", "peer.example:8443"],
        meta: { team: "platform" },
        generation: 1,
      },
      id: peerName,
      record: pathOf("peering/{peerName}"),
      remove: () => removePeering(world, peerName),
      async edit() {
        await removePeering(world, peerName);
        await world.raw("cluster").call("POST peering/token", { PeerName: peerName, Meta: { team: "other" } });
        return { meta: { team: "other" } };
      },
    };
  },
  fields: {
    peerName: replaced((world) => ({ peerName: world.fresh("west") }), { without: "required" }),
    partition: { means: "nothing", reason: "only Enterprise has partitions; see profile-partitions.test.ts" },
    serverExternalAddresses: changed({ serverExternalAddresses: ["192.0.2.8:8503"] }, { local: true }),
    meta: replaced({ meta: { team: "security" } }),
    generation: changed({ generation: 2 }, { local: true }),
  },
  spellings: [
    { title: "an empty and an unset map", one: { meta: {} }, other: { meta: undefined } },
    { title: "the order of members", one: { meta: { a: "1", b: "2" } }, other: { meta: { b: "2", a: "1" } } },
    { title: "the default and an unset partition", one: { partition: "default" }, other: { partition: undefined } },
    { title: "0 and an unset generation", one: { generation: 0 }, other: { generation: undefined } },
  ],
  unseen: ["serverExternalAddresses", "generation"],
  volatile: volatileOfPeering,
  skips: [
    {
      case: "a change by another hand is found and repaired",
      reason: "another hand can change nothing of a peering in place: what it makes anew is not the stack's",
      fails: /expected false to be true/,
    },
  ],
  requests: {
    create: ["GET peerings", "POST peering/token", "GET peerings"],
    update: ["GET peerings", "POST peering/token", "GET peerings"],
    read: ["GET peerings"],
    delete: ["GET peerings", "DELETE peering/{peerName}", repeated("GET peerings")],
  },
});
