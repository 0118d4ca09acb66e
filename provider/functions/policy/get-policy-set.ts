import { defineFunction, rowsOf } from "../../core/function";
import { inPath } from "../../core/rows";
import { byIdOr } from "../../resources/policy/by-id-or";
import { policyPolicySet } from "../../resources/policy/policy-set";

const { fields: rows, outputs } = policyPolicySet;
const named = byIdOr("policySetId", "name");

const fields = {
  ...rowsOf(rows, "organization"),
  /** Name of the policy set, unique in its organization. @source terraform/policy-sets list */
  name: inPath(rows.name),
};

export const policyGetPolicySet = defineFunction({
  token: "policy:getPolicySet",
  dialect: "tfe",
  fields,
  results: {
    ...rowsOf(outputs, "policySetId"),
    ...rowsOf(rows, "organization", "name", "description", "kind", "global", "agentEnabled", "policyToolVersion"),
    ...rowsOf(rows, "overridable", "workspaceIds", "projectIds", "workspaceExclusionIds"),
  },
  label: "name",
  // The server searches for a part of the name.
  request: () => ({
    method: "GET",
    path: "organizations/{organization}/policy-sets?page%5Bsize%5D=100&search%5Bname%5D={name}",
    isCollection: true,
  }),
  unpack: (list, { name }) => named(list, { name }),
});
