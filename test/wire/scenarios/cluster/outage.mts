import { defineScenario } from "../../scenario.mts";

/** One cluster is away: what the other one reads and answers (reference B.6, B.10). */
export const clusterOutage = defineScenario({
  topic: "outage",
  service: "cluster",
  servers: ["consul"],
  names: ["east", "west"],
  before: [
    { request: "POST peering/token", body: { PeerName: "{west}" }, keep: { first: "/PeeringToken" } },
    { request: "POST peering/establish", on: "other", body: { PeerName: "{east}", PeeringToken: "{first}" } },
    { request: "GET peering/{east}", on: "other", until: /"ACTIVE"/ },
    { request: "POST peering/token", body: { PeerName: "{west}" }, keep: { second: "/PeeringToken" } },
    "stop",
  ],
  steps: [
    // @covers peering: Fields of the stored record > State
    {
      title: "the dialer lost its stream",
      request: "GET peering/{east}",
      on: "other",
      until: /"FAILING"/,
      outcome: "ok",
    },
    { title: "and lists it", request: "GET peerings", on: "other", outcome: "ok" },
    {
      title: "nobody answers a fresh token",
      request: "POST peering/establish",
      on: "other",
      body: { PeerName: "{east}", PeeringToken: "{second}" },
      outcome: { error: "ApiError", says: /^503 .*The other cluster cannot be reached at the addresses in the token/ },
    },
    { title: "the dialer is deleted", request: "DELETE peering/{east}", on: "other", outcome: "ok" },
    { title: "the dialer is gone", request: "GET peering/{east}", on: "other", until: /not found/, outcome: "absent" },
  ],
});
