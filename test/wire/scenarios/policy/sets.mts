import { defineScenario, refused, step } from "../../scenario.mts";

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
  steps: [
    // @covers beyond: Endpoints > POST organizations/{organization}/policy-sets
    // @covers beyond: Policy set > name
    // @covers beyond: Policy set > kind
    step("a policy set with a name alone", `POST ${collection}`, "ok", {
      section: "C.2",
      body: sets({ name: "production" }),
      keep: { plain: "/data/id" },
    }),
    // @covers beyond: Policy set > overridable
    // @covers beyond: Policy set > agent-enabled
    // @covers beyond: Policy set > policy-tool-version
    step("one that runs in the agent", `POST ${collection}`, "ok", {
      section: "C.2",
      body: sets({
        name: "cost",
        kind: "opa",
        "agent-enabled": true,
        "policy-tool-version": "0.70.0",
        overridable: true,
      }),
      keep: { agent: "/data/id" },
    }),
    // @covers beyond: Policy set > relationships/workspaces
    // @covers beyond: Policy set > relationships/projects
    // @covers beyond: Policy set > relationships/workspace-exclusions
    step("one that is attached, and excluded", `POST ${collection}`, "ok", {
      section: "C.3",
      body: sets(
        { name: "attached", description: "For some" },
        {
          workspaces: linked("workspaces", staging),
          projects: linked("projects", "prj-demo000000000001"),
          "workspace-exclusions": linked("workspaces", "ws-demo000000000002"),
        },
      ),
      keep: { attached: "/data/id" },
    }),
    // @covers beyond: Policy set > vcs-repo
    // @covers beyond: Policy set > policies-path
    step("one with a repository", `POST ${collection}`, "ok", {
      section: "C.2",
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
    }),
    // @covers beyond: Endpoints > GET organizations/{organization}/policy-sets
    step("the first page of all", `GET ${collection}?page[size]=2`, "ok", { section: "C.4" }),
    step("the last page of all", `GET ${collection}?page[number]=3&page[size]=2`, "ok", { section: "C.4" }),
    // @covers beyond: Endpoints > GET organizations/{organization}/policy-sets
    step("those with a name like this", `GET ${collection}?page%5Bsize%5D=100&search%5Bname%5D=prod`, "ok", {
      section: "C.4",
    }),
    // @covers beyond: Endpoints > GET organizations/{organization}/policy-sets
    step("all of them at once", `GET ${collection}?page%5Bsize%5D=100`, "ok", { section: "C.4" }),
    step("one of them", "GET policy-sets/{attached}", "ok", { section: "C.2" }),
    // @covers beyond: Endpoints > PATCH policy-sets/{policySetId}
    // @covers beyond: Policy set > description
    // @covers beyond: Policy set > global
    step("another name, a description, and all workspaces", "PATCH policy-sets/{plain}", "ok", {
      section: "C.5",
      body: sets({ name: "everywhere", description: "For all", global: true }),
    }),
    step("outside of the agent again, which takes version and override along", "PATCH policy-sets/{attached}", "ok", {
      section: "C.5",
      body: sets({ "agent-enabled": false, "policy-tool-version": null, overridable: false, description: null }),
    }),
    // @covers beyond: Policy set > relationships/workspaces
    step("attached to nothing", "PATCH policy-sets/{attached}", "ok", {
      section: "C.3",
      body: sets({}, { workspaces: linked("workspaces"), projects: linked("projects") }),
    }),
    // @covers beyond: Policy set > vcs-repo
    step("without its repository", "PATCH policy-sets/{versioned}", "ok", {
      section: "C.5",
      body: sets({ "vcs-repo": null, "policies-path": null }),
    }),
    // @covers beyond: Endpoints > POST organizations/{organization}/policy-sets
    step(
      "an organization that nobody may read",
      "POST organizations/nowhere/policy-sets",
      refused(/^404 not found .*Either the organization nowhere does not exist, or the token may not manage/),
      { section: "C.6", body: sets({ name: "production" }) },
    ),
    step(
      "a list of such an organization",
      "GET organizations/nowhere/policy-sets",
      refused(/^404 not found .*The token cannot read the policy sets of organizations\/nowhere/),
      { section: "C.6" },
    ),
    step(
      "such an organization itself",
      "GET organizations/nowhere",
      refused(/^404 not found .*The token cannot read the policy sets of organizations\/nowhere/),
      { section: "C.6" },
    ),
    step("the organization", "GET organizations/demo", "ok", { section: "C.1" }),
    // @covers beyond: Policy set > name
    step("a name that is taken", `POST ${collection}`, refused(/^422 Name has already been taken/), {
      section: "C.6",
      body: sets({ name: "everywhere" }),
    }),
    step(
      "a name with a slash",
      `POST ${collection}`,
      refused(/^422 Name can only include letters, numbers, -, and _/),
      { section: "C.6", body: sets({ name: "a/b" }) },
    ),
    // @covers beyond: Endpoints > DELETE policy-sets/{policySetId}
    // @covers beyond: Policy set > id
    step("a delete", "DELETE policy-sets/{plain}", "ok", { section: "C.1" }),
    step(
      "what was deleted",
      "GET policy-sets/{plain}",
      refused(/^404 not found .*there is no such policy set, or the token may not see it/),
      { section: "C.6" },
    ),
    // @covers beyond: Endpoints > DELETE policy-sets/{policySetId}
    step("a second delete", "DELETE policy-sets/{plain}", "absent", { section: "C.6" }),
    step("an update of what was deleted", "PATCH policy-sets/{plain}", "absent", {
      section: "C.6",
      body: sets({ global: false }),
    }),
    step(
      "its parameters",
      "GET policy-sets/{plain}/parameters",
      refused(/^404 not found .*The token cannot read the parameters of policy-sets/),
      { section: "C.6" },
    ),
  ],
});
