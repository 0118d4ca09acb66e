import { changed, defineCase, pathOf, repeated, replaced } from "../../support/contract-case.ts";
import { issuedToken, removePeering, volatileOfPeering, waitSpared } from "./peers.ts";

export const clusterPeeringCase = defineCase("clusterPeering", {
  async prepare(world) {
    const peerName = world.fresh("west");
    const peeringToken = await issuedToken(world);
    return {
      minimal: { peerName, peeringToken },
      full: { peerName, peeringToken, meta: { team: "platform" } },
      id: peerName,
      record: pathOf("peering/{peerName}"),
      remove: () => removePeering(world, peerName),
      async edit() {
        await removePeering(world, peerName);
        const body = { PeerName: peerName, PeeringToken: await issuedToken(world), Meta: { team: "other" } };
        await world.raw("cluster").call("POST peering/establish", body);
        return { meta: { team: "other" } };
      },
    };
  },
  fields: {
    // @covers peering: What the service does > the name elsewhere
    peerName: replaced(async (world) => ({ peerName: world.fresh("west"), peeringToken: await issuedToken(world) }), {
      without: "required",
    }),
    partition: { means: "nothing", reason: "only Enterprise has partitions; see profile-partitions.test.ts" },
    peeringToken: changed(async (world) => ({ peeringToken: await issuedToken(world) }), {
      without: "required",
      local: true,
    }),
    meta: replaced(async (world) => ({ meta: { team: "security" }, peeringToken: await issuedToken(world) }), {
      without: async (world) => ({ meta: undefined, peeringToken: await issuedToken(world) }),
    }),
    waitForActive: { means: "nothing", reason: "says how a write ends; see peering-wait.test.ts" },
  },
  spellings: [
    { title: "an empty and an unset map", one: { meta: {} }, other: { meta: undefined } },
    { title: "the order of members", one: { meta: { a: "1", b: "2" } }, other: { meta: { b: "2", a: "1" } } },
    // @covers peering: Authentication, errors, limits, versions > partition of the token
    { title: "the default and an unset partition", one: { partition: "default" }, other: { partition: undefined } },
  ],
  again: async (world) => ({ peeringToken: await issuedToken(world) }),
  own: ["peeringToken"],
  unseen: ["peeringToken"],
  unwaited: { waitForActive: false },
  volatile: volatileOfPeering,
  spared: waitSpared,
  skips: [
    {
      case: "a change by another hand is found and repaired",
      reason: "another hand can change nothing of a peering in place: what it makes anew is not the stack's",
      fails: /expected false to be true/,
    },
  ],
  requests: {
    create: ["GET peerings", "POST peering/establish", repeated("GET peerings")],
    update: ["GET peerings", "POST peering/establish", repeated("GET peerings")],
    read: ["GET peerings"],
    delete: ["GET peerings", "DELETE peering/{peerName}", repeated("GET peerings")],
  },
});
