import * as z from "zod";
import { defineResource, type Values } from "../../core/definition";
import { required, row } from "../../core/field";
import { boolean, oneOf, segment } from "../../core/rows";
import { rule } from "../../core/rules";
import { byIdOr } from "./by-id-or";
import { POLICY_SET_ID, POLICY_SET_IDS } from "./policy-set";

const bytes = (text: string) => new TextEncoder().encode(text).length;

const fields = {
  /** Id of the policy set: `polset-` and 16 letters or digits. @source terraform/policy-set-params create */
  policySetId: required(segment(POLICY_SET_ID, POLICY_SET_IDS)),
  /** Parameter name, at most 128 characters. @source terraform/policy-set-params create */
  key: required(text("key", 128, "characters", (value) => [...value].length)),
  /** Parameter value, at most 256 KiB; empty when unset. @source terraform/policy-set-params create */
  value: text("value", 262_144, "bytes", bytes),
  /** Make the value write-only: the API never shows it again. @source terraform/policy-set-params create */
  sensitive: boolean("sensitive"),
  /** Category of the parameter. There is only one. @source terraform/policy-set-params create */
  category: oneOf("category", ["policy-set"], "policy-set"),
};

const outputs = {
  /** The server's id of the parameter. @source terraform/policy-set-params create */
  parameterId: parameterId("id"),
};

const collection = "policy-sets/{policySetId}/parameters";
const record = "policy-sets/{policySetId}/parameters/{parameterId}";

export const policyParameter = defineResource({
  token: "policy:Parameter",
  dialect: "tfe",
  fields,
  outputs,
  id: "{policySetId}/{parameterId}",
  label: "key",
  identity: ["policySetId"],
  stable: ["parameterId"],
  // The API cannot change these once a parameter is sensitive.
  replaceWhen: (olds, news) => (olds["sensitive"] === true ? lockedChanges(olds, news) : []),
  secrets: { value: { flag: "sensitive" } },
  create: { method: "POST", path: collection, sends: "everything" },
  update: { method: "PATCH", path: record, sends: "changes" },
  read: { path: collection, pick: byIdOr("parameterId", "key") },
  delete: { method: "DELETE", path: record },
  rules: [rule(["key"], ({ key }) => (String(key).trim() === "" ? "must not be blank" : undefined))],
  adopt: { by: ["key"] },
});

function lockedChanges(olds: Values, news: Values): readonly ("key" | "sensitive")[] {
  const locked = olds["key"] === news["key"] ? [] : (["key"] as const);
  return news["sensitive"] === true ? locked : [...locked, "sensitive"];
}

/** The id is in the path of every request that changes the parameter. */
function parameterId(wire: string) {
  const inPath = segment(/^var-[A-Za-z0-9]+$/, "`var-` followed by letters or digits");
  return required<string>({ ...inPath, place: "body", wire });
}

function text(wire: string, most: number, unit: string, size: (value: string) => number) {
  const error = `must be at most ${most} ${unit} long`;
  const schema = z.string({ error: "must be a string" }).refine((value) => size(value) <= most, { error });
  return row<string>({ place: "body", wire, schema, canonical: (value) => value ?? "" });
}
