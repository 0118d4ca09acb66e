import { defineScenario, refused, step } from "../../scenario.mts";

/** Two clusters from the token to the end: what each side reads on the way (reference B.5 to B.10). */
export const clusterLife = defineScenario({
  topic: "life",
  service: "cluster",
  names: ["east", "west"],
  steps: [
    step("the acceptor issues a token", "POST peering/token", "ok", {
      body: { PeerName: "{west}" },
      keep: { first: "/PeeringToken" },
    }),
    // @covers peering: Endpoints > POST peering/establish
    step("the dialer uses it", "POST peering/establish", "ok", {
      on: "other",
      body: { PeerName: "{east}", PeeringToken: "{first}", Meta: { team: "core" } },
    }),
    // @covers peering: What the service does > token, establishment, records
    step("the dialer is active", "GET peering/{east}", "ok", { on: "other", until: /"ACTIVE"/ }),
    {
      title: "the acceptor is active",
      request: "GET peering/{west}",
      // What the acceptor learns of its peer comes over the stream, one thing after the other.
      until: /^(?=.*"ACTIVE")(?=.*"Datacenter":"dc2")(?=.*"PeerCAPems")/s,
      outcome: "ok",
    },
    step("so is the list of the acceptor", "GET peerings", "ok", { until: /"ACTIVE"/ }),
    // @covers peering: Peering connection > PeeringToken
    step(
      "a token that has been used",
      "POST peering/establish",
      refused(/^403 .*invalid peering establishment secret .*raise `generation`/),
      { on: "other", body: { PeerName: "{east}", PeeringToken: "{first}" } },
    ),
    step("the acceptor issues a second token", "POST peering/token", "ok", {
      body: { PeerName: "{west}" },
      keep: { second: "/PeeringToken" },
    }),
    step("the acceptor issues a third token, which ends the second", "POST peering/token", "ok", {
      body: { PeerName: "{west}" },
      keep: { third: "/PeeringToken" },
    }),
    // @covers peering: Peering connection > PeeringToken
    step(
      "a token that has been replaced",
      "POST peering/establish",
      refused(/^403 .*invalid peering establishment secret .*raise `generation`/),
      { on: "other", body: { PeerName: "{east}", PeeringToken: "{second}" } },
    ),
    step("the dialer takes the third, and its Meta", "POST peering/establish", "ok", {
      on: "other",
      body: { PeerName: "{east}", PeeringToken: "{third}", Meta: { team: "edge" } },
    }),
    // @covers peering: Peering connection > Meta
    step("the dialer has the new Meta", "GET peering/{east}", "ok", { on: "other", until: /"ACTIVE"/ }),
    step("the acceptor is deleted", "DELETE peering/{west}", "ok"),
    step("the acceptor is gone", "GET peering/{west}", "absent", { until: /not found/ }),
    // @covers peering: Fields of the stored record > State
    step("the dialer hears of it", "GET peering/{east}", "ok", { on: "other", until: /"TERMINATED"/ }),
    step("and lists it", "GET peerings", "ok", { on: "other" }),
    step("a new acceptor of the name issues a token", "POST peering/token", "ok", {
      body: { PeerName: "{west}" },
      keep: { fourth: "/PeeringToken" },
    }),
    step("the ended dialer is established again", "POST peering/establish", "ok", {
      on: "other",
      body: { PeerName: "{east}", PeeringToken: "{fourth}" },
    }),
    // @covers peering: States > other states
    step("the dialer is active again", "GET peering/{east}", "ok", { on: "other", until: /"ACTIVE"/ }),
    step("the dialer is deleted", "DELETE peering/{east}", "ok", { on: "other" }),
    step("the dialer is gone", "GET peering/{east}", "absent", { on: "other", until: /not found/ }),
    step("the acceptor hears of it", "GET peering/{west}", "ok", { until: /"TERMINATED"/ }),
    step("a token of an ended acceptor is answered all the same", "POST peering/token", "ok", {
      body: { PeerName: "{west}" },
      keep: { useless: "/PeeringToken" },
    }),
    step(
      "and is of no use",
      "POST peering/establish",
      refused(/^403 .*invalid peering establishment secret .*raise `generation`/),
      { on: "other", body: { PeerName: "{east}", PeeringToken: "{useless}" } },
    ),
    step("which leaves a dialer that waits", "GET peering/{east}", "ok", { on: "other" }),
    step("the waiting dialer is deleted", "DELETE peering/{east}", "ok", { on: "other" }),
    step("the waiting dialer is gone", "GET peering/{east}", "absent", { on: "other", until: /not found/ }),
    step("the ended acceptor is deleted", "DELETE peering/{west}", "ok"),
    step("the ended acceptor is gone", "GET peering/{west}", "absent", { until: /not found/ }),
  ],
});
