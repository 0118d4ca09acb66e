import { type BoundAddress, shownAddress } from "../framework/bound-address";
import { emptyTokenRecord, type TokenRecord } from "../framework/token-fields";
import type { WireObject } from "../framework/wire-value";

/** A role as it is stored, by wire names. `null` lists and maps were never sent. */
export interface RoleRecord extends TokenRecord {
  readonly role_type: string;
  readonly expiration_leeway: number;
  readonly not_before_leeway: number;
  readonly clock_skew_leeway: number;
  readonly bound_audiences: readonly string[] | null;
  readonly bound_subject: string;
  readonly bound_claims_type: string;
  readonly bound_claims: WireObject | null;
  readonly claim_mappings: Readonly<Record<string, string>> | null;
  readonly user_claim: string;
  readonly user_claim_json_pointer: boolean;
  readonly groups_claim: string;
  readonly oidc_scopes: readonly string[] | null;
  readonly allowed_redirect_uris: readonly string[] | null;
  readonly verbose_oidc_logging: boolean;
  readonly max_age: number;
  readonly policies: readonly string[];
  readonly bound_cidrs: readonly BoundAddress[];
  readonly num_uses: number;
  readonly ttl: number;
  readonly max_ttl: number;
  readonly period: number;
  readonly alias_metadata: Readonly<Record<string, string>> | null;
  readonly callback_mode: string;
  readonly poll_interval: number;
  readonly oauth2_metadata: readonly string[] | null;
  readonly token_policies_template_claims: boolean;
  readonly token_strictly_bind_ip: boolean;
  readonly oidc_disable_confirmation: boolean;
}

export const emptyRole: RoleRecord = {
  role_type: "oidc",
  expiration_leeway: 0,
  not_before_leeway: 0,
  clock_skew_leeway: 0,
  bound_audiences: null,
  bound_subject: "",
  bound_claims_type: "string",
  bound_claims: null,
  claim_mappings: null,
  user_claim: "",
  user_claim_json_pointer: false,
  groups_claim: "",
  oidc_scopes: null,
  allowed_redirect_uris: null,
  verbose_oidc_logging: false,
  max_age: 0,
  ...emptyTokenRecord,
  policies: [],
  bound_cidrs: [],
  num_uses: 0,
  ttl: 0,
  max_ttl: 0,
  period: 0,
  alias_metadata: null,
  callback_mode: "client",
  poll_interval: 0,
  oauth2_metadata: null,
  token_policies_template_claims: false,
  token_strictly_bind_ip: false,
  oidc_disable_confirmation: false,
};

/** What a read of the role shows: the deprecated names only where something is stored under them. */
export function shownRole(role: RoleRecord): Readonly<Record<string, unknown>> {
  const { policies, bound_cidrs, num_uses, ttl, max_ttl, period, poll_interval, ...always } = role;
  return {
    ...always,
    alias_metadata: role.alias_metadata ?? {},
    token_bound_cidrs: role.token_bound_cidrs.map(shownAddress),
    ...(poll_interval > 0 ? { poll_interval } : {}),
    ...(policies.length > 0 ? { policies } : {}),
    ...(bound_cidrs.length > 0 ? { bound_cidrs: bound_cidrs.map(shownAddress) } : {}),
    ...(num_uses > 0 ? { num_uses } : {}),
    ...(ttl > 0 ? { ttl } : {}),
    ...(max_ttl > 0 ? { max_ttl } : {}),
    ...(period > 0 ? { period } : {}),
  };
}
