import { defineScenario, refused } from "../../scenario.mts";

/** Which server it is, and what of that needs no token. */
export const clusterStatus = defineScenario({
  topic: "status",
  service: "cluster",
  servers: ["consul"],
  names: ["nothing"],
  before: [
    { request: "PUT acl/policy", body: { Name: "{nothing}", Rules: 'peering = "read"' } },
    { request: "PUT acl/token", body: { Policies: [{ Name: "{nothing}" }] }, keep: { nothingSecret: "/SecretID" } },
  ],
  steps: [
    // @covers beyond: Endpoints > GET connect/ca/roots
    { title: "the roots tell clusters apart", request: "GET connect/ca/roots", as: "nobody", outcome: "ok" },
    { title: "the roots for a stranger", request: "GET connect/ca/roots", as: "stranger", outcome: "ok" },
    { title: "the leader", request: "GET status/leader", as: "nobody", outcome: "document" },
    { title: "the version", request: "GET agent/version", outcome: "ok" },
    { title: "the version for anybody", request: "GET agent/version", as: "nobody", outcome: "ok" },
    {
      title: "the agent for anybody",
      request: "GET agent/self",
      as: "nobody",
      outcome: refused(/^403 Permission denied: anonymous token lacks permission 'agent:read' on/),
    },
    {
      title: "a list that leaves out what the token may not see",
      request: "GET catalog/nodes",
      as: "nothingSecret",
      outcome: "document",
    },
  ],
});
