import { invalidAttribute, type JsonApiError } from "./json-api";
import { type PolicySet, type PolicySetChanges, type Relation, relations } from "./policy-set";

export interface PolicySetChange {
  /** Absent on create. */
  readonly current?: PolicySet;
  /** The set as it would be then. */
  readonly next: Pick<PolicySet, "attributes" | "related">;
  readonly changes: PolicySetChanges;
  /** The names of the organization's other sets. */
  readonly taken: readonly string[];
  /** Whether the organization has such a record. */
  isThere(relation: Relation, id: string): boolean;
}

const kinds = ["sentinel", "opa"];

/** Every reason to refuse a create or an update. The texts are inferred: see `test/fixtures/wire/reference/policy-sets.md`. */
export function policySetErrors({ next, changes, taken, isThere }: PolicySetChange): readonly JsonApiError[] {
  const { name, kind, global } = next.attributes;
  const { "vcs-repo": repository, "policies-path": path } = next.attributes;
  const errors: JsonApiError[] = [];
  if (name.trim() === "") errors.push(invalidAttribute("name", "Name can't be blank"));
  else if (!/^[\w-]+$/.test(name))
    errors.push(invalidAttribute("name", "Name can only include letters, numbers, -, and _"));
  if (taken.includes(name)) errors.push(invalidAttribute("name", "Name has already been taken"));
  if (!kinds.includes(kind)) errors.push(invalidAttribute("kind", "Kind is not included in the list"));
  if (path !== null && repository === null)
    errors.push(invalidAttribute("policies-path", "Policies path can only be set with a VCS repository"));
  if (repository !== null && next.related.policies.length > 0)
    errors.push(invalidAttribute("vcs-repo", "VCS repo cannot be combined with individually managed policies"));
  if (global) errors.push(...attachmentErrors(changes));
  for (const relation of relations)
    for (const id of changes.related[relation] ?? [])
      if (!isThere(relation, id)) errors.push(invalidRelationship(relation, `${id} was not found`));
  return errors;
}

/** A global set cannot be attached; a request may still empty its list. */
function attachmentErrors({ related }: PolicySetChanges): JsonApiError[] {
  return (["workspaces", "projects"] as const)
    .filter((relation) => (related[relation] ?? []).length > 0)
    .map((relation) => invalidRelationship(relation, `A global policy set cannot be attached to ${relation}`));
}

function invalidRelationship(relation: Relation, detail: string): JsonApiError {
  return {
    status: "422",
    title: "invalid relationship",
    detail,
    source: { pointer: `/data/relationships/${relation}` },
  };
}
