import { defineSet } from "../../core/definition";
import { required } from "../../core/field";
import { rowsOf } from "../../core/function";
import { local, stringMap } from "../../core/rows";
import { commonSettings, recordsByName, type Settings, setOutputs, setRows } from "../../core/set-rows";
import { cloudStaticRole } from "./static-role";

/** Settings of one static role of a set, or of all of them: the properties of `cloud.StaticRole` without `mount` and `name`. */
export interface StaticRoleSettings extends Settings<typeof cloudStaticRole, "mount" | "name"> {}

/** Static roles by name. Declared, because the compiler forgets the type of a map's values where it is a parameter. */
export interface StaticRolesByName {
  [name: string]: StaticRoleSettings;
}

const fields = {
  ...rowsOf(cloudStaticRole.fields, "mount"),
  /** Static roles by name, each with the settings that are its own. With another `username` a role is deleted and made anew. */
  roles: required(recordsByName<StaticRolesByName>()),
  /** Settings that every static role has unless it says otherwise. */
  defaults: commonSettings<StaticRoleSettings>(),
  ...setRows,
};

const outputs = {
  /** The cloud's ids of the users, by role. */
  userIds: required(local(stringMap(""))),
  ...setOutputs,
};

export const cloudStaticRoleSet = defineSet({
  token: "cloud:StaticRoleSet",
  fields,
  outputs,
  id: "{mount}/static-roles",
  label: "mount",
  members: { of: cloudStaticRole, property: "roles", name: "name", outputs: { userId: "userIds" } },
});
