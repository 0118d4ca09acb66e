import { defineFunction, rowsOf } from "../../core/function";
import { inPath } from "../../core/rows";
import { byIdOr } from "../../resources/policy/by-id-or";
import { policyPolicySet } from "../../resources/policy/policy-set";

const { fields, outputs } = policyPolicySet;
const named = byIdOr("policySetId", "name");

export const policyGetPolicySet = defineFunction({
  token: "policy:getPolicySet",
  dialect: "tfe",
  fields: { ...rowsOf(fields, "organization"), name: inPath(fields.name) },
  results: {
    ...rowsOf(outputs, "policySetId"),
    ...rowsOf(fields, "organization", "name", "description", "kind", "global", "agentEnabled", "policyToolVersion"),
    ...rowsOf(fields, "overridable", "vcsRepo", "policiesPath", "workspaceIds", "projectIds", "workspaceExclusionIds"),
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
