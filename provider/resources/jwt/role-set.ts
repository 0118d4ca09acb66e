import { defineSet } from "../../core/definition";
import { required } from "../../core/field";
import { rowsOf } from "../../core/function";
import { commonSettings, recordsByName, type Settings, setOutputs, setRows } from "../../core/set-rows";
import { jwtRole } from "./role";

/** Settings of one role of a set, or of all of them: the properties of `jwt.Role` without `mount` and `name`. */
export interface RoleSettings extends Settings<typeof jwtRole, "mount" | "name"> {}

/** Roles by name. Declared, because the compiler forgets the type of a map's values where it is a parameter. */
export interface RolesByName {
  [name: string]: RoleSettings;
}

const fields = {
  ...rowsOf(jwtRole.fields, "mount"),
  /** Roles by name, each with the settings that are its own. The server stores names in lower case. */
  roles: required(recordsByName<RolesByName>()),
  /** Settings that every role has unless it says otherwise. */
  defaults: commonSettings<RoleSettings>(),
  ...setRows,
};

export const jwtRoleSet = defineSet({
  token: "jwt:RoleSet",
  fields,
  outputs: setOutputs,
  id: "auth/{mount}/role",
  label: "mount",
  members: { of: jwtRole, property: "roles", name: "name", outputs: {} },
});
