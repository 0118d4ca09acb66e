import { defineScenario, refused } from "../../scenario.mts";

const collection = "organizations/demo/policy-sets";
const sets = (attributes: Record<string, unknown>, relationships?: Record<string, unknown>) => ({
  data: { type: "policy-sets", attributes, ...(relationships === undefined ? {} : { relationships }) },
});
const linked = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ id, type })) });
const staging = "ws-demo000000000001";

/** Policy sets from the first to the last request, and what the API refuses. */
export const policySets = defineScenario({
  topic: "sets",
  service: "policy",
  servers: ["reference"],
  steps: [
    // @covers beyond: Endpoints > POST organizations/{organization}/policy-sets
    // @covers beyond: Policy set > name
    // @covers beyond: Policy set > kind
    {
      title: "a policy set with a name alone",
      section: "C.2",
      request: `POST ${collection}`,
      body: sets({ name: "production" }),
      keep: { plain: "/data/id" },
      outcome: "ok",
    },
    // @covers beyond: Policy set > overridable
    // @covers beyond: Policy set > agent-enabled
    // @covers beyond: Policy set > policy-tool-version
    {
      title: "one that runs in the agent",
      section: "C.2",
      request: `POST ${collection}`,
      body: sets({
        name: "cost",
        kind: "opa",
        "agent-enabled": true,
        "policy-tool-version": "0.70.0",
        overridable: true,
      }),
      keep: { agent: "/data/id" },
      outcome: "ok",
    },
    // @covers beyond: Policy set > relationships/workspaces
    // @covers beyond: Policy set > relationships/projects
    // @covers beyond: Policy set > relationships/workspace-exclusions
    {
      title: "one that is attached, and excluded",
      section: "C.3",
      request: `POST ${collection}`,
      body: sets(
        { name: "attached", description: "For some" },
        {
          workspaces: linked("workspaces", staging),
          projects: linked("projects", "prj-demo000000000001"),
          "workspace-exclusions": linked("workspaces", "ws-demo000000000002"),
        },
      ),
      keep: { attached: "/data/id" },
      outcome: "ok",
    },
    // @covers beyond: Policy set > vcs-repo
    // @covers beyond: Policy set > policies-path
    {
      title: "one with a repository",
      section: "C.2",
      request: `POST ${collection}`,
      body: sets({
        name: "versioned",
        "policies-path": "/production",
        "vcs-repo": {
          identifier: "acme/policies",
          branch: "main",
          "oauth-token-id": "ot-demo000000000001",
          "github-app-installation-id": null,
          "ingress-submodules": false,
        },
      }),
      keep: { versioned: "/data/id" },
      outcome: "ok",
    },
    // @covers beyond: Endpoints > GET organizations/{organization}/policy-sets
    { title: "the first page of all", section: "C.4", request: `GET ${collection}?page[size]=2`, outcome: "ok" },
    {
      title: "the last page of all",
      section: "C.4",
      request: `GET ${collection}?page[number]=3&page[size]=2`,
      outcome: "ok",
    },
    // @covers beyond: Endpoints > GET organizations/{organization}/policy-sets
    {
      title: "those with a name like this",
      section: "C.4",
      request: `GET ${collection}?page%5Bsize%5D=100&search%5Bname%5D=prod`,
      outcome: "ok",
    },
    // @covers beyond: Endpoints > GET organizations/{organization}/policy-sets
    { title: "all of them at once", section: "C.4", request: `GET ${collection}?page%5Bsize%5D=100`, outcome: "ok" },
    { title: "one of them", section: "C.2", request: "GET policy-sets/{attached}", outcome: "ok" },
    // @covers beyond: Endpoints > PATCH policy-sets/{policySetId}
    // @covers beyond: Policy set > description
    // @covers beyond: Policy set > global
    {
      title: "another name, a description, and all workspaces",
      section: "C.5",
      request: "PATCH policy-sets/{plain}",
      body: sets({ name: "everywhere", description: "For all", global: true }),
      outcome: "ok",
    },
    {
      title: "outside of the agent again, which takes version and override along",
      section: "C.5",
      request: "PATCH policy-sets/{attached}",
      body: sets({ "agent-enabled": false, "policy-tool-version": null, overridable: false, description: null }),
      outcome: "ok",
    },
    // @covers beyond: Policy set > relationships/workspaces
    {
      title: "attached to nothing",
      section: "C.3",
      request: "PATCH policy-sets/{attached}",
      body: sets({}, { workspaces: linked("workspaces"), projects: linked("projects") }),
      outcome: "ok",
    },
    // @covers beyond: Policy set > vcs-repo
    {
      title: "without its repository",
      section: "C.5",
      request: "PATCH policy-sets/{versioned}",
      body: sets({ "vcs-repo": null, "policies-path": null }),
      outcome: "ok",
    },
    // @covers beyond: Endpoints > POST organizations/{organization}/policy-sets
    {
      title: "an organization that nobody may read",
      section: "C.6",
      request: "POST organizations/nowhere/policy-sets",
      body: sets({ name: "production" }),
      outcome: refused(/^404 not found .*Either the organization nowhere does not exist, or the token may not manage/),
    },
    {
      title: "a list of such an organization",
      section: "C.6",
      request: "GET organizations/nowhere/policy-sets",
      outcome: refused(/^404 not found .*The token cannot read the policy sets of organizations\/nowhere/),
    },
    {
      title: "such an organization itself",
      section: "C.6",
      request: "GET organizations/nowhere",
      outcome: refused(/^404 not found .*The token cannot read the policy sets of organizations\/nowhere/),
    },
    { title: "the organization", section: "C.1", request: "GET organizations/demo", outcome: "ok" },
    // @covers beyond: Policy set > name
    {
      title: "a name that is taken",
      section: "C.6",
      request: `POST ${collection}`,
      body: sets({ name: "everywhere" }),
      outcome: refused(/^422 Name has already been taken/),
    },
    {
      title: "a name with a slash",
      section: "C.6",
      request: `POST ${collection}`,
      body: sets({ name: "a/b" }),
      outcome: refused(/^422 Name can only include letters, numbers, -, and _/),
    },
    // @covers beyond: Endpoints > DELETE policy-sets/{policySetId}
    // @covers beyond: Policy set > id
    { title: "a delete", section: "C.1", request: "DELETE policy-sets/{plain}", outcome: "ok" },
    {
      title: "what was deleted",
      section: "C.6",
      request: "GET policy-sets/{plain}",
      outcome: refused(/^404 not found .*it has no permission there, or the policy set is gone/),
    },
    // @covers beyond: Endpoints > DELETE policy-sets/{policySetId}
    { title: "a second delete", section: "C.6", request: "DELETE policy-sets/{plain}", outcome: "absent" },
    {
      title: "an update of what was deleted",
      section: "C.6",
      request: "PATCH policy-sets/{plain}",
      body: sets({ global: false }),
      outcome: "absent",
    },
    {
      title: "its parameters",
      section: "C.6",
      request: "GET policy-sets/{plain}/parameters",
      outcome: refused(/^404 not found .*The token cannot read the parameters of policy-sets/),
    },
  ],
});
