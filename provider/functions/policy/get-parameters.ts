import type { RowValues } from "../../core/field";
import { required } from "../../core/field";
import { defineFunction, recordsOf, rowsOf } from "../../core/function";
import { policyParameter } from "../../resources/policy/parameter";

const parameterRows = {
  ...rowsOf(policyParameter.outputs, "parameterId"),
  ...rowsOf(policyParameter.fields, "key", "value", "sensitive", "category"),
};

/** A parameter of a policy set. The API never shows the value of a sensitive one. */
export interface FoundParameter extends RowValues<typeof parameterRows> {}

const results = {
  ...rowsOf(policyParameter.fields, "policySetId"),
  /** All parameters of the policy set. @source terraform/policy-set-params list */
  parameters: required(recordsOf<FoundParameter>("parameters", parameterRows)),
};

export const policyGetParameters = defineFunction({
  token: "policy:getParameters",
  dialect: "tfe",
  fields: rowsOf(policyParameter.fields, "policySetId"),
  results,
  label: "policySetId",
  unpack: (parameters) => ({ parameters }),
  request: () => ({ method: "GET", path: "policy-sets/{policySetId}/parameters", isCollection: true }),
});
