import type { Row, Sections } from "./section.ts";

const row = (real: string, asserted: string, ...evidence: string[]): Row => ({
  real,
  evidence: ["wire policy-sets", ...evidence],
  asserted,
});

/** Policy sets, of which the document of their parameters only says that they exist. */
export const beyondPolicySets = {
  "beyond: Policy set": {
    of: ["policyPolicySet", "policyGetPolicySet"],
    rows: {
      id: row(
        "`polset-` and 16 letters or digits",
        "the resource's output, and its id behind the organization",
        "reference policy C.2",
      ),
      name: row(
        "unique in its organization; changed in place",
        "wrong ones are refused; a set of this name is taken over, or found again after a lost answer",
        "reference policy C.2",
        "reference policy C.6",
      ),
      description: row("null where there is none", "set, changed, cleared", "reference policy C.2"),
      kind: row(
        "cannot be changed",
        "another one replaces the set; one of another kind is not taken over",
        "reference policy C.2",
      ),
      global: row("excludes workspaces and projects", "on and off; refused beside either", "reference policy C.2"),
      "agent-enabled": row("always on for `opa`", "on, off, and off refused for `opa`", "reference policy C.2"),
      "policy-tool-version": row(
        "the latest one where none is given",
        "required in the agent, refused outside of it",
        "reference policy C.2",
      ),
      overridable: row("null outside of the agent", "on, off, refused outside of the agent", "reference policy C.2"),
      "vcs-repo": row(
        "an object, to which the server adds what it knows of the host",
        "set, changed and taken away; parts that are missing or too many",
        "reference policy C.2",
        "reference policy C.5",
      ),
      "policies-path": row(
        "only with a repository",
        "set, changed, refused without a repository",
        "reference policy C.2",
      ),
      "relationships/workspaces": row(
        "a PATCH has the whole list; an empty one clears it",
        "one, two in any order, none; not looked at where the set is global",
        "reference policy C.3",
      ),
      "relationships/projects": row("the same", "one, another one, none", "reference policy C.3"),
      "relationships/workspace-exclusions": row("the same", "one, another one, none", "reference policy C.3"),
    },
  },
} satisfies Sections;
