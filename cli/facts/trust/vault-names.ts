import type { Values } from "../../../provider/core/definition";
import { trimSlashes } from "../../../provider/core/rows";
import { isRecord } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import type { EvaluatedRecord } from "../../stack/evaluated-records";

/** Names of roles and policies as Vault stores them; what stands for a hidden name stays. */
export const lowerName = (name: string) => name.trim().toLowerCase();

/** A path of an auth method as roles have it, which may be written as policies and `vault auth list` have it. */
export const authMountName = (path: string) => trimSlashes(trimSlashes(path).replace(/^auth\//, ""));

const NAMED = new Set([definitions.jwtRole.token, definitions.sysPolicy.token]);

/** The record with the names by which the server knows it, so that they can be compared with those of tests. */
export function asServerNames({ values, ...record }: EvaluatedRecord): EvaluatedRecord {
  const { alias } = values;
  return {
    ...record,
    values: {
      ...values,
      ...changed(values, "mount", trimSlashes),
      ...changed(values, "path", trimSlashes),
      ...changed(values, "defaultRole", lowerName),
      ...(NAMED.has(record.definition.token) ? changed(values, "name", lowerName) : {}),
      ...changedList(values, "tokenPolicies"),
      ...changedList(values, "policies"),
      ...(isRecord(alias) ? { alias: { ...alias, ...changed(alias, "mount", trimSlashes) } } : {}),
    },
  };
}

function changed(values: Values, property: string, change: (text: string) => string): Values {
  const value = values[property];
  return typeof value === "string" ? { [property]: change(value) } : {};
}

function changedList(values: Values, property: string): Values {
  const list = values[property];
  if (!Array.isArray(list)) return {};
  return { [property]: list.map((each: unknown) => (typeof each === "string" ? lowerName(each) : each)) };
}
