import { defineScenario, refused } from "../../scenario.mts";

/** A server cleans up ten records a second after a burst of ten: with more than these the last one is there for a while. */
const crowd = Array.from({ length: 24 }, (_, at) => `gone-${at + 10}`);

/** A record on its way out: it reads as DELETING, and stands in the way of its name (reference B.5, B.6, B.9). */
export const clusterDeletion = defineScenario({
  topic: "deletion",
  service: "cluster",
  servers: ["consul"],
  names: ["issuer", "next"],
  before: [
    { request: "POST peering/token", on: "other", body: { PeerName: "{issuer}" }, keep: { first: "/PeeringToken" } },
    {
      request: "POST peering/establish",
      body: { PeerName: "gone-z", PeeringToken: "{first}", Meta: { team: "core" } },
    },
    // Ended by the other side, so that no stream comes or goes meanwhile.
    { request: "GET peering/gone-z", until: /"ACTIVE"/ },
    { request: "DELETE peering/{issuer}", on: "other" },
    { request: "GET peering/gone-z", until: /"TERMINATED"/ },
    { request: "POST peering/token", on: "other", body: { PeerName: "{next}" }, keep: { second: "/PeeringToken" } },
    ...crowd.map((PeerName) => ({ request: "POST peering/token", body: { PeerName } })),
    ...crowd.map((name) => ({ request: `DELETE peering/${name}` })),
  ],
  steps: [
    { title: "a delete of the dialer", request: "DELETE peering/gone-z", outcome: "ok" },
    {
      title: "an establishment while it goes",
      request: "POST peering/establish",
      body: { PeerName: "gone-z", PeeringToken: "{second}" },
      outcome: refused(/^500 failed to write peering: cannot write to peering that is marked for deletion/),
    },
    {
      title: "a token for a name that goes",
      request: "POST peering/token",
      body: { PeerName: "gone-z" },
      outcome: refused(/^500 .*already an established peering/),
    },
    // @covers peering: Peering connection > DeletedAt
    // @covers peering: States > marked for deletion
    { title: "the dialer while it goes", request: "GET peering/gone-z", outcome: "ok" },
    // @covers peering: Peering connection > DeletedAt
    { title: "a second delete", request: "DELETE peering/gone-z", outcome: "ok" },
    // @covers peering: States > removed
    { title: "the end of the dialer", request: "GET peering/gone-z", until: /not found/, outcome: "absent" },
    { title: "the end of the others", request: "GET peerings", until: /^\[\]$/, outcome: "ok" },
    { title: "a delete of the issuer", request: "DELETE peering/{next}", on: "other", outcome: "ok" },
    {
      title: "the end of the issuer",
      request: "GET peering/{next}",
      on: "other",
      until: /not found/,
      outcome: "absent",
    },
  ],
});
