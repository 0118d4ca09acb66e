import { normalizedPolicies } from "../framework/normalized-policies";
import type { IdentityStore } from "../identity/identity-store";
import type { AccessList } from "./access-list";
import type { PolicyStore } from "./policy-store";
import type { TokenEntry } from "./token-store";

interface Parts {
  readonly policies: PolicyStore;
  readonly identities: IdentityStore;
}

export interface TokenAccess {
  /** The token's own policies and those of its user. */
  readonly policies: readonly string[];
  readonly access: AccessList;
}

/** What a token may do in one namespace; `undefined` where it may do nothing. */
export type AccessOf = (token: Pick<TokenEntry, "namespace" | "policies" | "entityId">) => TokenAccess | undefined;

/** What a token may do in its own namespace; `undefined` when its user is disabled or gone, so that it may do nothing. */
export function accessOfToken(
  { policies: store, identities }: Parts,
  { policies: own, entityId }: Pick<TokenEntry, "policies" | "entityId">,
): TokenAccess | undefined {
  const entity = identities.entity(entityId);
  if (entityId !== "" && (entity === undefined || entity.disabled)) return undefined;
  const policies = normalizedPolicies([...own, ...identities.policiesOf(entityId)], { addDefault: false });
  return { policies, access: store.accessOf(policies, identities.subjectOf(entityId)) };
}
