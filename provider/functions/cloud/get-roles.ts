import { required } from "../../core/field";
import { defineFunction, rowsOf } from "../../core/function";
import { stringList } from "../../core/rows";
import { cloudRole } from "../../resources/cloud/role";

const results = {
  ...rowsOf(cloudRole.fields, "mount"),
  /** Names of all roles, sorted. @source vault/aws list-roles */
  names: required(stringList("keys")),
};

export const cloudGetRoles = defineFunction({
  token: "cloud:getRoles",
  dialect: "vault",
  fields: rowsOf(cloudRole.fields, "mount"),
  results,
  label: "mount",
  none: { keys: [] },
  request: () => ({ method: "GET", path: "{mount}/roles?list=true" }),
});
