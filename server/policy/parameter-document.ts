import type { Parameter } from "./parameter-rules";

/** The record as the API shows it: a sensitive value is null in every answer. */
export function parameterDocument(policySet: string, parameter: Parameter): Record<string, unknown> {
  const { id, key, value, sensitive, category } = parameter;
  const set = `/api/v2/policy-sets/${policySet}`;
  return {
    id,
    type: "vars",
    attributes: { key, value: sensitive ? null : value, sensitive, category },
    relationships: { configurable: { data: { id: policySet, type: "policy-sets" }, links: { related: set } } },
    links: { self: `${set}/parameters/${id}` },
  };
}
