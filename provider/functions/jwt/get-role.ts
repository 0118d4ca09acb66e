import { defineFunction, rowsOf } from "../../core/function";
import { jwtRole } from "../../resources/jwt/role";

export const jwtGetRole = defineFunction({
  token: "jwt:getRole",
  dialect: "vault",
  fields: rowsOf(jwtRole.fields, "mount", "name"),
  results: jwtRole.fields,
  label: "name",
  request: () => ({ method: "GET", path: "auth/{mount}/role/{name}" }),
});
