import type { CloudCaller, CloudIdentity } from "../cloud/cloud-identity";

export interface SessionPolicies {
  readonly policy: string;
  readonly policyArns: readonly string[];
}

/**
 * A role's own policies together with those of its groups: documents become one, lists of ARNs follow each other.
 * @throws CloudFailure for an unknown group
 */
export function withGroupPolicies(
  own: SessionPolicies,
  { identity, caller, groups }: { identity: CloudIdentity; caller: () => CloudCaller; groups: readonly string[] },
): SessionPolicies {
  if (groups.length === 0) return own;
  const found = groups.map((name) => identity.getGroup(caller(), name));
  const documents = found.flatMap(({ inlinePolicies }) => Object.values(inlinePolicies));
  return {
    policy: documents.length === 0 ? own.policy : combined([...documents, own.policy]),
    policyArns: [...own.policyArns, ...found.flatMap(({ attachedPolicies }) => attachedPolicies)],
  };
}

/** One document with the statements of all. A statement may stand alone, without a list around it. */
function combined(documents: readonly string[]): string {
  const statements = documents
    .filter((document) => document !== "")
    // The cloud and the role's own check have parsed them before.
    .flatMap((document) => (JSON.parse(document) as { Statement?: unknown }).Statement ?? []);
  return JSON.stringify({ Version: "2012-10-17", Statement: statements });
}
