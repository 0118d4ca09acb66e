import type { Fields } from "../framework/field-type";

/** A stored role, by its names on the wire. Only the type has another name, because legacy roles have two types. */
export interface AwsRole {
  readonly credential_types: readonly string[];
  /** Null until the first write that has the field; the API tells it from an empty list. */
  readonly policy_arns: readonly string[] | null;
  readonly role_arns: readonly string[] | null;
  readonly iam_groups: readonly string[] | null;
  readonly iam_tags: Readonly<Record<string, string>> | null;
  readonly session_tags: Readonly<Record<string, string>> | null;
  readonly policy_document: string;
  readonly external_id: string;
  readonly mfa_serial_number: string;
  readonly permissions_boundary_arn: string;
  readonly user_path: string;
  readonly default_sts_ttl: number;
  readonly max_sts_ttl: number;
  /** Set on legacy roles, which serve each type on one of `creds` and `sts` only. */
  readonly prohibit_flexible_cred_path: boolean;
}

export const awsRoleFields = {
  credential_type: "string",
  policy_arns: "commaStringSlice",
  role_arns: "commaStringSlice",
  iam_groups: "commaStringSlice",
  iam_tags: "kvPairs",
  session_tags: "kvPairs",
  policy_document: "string",
  external_id: "string",
  mfa_serial_number: "string",
  permissions_boundary_arn: "string",
  user_path: "string",
  default_sts_ttl: "durationSecond",
  max_sts_ttl: "durationSecond",
  policy: "string",
  arn: "string",
} as const satisfies Fields;

export const emptyAwsRole: AwsRole = {
  credential_types: [],
  policy_arns: null,
  role_arns: null,
  iam_groups: null,
  iam_tags: null,
  session_tags: null,
  policy_document: "",
  external_id: "",
  mfa_serial_number: "",
  permissions_boundary_arn: "",
  user_path: "",
  default_sts_ttl: 0,
  max_sts_ttl: 0,
  prohibit_flexible_cred_path: false,
};

/** The role as GET shows it. */
export function shownRole(role: AwsRole): Record<string, unknown> {
  const { credential_types, prohibit_flexible_cred_path: _internal, ...shown } = role;
  return { ...shown, credential_type: credential_types.join(",") };
}
