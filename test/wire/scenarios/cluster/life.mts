import { defineScenario, refused } from "../../scenario.mts";

/** Two clusters from the token to the end: what each side reads on the way (reference B.5 to B.10). */
export const clusterLife = defineScenario({
  topic: "life",
  service: "cluster",
  servers: ["consul"],
  names: ["east", "west"],
  steps: [
    {
      title: "the acceptor issues a token",
      request: "POST peering/token",
      body: { PeerName: "{west}" },
      keep: { first: "/PeeringToken" },
      outcome: "ok",
    },
    // @covers peering: Endpoints > POST peering/establish
    {
      title: "the dialer uses it",
      request: "POST peering/establish",
      on: "other",
      body: { PeerName: "{east}", PeeringToken: "{first}", Meta: { team: "core" } },
      outcome: "ok",
    },
    // @covers peering: What the service does > token, establishment, records
    { title: "the dialer is active", request: "GET peering/{east}", on: "other", until: /"ACTIVE"/, outcome: "ok" },
    {
      title: "the acceptor is active",
      request: "GET peering/{west}",
      // What the acceptor learns of its peer comes over the stream, one thing after the other.
      until: /^(?=.*"ACTIVE")(?=.*"Datacenter":"dc2")(?=.*"PeerCAPems")/s,
      outcome: "ok",
    },
    { title: "so is the list of the acceptor", request: "GET peerings", until: /"ACTIVE"/, outcome: "ok" },
    // @covers peering: Peering connection > PeeringToken
    {
      title: "a token that has been used",
      request: "POST peering/establish",
      on: "other",
      body: { PeerName: "{east}", PeeringToken: "{first}" },
      outcome: refused(/^403 .*invalid peering establishment secret .*raise `generation`/),
    },
    {
      title: "the acceptor issues a second token",
      request: "POST peering/token",
      body: { PeerName: "{west}" },
      keep: { second: "/PeeringToken" },
      outcome: "ok",
    },
    {
      title: "the acceptor issues a third token, which ends the second",
      request: "POST peering/token",
      body: { PeerName: "{west}" },
      keep: { third: "/PeeringToken" },
      outcome: "ok",
    },
    // @covers peering: Peering connection > PeeringToken
    {
      title: "a token that has been replaced",
      request: "POST peering/establish",
      on: "other",
      body: { PeerName: "{east}", PeeringToken: "{second}" },
      outcome: refused(/^403 .*invalid peering establishment secret .*raise `generation`/),
    },
    {
      title: "the dialer takes the third, and its Meta",
      request: "POST peering/establish",
      on: "other",
      body: { PeerName: "{east}", PeeringToken: "{third}", Meta: { team: "edge" } },
      outcome: "ok",
    },
    // @covers peering: Peering connection > Meta
    {
      title: "the dialer has the new Meta",
      request: "GET peering/{east}",
      on: "other",
      until: /"ACTIVE"/,
      outcome: "ok",
    },
    { title: "the acceptor is deleted", request: "DELETE peering/{west}", outcome: "ok" },
    { title: "the acceptor is gone", request: "GET peering/{west}", until: /not found/, outcome: "absent" },
    // @covers peering: Fields of the stored record > State
    {
      title: "the dialer hears of it",
      request: "GET peering/{east}",
      on: "other",
      until: /"TERMINATED"/,
      outcome: "ok",
    },
    { title: "and lists it", request: "GET peerings", on: "other", outcome: "ok" },
    {
      title: "a new acceptor of the name issues a token",
      request: "POST peering/token",
      body: { PeerName: "{west}" },
      keep: { fourth: "/PeeringToken" },
      outcome: "ok",
    },
    {
      title: "the ended dialer is established again",
      request: "POST peering/establish",
      on: "other",
      body: { PeerName: "{east}", PeeringToken: "{fourth}" },
      outcome: "ok",
    },
    // @covers peering: States > other states
    {
      title: "the dialer is active again",
      request: "GET peering/{east}",
      on: "other",
      until: /"ACTIVE"/,
      outcome: "ok",
    },
    { title: "the dialer is deleted", request: "DELETE peering/{east}", on: "other", outcome: "ok" },
    { title: "the dialer is gone", request: "GET peering/{east}", on: "other", until: /not found/, outcome: "absent" },
    { title: "the acceptor hears of it", request: "GET peering/{west}", until: /"TERMINATED"/, outcome: "ok" },
    {
      title: "a token of an ended acceptor is answered all the same",
      request: "POST peering/token",
      body: { PeerName: "{west}" },
      keep: { useless: "/PeeringToken" },
      outcome: "ok",
    },
    {
      title: "and is of no use",
      request: "POST peering/establish",
      on: "other",
      body: { PeerName: "{east}", PeeringToken: "{useless}" },
      outcome: refused(/^403 .*invalid peering establishment secret .*raise `generation`/),
    },
    { title: "which leaves a dialer that waits", request: "GET peering/{east}", on: "other", outcome: "ok" },
    { title: "the waiting dialer is deleted", request: "DELETE peering/{east}", on: "other", outcome: "ok" },
    {
      title: "the waiting dialer is gone",
      request: "GET peering/{east}",
      on: "other",
      until: /not found/,
      outcome: "absent",
    },
    { title: "the ended acceptor is deleted", request: "DELETE peering/{west}", outcome: "ok" },
    { title: "the ended acceptor is gone", request: "GET peering/{west}", until: /not found/, outcome: "absent" },
  ],
});
