import { randomUUID } from "node:crypto";
import { shownAddress } from "../framework/bound-address";
import type { FieldData } from "../framework/field-data";
import { goDurationText } from "../framework/go-duration";
import { goQuoted } from "../framework/go-quoted";
import { Refusal } from "../framework/refusal";
import {
  emptyTokenRecord,
  sentTokenFields,
  type TokenRecord,
  tokenFields,
  withDeprecatedFields,
  withTokenFields,
} from "../framework/token-fields";
import type { IamClient } from "./iam-client";

/** What binds a role to machines, by the words in which Vault asks for another type. */
const machineBounds = {
  bound_account_id: "ec2 auth_type or inferring ec2_instance",
  bound_region: "ec2 auth_type",
  bound_ami_id: "ec2 auth_type or inferring ec2_instance",
  bound_iam_instance_profile_arn: "ec2 auth_type or inferring ec2_instance",
  bound_ec2_instance_id: "ec2 auth_type or inferring ec2_instance",
  bound_iam_role_arn: "ec2 auth_type or inferring ec2_instance",
  bound_vpc_id: "ec2 auth_type or inferring ec2_instance",
  bound_subnet_id: "ec2 auth_type or inferring ec2_instance",
} as const;
const boundNames = Object.keys(machineBounds) as (keyof typeof machineBounds)[]; // Keys of a literal are its own names.

export const roleFields = {
  role: "lowerCaseString",
  auth_type: "string",
  bound_iam_principal_arn: "commaStringSlice",
  resolve_aws_unique_ids: { type: "bool", default: true },
  bound_account_id: "commaStringSlice",
  bound_region: "commaStringSlice",
  bound_ami_id: "commaStringSlice",
  bound_iam_instance_profile_arn: "commaStringSlice",
  bound_ec2_instance_id: "commaStringSlice",
  bound_iam_role_arn: "commaStringSlice",
  bound_vpc_id: "commaStringSlice",
  bound_subnet_id: "commaStringSlice",
  inferred_entity_type: "string",
  inferred_aws_region: "string",
  role_tag: "string",
  allow_instance_migration: "bool",
  disallow_reauthentication: "bool",
  ...tokenFields,
  policies: "commaStringSlice",
  ttl: "durationSecond",
  max_ttl: "durationSecond",
  period: "durationSecond",
} as const;

type RoleData = FieldData<typeof roleFields>;

/** A role for IAM principals as it is stored, by wire names. */
export interface RoleRecord extends TokenRecord {
  readonly role_id: string;
  readonly bound_iam_principal_arn: readonly string[];
  readonly bound_iam_principal_id: readonly string[];
  readonly resolve_aws_unique_ids: boolean;
  readonly policies: readonly string[];
  readonly ttl: number;
  readonly max_ttl: number;
  readonly period: number;
}

/** What a read of the role shows: the deprecated names only where something is stored under them. */
export function shownRole(role: RoleRecord): Readonly<Record<string, unknown>> {
  const { policies, ttl, max_ttl, period, ...always } = role;
  return {
    ...Object.fromEntries(boundNames.map((name) => [name, []])),
    // Vault forgets to make a list of this one.
    bound_ec2_instance_id: null,
    ...always,
    auth_type: "iam",
    inferred_entity_type: "",
    inferred_aws_region: "",
    role_tag: "",
    allow_instance_migration: false,
    disallow_reauthentication: false,
    token_bound_cidrs: role.token_bound_cidrs.map(shownAddress),
    ...(policies.length > 0 ? { policies } : {}),
    ...(ttl > 0 ? { ttl } : {}),
    ...(max_ttl > 0 ? { max_ttl } : {}),
    ...(period > 0 ? { period } : {}),
  };
}

interface Writing {
  readonly stored: RoleRecord | undefined;
  readonly maxLeaseSeconds: number;
  readonly iam: IamClient;
}

