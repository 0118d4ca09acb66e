import { defineScenario, refused, step } from "../../scenario.mts";

const on = "closed";
const outcome = refused(/^500 peering must be enabled to use this endpoint .*Set peering\.enabled/);

/** A cluster without peering (reference B.4). Refused reads take a real server up to 14 s. */
export const clusterClosed = defineScenario({
  topic: "closed",
  service: "cluster",
  steps: [
    // @covers peering: Authentication, errors, limits, versions > since 1.13.0
    { title: "a token", request: "POST peering/token", on, body: { PeerName: "wire-a" }, outcome },
    {
      title: "an establishment",
      request: "POST peering/establish",
      on,
      body: { PeerName: "wire-a", PeeringToken: "e30" },
      outcome,
    },
    { title: "a list", request: "GET peerings", on, outcome },
    { title: "a delete", request: "DELETE peering/wire-a", on, outcome },
    step("what a request lacks comes first", "POST peering/token", refused(/^400 PeerName is required/), {
      on,
      body: {},
    }),
    step("the roots are there all the same", "GET connect/ca/roots", "ok", { on }),
  ],
});
