import { defineScenario, refused, step } from "../../scenario.mts";

/** A server cleans up ten records a second after a burst of ten: with more than these the last one is there for a while. */
const crowd = Array.from({ length: 24 }, (_, at) => `gone-${at + 10}`);

/** A record on its way out: it reads as DELETING, and stands in the way of its name (reference B.5, B.6, B.9). */
export const clusterDeletion = defineScenario({
  topic: "deletion",
  service: "cluster",
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
    step("a delete of the dialer", "DELETE peering/gone-z", "ok"),
    step(
      "an establishment while it goes",
      "POST peering/establish",
      refused(/^500 failed to write peering: cannot write to peering that is marked for deletion/),
      { body: { PeerName: "gone-z", PeeringToken: "{second}" } },
    ),
    step("a token for a name that goes", "POST peering/token", refused(/^500 .*already an established peering/), {
      body: { PeerName: "gone-z" },
    }),
    // @covers peering: Peering connection > DeletedAt
    // @covers peering: States > marked for deletion
    step("the dialer while it goes", "GET peering/gone-z", "ok"),
    // @covers peering: Peering connection > DeletedAt
    step("a second delete", "DELETE peering/gone-z", "ok"),
    // @covers peering: States > removed
    step("the end of the dialer", "GET peering/gone-z", "absent", { until: /not found/ }),
    step("the end of the others", "GET peerings", "ok", { until: /^\[\]$/ }),
    step("a delete of the issuer", "DELETE peering/{next}", "ok", { on: "other" }),
    step("the end of the issuer", "GET peering/{next}", "absent", { on: "other", until: /not found/ }),
  ],
});
