import { defineSet } from "../../core/definition";
import { required } from "../../core/field";
import { rowsOf } from "../../core/function";
import { local, stringMap } from "../../core/rows";
import { commonSettings, recordsByName, type Settings, setOutputs, setRows } from "../../core/set-rows";
import { policyParameter } from "./parameter";

/** Settings of one parameter of a set, or of all of them: the properties of `policy.Parameter` without `policySetId` and `key`. */
export interface ParameterSettings extends Settings<typeof policyParameter, "policySetId" | "key"> {}

/** Parameters by key. Declared, because the compiler forgets the type of a map's values where it is a parameter. */
export interface ParametersByKey {
  [key: string]: ParameterSettings;
}

const fields = {
  ...rowsOf(policyParameter.fields, "policySetId"),
  /** Parameters by key, each with the settings that are its own. */
  parameters: required(recordsByName<ParametersByKey>()),
  /** Settings that every parameter has unless it says otherwise. */
  defaults: commonSettings<ParameterSettings>(),
  ...setRows,
};

const outputs = {
  /** The server's ids of the parameters, by key. */
  parameterIds: required(local(stringMap(""))),
  ...setOutputs,
};

export const policyParameterSet = defineSet({
  token: "policy:ParameterSet",
  fields,
  outputs,
  id: "policy-sets/{policySetId}/parameters",
  label: "policySetId",
  members: { of: policyParameter, property: "parameters", name: "key", outputs: { parameterId: "parameterIds" } },
});
