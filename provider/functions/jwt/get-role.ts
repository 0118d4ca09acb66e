import { defineFunction, rowsOf } from "../../core/function";
import { jwtRole } from "../../resources/jwt/role";

// What is done when a resource is created is nothing of the record.
const { takeOver: _, ...results } = jwtRole.fields;

export const jwtGetRole = defineFunction({
  token: "jwt:getRole",
  dialect: "vault",
  fields: rowsOf(jwtRole.fields, "mount", "name"),
  results,
  label: "name",
  request: () => ({ method: "GET", path: "auth/{mount}/role/{name}" }),
});
