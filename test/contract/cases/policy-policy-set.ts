import type { Values } from "../../../provider/core/definition.ts";
import { changed, defineCase, replaced } from "../../support/contract-case.ts";

const staging = "ws-demo000000000001";
const production = "ws-demo000000000002";
const repo = { identifier: "acme/policies", branch: "main", oauthTokenId: "ot-demo000000000001" };
/** What goes with the evaluation in the agent. */
const outside = { agentEnabled: undefined, policyToolVersion: undefined, overridable: undefined };
/** Workspaces and projects of another organization are unknown. */
const detached = { workspaceIds: undefined, projectIds: undefined, workspaceExclusionIds: undefined };

const list = "GET organizations/{organization}/policy-sets?page%5Bsize%5D=100";

export const policyPolicySetCase = defineCase("policyPolicySet", {
  async prepare(world) {
    const raw = world.raw("policy");
    const name = world.fresh("set");
    const path = (state: Values) => `policy-sets/${String(state["policySetId"])}`;
    return {
      minimal: { organization: "demo", name },
      full: {
        organization: "demo",
        name,
        description: "For all of production",
        kind: "sentinel",
        global: false,
        agentEnabled: true,
        policyToolVersion: "0.40.0",
        overridable: true,
        vcsRepo: repo,
        policiesPath: "/production",
        workspaceIds: [staging],
        projectIds: ["prj-demo000000000001"],
        workspaceExclusionIds: [production],
      },
      id: (state) => `${String(state["organization"])}/${String(state["policySetId"])}`,
      record: path,
      remove: async (state) => void (await raw.call(`DELETE ${path(state)}`)),
      async edit(state) {
        const attributes = { description: "by hand" };
        await raw.call(`PATCH ${path(state)}`, { data: { type: "policy-sets", attributes } });
        return { description: "by hand" };
      },
    };
  },
  fields: {
    organization: replaced({ organization: "sandbox", ...detached }, { without: "required" }),
    name: changed((world) => ({ name: world.fresh("set") }), { without: "required", local: true }),
    description: changed({ description: "For a part of it" }),
    kind: replaced({ kind: "opa" }),
    global: changed({ global: true, workspaceIds: undefined, projectIds: undefined }),
    agentEnabled: changed(outside, { without: outside }),
    policyToolVersion: changed({ policyToolVersion: "0.41.0" }, { without: outside }),
    overridable: changed({ overridable: false }),
    vcsRepo: changed(
      { vcsRepo: { ...repo, branch: "next", ingressSubmodules: true } },
      { without: { vcsRepo: undefined, policiesPath: undefined } },
    ),
    policiesPath: changed({ policiesPath: "/all" }),
    workspaceIds: changed({ workspaceIds: [staging, production] }),
    projectIds: changed({ projectIds: ["prj-demo000000000002"] }),
    workspaceExclusionIds: changed({ workspaceExclusionIds: [staging] }),
  },
  spellings: [
    { title: "an empty and an unset text", one: { description: "" }, other: { description: undefined } },
    { title: "null and an unset text", one: { description: null }, other: { description: undefined } },
    { title: "false and an unset flag", one: { global: false }, other: { global: undefined } },
    { title: "the default and an unset kind", one: { kind: "sentinel" }, other: { kind: undefined } },
    { title: "no ids and unset ones", one: { workspaceIds: [] }, other: { workspaceIds: undefined } },
    {
      title: "ids in another order",
      one: { workspaceIds: [staging, production] },
      other: { workspaceIds: [production, staging] },
    },
    {
      title: "a default of a repository and an unset one",
      one: { vcsRepo: { ...repo, ingressSubmodules: false } },
      other: { vcsRepo: repo },
    },
  ],
  own: ["name"],
  volatile: ["id", "organization", "name", "createdAt", "updatedAt"],
  skips: [
    {
      case: "a failed read-back is a partial failure",
      reason: "the answer to a write is the stored record",
      fails: /resolved .* instead of rejecting/s,
    },
  ],
  requests: {
    create: [list, "POST organizations/{organization}/policy-sets"],
    update: [list, "PATCH policy-sets/{policySetId}"],
    read: [list],
    delete: [list, "DELETE policy-sets/{policySetId}", list],
  },
});
