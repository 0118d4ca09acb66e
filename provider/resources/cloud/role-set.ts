import { defineSet } from "../../core/definition";
import { required } from "../../core/field";
import { rowsOf } from "../../core/function";
import { local, stringMap } from "../../core/rows";
import { commonSettings, recordsByName, type Settings, setOutputs, setRows } from "../../core/set-rows";
import { cloudRole } from "./role";

/** Settings of one role of a set, or of all of them: the properties of `cloud.Role` without `mount`, `name` and old forms. */
export interface RoleSettings extends Settings<typeof cloudRole, "mount" | "name" | "policy" | "arn"> {}

/** Roles by name. Declared, because the compiler forgets the type of a map's values where it is a parameter. */
export interface RolesByName {
  [name: string]: RoleSettings;
}

const fields = {
  ...rowsOf(cloudRole.fields, "mount"),
  /** Roles by name, each with the settings that are its own. */
  roles: required(recordsByName<RolesByName>()),
  /** Settings that every role has unless it says otherwise. */
  defaults: commonSettings<RoleSettings>(),
  ...setRows,
};

const outputs = {
  /** Data of roles that an earlier version of the server stored and the present version refuses, by role. */
  invalidData: local(stringMap("")),
  ...setOutputs,
};

export const cloudRoleSet = defineSet({
  token: "cloud:RoleSet",
  fields,
  outputs,
  id: "{mount}/roles",
  label: "mount",
  members: { of: cloudRole, property: "roles", name: "name", outputs: { invalidData: "invalidData" } },
});
