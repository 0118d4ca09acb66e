import { shownAddress } from "../framework/bound-address";
import { rfc3339 } from "../framework/go-time";
import { normalizedPolicies } from "../framework/normalized-policies";
import type { TokenEntry } from "./token-store";

/** Seconds until the token expires; 0 when it never does. */
export function secondsLeft({ expiresMs }: TokenEntry, now: Date): number {
  return expiresMs === undefined ? 0 : Math.max(0, Math.round((expiresMs - now.getTime()) / 1000));
}

export interface TokenView {
  readonly now: Date;
  /** What the entity and its groups add to the token's policies. */
  readonly ofIdentity: readonly string[];
}

/** The `auth` member of an envelope. */
export function authBlock(entry: TokenEntry, { now, ofIdentity }: TokenView): Readonly<Record<string, unknown>> {
  return {
    client_token: entry.id,
    accessor: entry.accessor,
    policies: normalizedPolicies([...entry.policies, ...ofIdentity], { addDefault: false }),
    ...(ofIdentity.length > 0 ? { identity_policies: normalizedPolicies(ofIdentity, { addDefault: false }) } : {}),
    ...(entry.policies.length > 0 ? { token_policies: entry.policies } : {}),
    metadata: entry.meta,
    lease_duration: secondsLeft(entry, now),
    renewable: entry.renewable,
    entity_id: entry.entityId,
    token_type: entry.type,
    orphan: entry.parent === undefined,
    mfa_requirement: null,
    num_uses: Math.max(0, entry.usesLeft),
  };
}

/** What a token lookup shows; the root token has neither `issue_time` nor `renewable`. */
export function lookupData(entry: TokenEntry, { now, ofIdentity }: TokenView): Readonly<Record<string, unknown>> {
  const leased = entry.path !== "auth/token/root";
  return {
    accessor: entry.accessor,
    creation_time: Math.floor(entry.createdMs / 1000),
    creation_ttl: entry.creationTtlSeconds,
    display_name: entry.displayName,
    entity_id: entry.entityId,
    expire_time: entry.expiresMs === undefined ? null : rfc3339(new Date(entry.expiresMs)),
    explicit_max_ttl: entry.explicitMaxSeconds,
    id: entry.id,
    meta: entry.meta,
    num_uses: entry.usesLeft,
    orphan: entry.parent === undefined,
    path: entry.path,
    policies: entry.policies,
    ttl: secondsLeft(entry, now),
    type: entry.type,
    ...(leased ? { issue_time: rfc3339(new Date(entry.createdMs)), renewable: entry.renewable } : {}),
    ...(entry.boundAddresses.length > 0 ? { bound_cidrs: entry.boundAddresses.map(shownAddress) } : {}),
    ...(ofIdentity.length > 0 ? { identity_policies: ofIdentity, external_namespace_policies: {} } : {}),
    ...(entry.periodSeconds > 0 ? { period: entry.periodSeconds } : {}),
    ...(entry.renewedMs === undefined
      ? {}
      : { last_renewal: rfc3339(new Date(entry.renewedMs)), last_renewal_time: Math.floor(entry.renewedMs / 1000) }),
  };
}
