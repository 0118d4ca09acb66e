import { randomUUID } from "node:crypto";
import { shownAddress } from "../framework/bound-address";
import type { FieldData } from "../framework/field-data";
import { goDurationText } from "../framework/go-duration";
import { goQuoted } from "../framework/go-quoted";
import { assertNetworks } from "../framework/ip-network";
import { Failure, Refusal } from "../framework/refusal";
import {
  emptyTokenRecord,
  sentTokenFields,
  type TokenRecord,
  tokenFields,
  withDeprecatedFields,
  withTokenFields,
} from "../framework/token-fields";

export const roleFields = {
  role_name: "string",
  bind_secret_id: { type: "bool", default: true },
  bound_cidr_list: "commaStringSlice",
  secret_id_bound_cidrs: "commaStringSlice",
  policies: "commaStringSlice",
  secret_id_num_uses: "int",
  secret_id_ttl: "durationSecond",
  period: "durationSecond",
  role_id: "string",
  local_secret_ids: "bool",
  ...tokenFields,
} as const;

type RoleData = FieldData<typeof roleFields>;

/** A role as it is stored, by wire names. */
export interface RoleRecord extends TokenRecord {
  readonly role_id: string;
  readonly bind_secret_id: boolean;
  /** `null` was never sent. */
  readonly secret_id_bound_cidrs: readonly string[] | null;
  readonly secret_id_num_uses: number;
  readonly secret_id_ttl: number;
  readonly local_secret_ids: boolean;
  readonly policies: readonly string[];
  readonly period: number;
}

/** What a read of the role shows: the deprecated names only where something is stored under them. */
export function shownRole({
  role_id: _id,
  policies,
  period,
  ...always
}: RoleRecord): Readonly<Record<string, unknown>> {
  return {
    ...always,
    token_bound_cidrs: always.token_bound_cidrs.map(shownAddress),
    ...(policies.length > 0 ? { policies } : {}),
    ...(period > 0 ? { period } : {}),
  };
}

interface Writing {
  readonly stored: RoleRecord | undefined;
  readonly maxLeaseSeconds: number;
  /** Whether another role has the role ID. */
  isTaken(roleId: string): boolean;
}

/** The role after a write; the checks run in Vault's order. @throws Refusal or Failure */
export function writtenRole(data: RoleData, { stored, maxLeaseSeconds, isTaken }: Writing): RoleRecord {
  const sent = sentTokenFields(data);
  const type = { token_type: plainType(sent.token_type ?? "") };
  const current = withTokenFields(stored ?? newRole(), { ...sent, ...(sent.token_type === undefined ? {} : type) });
  if (stored !== undefined && data.given("local_secret_ids") !== undefined) {
    throw new Refusal("local_secret_ids can only be modified during role creation");
  }
  const changed = {
    ...current,
    role_id: data.given("role_id") ?? current.role_id,
    bind_secret_id: data.given("bind_secret_id") ?? current.bind_secret_id,
    secret_id_bound_cidrs:
      data.given("secret_id_bound_cidrs") ?? data.given("bound_cidr_list") ?? current.secret_id_bound_cidrs,
    secret_id_num_uses: data.given("secret_id_num_uses") ?? current.secret_id_num_uses,
    secret_id_ttl: data.given("secret_id_ttl") ?? current.secret_id_ttl,
    local_secret_ids: data.given("local_secret_ids") ?? current.local_secret_ids,
  };
  if (changed.role_id === "") throw new Refusal("invalid role_id supplied, or failed to generate a role_id");
  assertNetworks(changed.secret_id_bound_cidrs ?? [], "failed to validate CIDR blocks");
  if (changed.secret_id_num_uses < 0) throw new Refusal("secret_id_num_uses cannot be negative");
  const role = withDeprecatedFields(changed, data, ["policies", "period"]);
  if (role.period > maxLeaseSeconds) {
    const [period, limit] = [role.period, maxLeaseSeconds].map((seconds) => goQuoted(goDurationText(seconds)));
    throw new Refusal(`period of ${period} is greater than the backend's maximum lease TTL of ${limit}`);
  }
  if (!isConstrained(role)) throw new Failure("at least one constraint should be enabled on the role");
  refuseTaken(role.role_id, isTaken);
  return role;
}

/** @throws Failure */
export function refuseTaken(roleId: string, isTaken: Writing["isTaken"]): void {
  if (isTaken(roleId)) throw new Failure("role_id already in use");
}

/** The warnings of a successful write. */
export function roleWarnings(role: RoleRecord, data: RoleData, maxLeaseSeconds: number): readonly string[] {
  const type = data.given("token_type") ?? "";
  const plain = plainType(type);
  return [
    ...(plain === type ? [] : [`${type} has no useful meaning; adjusting to ${plain}`]),
    ...(role.token_max_ttl > maxLeaseSeconds
      ? [
          "token_max_ttl is greater than the backend mount's maximum TTL value; issued tokens' max TTL value will be truncated",
        ]
      : []),
  ];
}

/** The types of mounts are taken, too. */
function plainType(type: string): string {
  return type === "default-service" || type === "default-batch" ? type.slice("default-".length) : type;
}

function newRole(): RoleRecord {
  return {
    ...emptyTokenRecord,
    role_id: randomUUID(),
    bind_secret_id: true,
    secret_id_bound_cidrs: null,
    secret_id_num_uses: 0,
    secret_id_ttl: 0,
    local_secret_ids: false,
    policies: [],
    period: 0,
  };
}

function isConstrained({ bind_secret_id, secret_id_bound_cidrs, token_bound_cidrs }: RoleRecord): boolean {
  return bind_secret_id || (secret_id_bound_cidrs ?? []).length > 0 || token_bound_cidrs.length > 0;
}