/** The role after a write; the checks run in Vault's order. @throws Refusal */
export function writtenRole(data: RoleData, { stored, maxLeaseSeconds, iam }: Writing): RoleRecord {
  const bound = boundTo(data, { stored: stored ?? newRole(), isNew: stored === undefined, iam });
  refuseMachines(data, stored !== undefined);
  if (bound.bound_iam_principal_arn.length === 0) {
    throw new Refusal("at least one bound parameter should be specified on the role");
  }
  for (const name of ["disallow_reauthentication", "allow_instance_migration"] as const) {
    if (data.given(name) !== undefined) throw new Refusal(`specified ${name} when not using ec2 auth type`);
  }
  const current = withTokenFields(bound, sentTokenFields(data));
  const role = withDeprecatedFields(current, data, ["policies", "ttl", "max_ttl", "period"]);
  if (role.token_max_ttl !== 0 && role.token_max_ttl < role.token_ttl) {
    throw new Refusal("ttl should be shorter than max ttl");
  }
  if (role.token_period > maxLeaseSeconds) {
    const [period, limit] = [role.token_period, maxLeaseSeconds].map((seconds) => goQuoted(goDurationText(seconds)));
    throw new Refusal(`period of ${period} is greater than the backend's maximum lease TTL of ${limit}`);
  }
  if (data.given("role_tag") !== undefined)
    throw new Refusal("tried to enable role_tag when not using ec2 auth method");
  return role;
}

/** The warnings of a successful write. */
export function roleWarnings({ token_max_ttl: max }: RoleRecord, maxLeaseSeconds: number): string[] {
  const [given, limit] = [max, maxLeaseSeconds].map((seconds) => `${seconds} seconds`);
  return max > maxLeaseSeconds
    ? [
        `Given max ttl of ${given} greater than current mount/system default of ${limit}; max ttl will be capped at login time`,
      ]
    : [];
}

function newRole(): RoleRecord {
  return {
    ...emptyTokenRecord,
    role_id: randomUUID(),
    bound_iam_principal_arn: [],
    bound_iam_principal_id: [],
    resolve_aws_unique_ids: true,
    policies: [],
    ttl: 0,
    max_ttl: 0,
    period: 0,
  };
}

interface Binding {
  readonly stored: RoleRecord;
  readonly isNew: boolean;
  readonly iam: IamClient;
}

function boundTo(data: RoleData, { stored, isNew, iam }: Binding): RoleRecord {
  const resolves = data.given("resolve_aws_unique_ids") ?? stored.resolve_aws_unique_ids;
  if (!isNew && stored.resolve_aws_unique_ids && !resolves) {
    throw new Refusal("changing resolve_aws_unique_ids from true to false is not allowed");
  }
  const arns = data.given("bound_iam_principal_arn");
  const known = arns === undefined ? stored.bound_iam_principal_id : [];
  const bound_iam_principal_arn = arns ?? stored.bound_iam_principal_arn;
  const named = bound_iam_principal_arn.filter((arn) => !arn.endsWith("*"));
  const bound_iam_principal_id = resolves && known.length === 0 ? named.map((arn) => resolved(arn, iam)) : known;
  return { ...stored, resolve_aws_unique_ids: resolves, bound_iam_principal_arn, bound_iam_principal_id };
}

function resolved(arn: string, iam: IamClient): string {
  try {
    return iam.uniqueId(arn);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Refusal(`unable to resolve ARN ${goQuoted(arn)} to internal ID: ${error.message}`);
  }
}

/** Logins of machines are not imitated; what a role for principals must not have is refused in Vault's words. */
function refuseMachines(data: RoleData, isThere: boolean): void {
  const type = data.given("auth_type") ?? "iam";
  if (type !== "iam" && isThere) throw new Refusal("changing auth_type on a role is not allowed");
  if (type !== "iam" && type !== "ec2") throw new Refusal(`unrecognized auth_type: ${type}`);
  if (type === "ec2" || data.get("inferred_entity_type") !== "") {
    throw new Refusal("roles for EC2 instances are not supported by the embedded server", { status: 501 });
  }
  if (data.get("inferred_aws_region") !== "") {
    throw new Refusal("specified inferred_aws_region but not inferred_entity_type");
  }
  const wrong = boundNames.find((name) => data.get(name).length > 0);
  if (wrong !== undefined) throw new Refusal(`specified ${wrong} but not specifying ${machineBounds[wrong]}`);
}
