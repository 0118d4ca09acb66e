import { required } from "../../core/field";
import { defineFunction, rowsOf } from "../../core/function";
import { stringList } from "../../core/rows";
import { jwtRole } from "../../resources/jwt/role";

const results = {
  ...rowsOf(jwtRole.fields, "mount"),
  /** Names of all roles, sorted. @source vault/jwt list */
  names: required(stringList("keys")),
};

export const jwtGetRoles = defineFunction({
  token: "jwt:getRoles",
  dialect: "vault",
  fields: rowsOf(jwtRole.fields, "mount"),
  results,
  label: "mount",
  none: { keys: [] },
  request: () => ({ method: "GET", path: "auth/{mount}/role?list=true" }),
});
