import type { BoundAddress } from "../framework/bound-address";
import { shownAddress } from "../framework/bound-address";
import type { FieldData } from "../framework/field-data";
import { Failure, Refusal } from "../framework/refusal";
import {
  emptyTokenRecord,
  sentTokenFields,
  type TokenRecord,
  tokenFields,
  withDeprecatedFields,
  withTokenFields,
} from "../framework/token-fields";
import { extendedUses, mayBeClient } from "./certificate-extensions";
import { certificatesIn } from "./certificates-in";

const ownFields = {
  certificate: "string",
  display_name: "string",
  allowed_names: "commaStringSlice",
  allowed_common_names: "commaStringSlice",
  allowed_dns_sans: "commaStringSlice",
  allowed_email_sans: "commaStringSlice",
  allowed_uri_sans: "commaStringSlice",
  allowed_organizational_units: "commaStringSlice",
  allowed_organizations: "commaStringSlice",
  required_extensions: "commaStringSlice",
  allowed_metadata_extensions: "commaStringSlice",
  ocsp_enabled: "bool",
  ocsp_ca_certificates: "string",
  ocsp_servers_override: "commaStringSlice",
  ocsp_fail_open: "bool",
  ocsp_query_all_servers: "bool",
  ocsp_this_update_max_age: "durationSecond",
  ocsp_max_retries: { type: "int", default: 4 },
} as const;

export const roleFields = {
  name: "lowerCaseString",
  ...ownFields,
  ...tokenFields,
  policies: "commaStringSlice",
  lease: "int",
  ttl: "durationSecond",
  max_ttl: "durationSecond",
  period: "durationSecond",
  bound_cidrs: "commaStringSlice",
} as const;

/** A certificate role as it is stored, by wire names. `null` lists were never sent. */
export interface RoleRecord extends TokenRecord {
  readonly certificate: string;
  readonly display_name: string;
  readonly allowed_names: readonly string[] | null;
  readonly allowed_common_names: readonly string[] | null;
  readonly allowed_dns_sans: readonly string[] | null;
  readonly allowed_email_sans: readonly string[] | null;
  readonly allowed_uri_sans: readonly string[] | null;
  readonly allowed_organizational_units: readonly string[] | null;
  readonly allowed_organizations: readonly string[] | null;
  readonly required_extensions: readonly string[] | null;
  readonly allowed_metadata_extensions: readonly string[] | null;
  readonly ocsp_enabled: boolean;
  readonly ocsp_ca_certificates: string;
  readonly ocsp_servers_override: readonly string[] | null;
  readonly ocsp_fail_open: boolean;
  readonly ocsp_query_all_servers: boolean;
  readonly ocsp_this_update_max_age: number;
  readonly ocsp_max_retries: number;
  readonly policies: readonly string[];
  readonly bound_cidrs: readonly BoundAddress[];
  readonly ttl: number;
  readonly max_ttl: number;
  readonly period: number;
}

const emptyRole: RoleRecord = {
  certificate: "",
  display_name: "",
  allowed_names: null,
  allowed_common_names: null,
  allowed_dns_sans: null,
  allowed_email_sans: null,
  allowed_uri_sans: null,
  allowed_organizational_units: null,
  allowed_organizations: null,
  required_extensions: null,
  allowed_metadata_extensions: null,
  ocsp_enabled: false,
  ocsp_ca_certificates: "",
  ocsp_servers_override: null,
  ocsp_fail_open: false,
  ocsp_query_all_servers: false,
  ocsp_this_update_max_age: 0,
  ocsp_max_retries: 4,
  ...emptyTokenRecord,
  policies: [],
  bound_cidrs: [],
  ttl: 0,
  max_ttl: 0,
  period: 0,
};

/** What a read of the role shows: the deprecated names only where something is stored under them. */
export function shownRole(role: RoleRecord): Readonly<Record<string, unknown>> {
  const { policies, bound_cidrs, ttl, max_ttl, period, ...always } = role;
  return {
    ...always,
    token_bound_cidrs: role.token_bound_cidrs.map(shownAddress),
    ...(policies.length > 0 ? { policies } : {}),
    ...(bound_cidrs.length > 0 ? { bound_cidrs: bound_cidrs.map(shownAddress) } : {}),
    ...(ttl > 0 ? { ttl } : {}),
    ...(max_ttl > 0 ? { max_ttl } : {}),
    ...(period > 0 ? { period } : {}),
  };
}

/** The role after a write; the checks run in Vault's order. @throws Refusal or Failure */
export function writtenRole(stored: RoleRecord | undefined, data: FieldData<typeof roleFields>): RoleRecord {
  const names = Object.keys(ownFields) as (keyof typeof ownFields)[];
  const sent = Object.fromEntries(
    names.map((name) => [name, data.given(name)] as const).filter(([, value]) => value !== undefined),
  );
  const own: RoleRecord = { ...(stored ?? emptyRole), ...sent };
  if (own.ocsp_max_retries < 0) throw new Failure("ocsp_max_retries can not be a negative number");
  const folded = withDeprecatedFields(withTokenFields(own, sentTokenFields(data)), data, deprecatedFields);
  const role = withLease(folded, data);
  if (role.token_max_ttl !== 0 && role.token_ttl > role.token_max_ttl) {
    throw new Refusal("ttl should be shorter than max_ttl");
  }
  const [trusted] = certificatesIn(role.certificate);
  if (trusted === undefined) throw new Refusal("failed to parse certificate");
  if (!trusted.ca && !mayBeClient(extendedUses(trusted))) {
    throw new Refusal("nonCA certificates should have TLS client authentication set as an extended key usage");
  }
  return { ...role, display_name: role.display_name || data.get("name") };
}

const deprecatedFields = ["policies", "ttl", "max_ttl", "period", "bound_cidrs"] as const;

/** The oldest name of `ttl`. */
function withLease(role: RoleRecord, data: FieldData<typeof roleFields>): RoleRecord {
  const lease = data.given("lease");
  if (lease === undefined || data.given("token_ttl") !== undefined || data.given("ttl") !== undefined) return role;
  return { ...role, ttl: lease, token_ttl: lease };
}

/** The warnings of a successful write. */
export function roleWarnings(
  { token_ttl: ttl, token_max_ttl: max, token_period: period }: TokenRecord,
  { defaultLeaseSeconds, maxLeaseSeconds }: { defaultLeaseSeconds: number; maxLeaseSeconds: number },
): string[] {
  const beyond = (what: string, seconds: number, limit: number) =>
    `Given ${what} of ${seconds} seconds is greater than current mount/system default of ${limit} seconds`;
  return [
    ...(ttl > defaultLeaseSeconds ? [beyond("ttl", ttl, defaultLeaseSeconds)] : []),
    ...(max > maxLeaseSeconds ? [beyond("max_ttl", max, maxLeaseSeconds)] : []),
    ...(period > maxLeaseSeconds
      ? [`Given period of ${period} seconds is greater than the backend's maximum TTL of ${maxLeaseSeconds} seconds`]
      : []),
  ];
}
