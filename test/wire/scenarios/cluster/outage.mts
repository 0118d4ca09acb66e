import { defineScenario, step } from "../../scenario.mts";

/** One cluster is away: what the other one reads and answers (reference B.6, B.10). */
export const clusterOutage = defineScenario({
  topic: "outage",
  service: "cluster",
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
    step("the dialer lost its stream", "GET peering/{east}", "ok", { on: "other", until: /"FAILING"/ }),
    step("and lists it", "GET peerings", "ok", { on: "other" }),
    step(
      "nobody answers a fresh token",
      "POST peering/establish",
      { error: "ApiError", says: /^503 .*The other cluster cannot be reached at the addresses in the token/ },
      { on: "other", body: { PeerName: "{east}", PeeringToken: "{second}" } },
    ),
    step("the dialer is deleted", "DELETE peering/{east}", "ok", { on: "other" }),
    step("the dialer is gone", "GET peering/{east}", "absent", { on: "other", until: /not found/ }),
  ],
});
