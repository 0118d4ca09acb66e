import { defineScenario, refused, step } from "../../scenario.mts";

/** Which server it is, and what of that needs no token. */
export const clusterStatus = defineScenario({
  topic: "status",
  service: "cluster",
  names: ["nothing"],
  before: [
    { request: "PUT acl/policy", body: { Name: "{nothing}", Rules: 'peering = "read"' } },
    { request: "PUT acl/token", body: { Policies: [{ Name: "{nothing}" }] }, keep: { nothingSecret: "/SecretID" } },
  ],
  steps: [
    // @covers beyond: Endpoints > GET connect/ca/roots
    step("the roots tell clusters apart", "GET connect/ca/roots", "ok", { as: "nobody" }),
    step("the roots for a stranger", "GET connect/ca/roots", "ok", { as: "stranger" }),
    step("the leader", "GET status/leader", "document", { as: "nobody" }),
    step("the version", "GET agent/version", "ok"),
    step("the version for anybody", "GET agent/version", "ok", { as: "nobody" }),
    step(
      "the agent for anybody",
      "GET agent/self",
      refused(/^403 Permission denied: anonymous token lacks permission 'agent:read' on/),
      { as: "nobody" },
    ),
    step("a list that leaves out what the token may not see", "GET catalog/nodes", "document", { as: "nothingSecret" }),
  ],
});
