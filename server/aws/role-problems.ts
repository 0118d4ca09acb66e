import { parseResourceName } from "../cloud/resource-name";
import type { AwsProfile } from "../profiles/secrets-profile";
import type { AwsRole } from "./aws-role";

interface Rule {
  readonly broken: (role: AwsRole, profile: AwsProfile) => boolean;
  readonly text: string | ((profile: AwsProfile) => string);
}

// An unknown type counts as no type.
const isTemporary = (role: AwsRole, { credentialTypes }: AwsProfile) =>
  hasType(role, ...credentialTypes.filter((type) => type !== "iam_user"));
const hasType = (role: AwsRole, ...types: string[]) => role.credential_types.some((type) => types.includes(type));
const isFilled = (value: object | readonly unknown[] | null) => value !== null && Object.keys(value).length > 0;
const onlyForSts =
  (field: string) =>
  ({ temporaryTypes }: AwsProfile) =>
    `${field} parameter only valid for ${temporaryTypes}`;

// Vault's items 3 to 8 and 10 to 13, in its order; the regular expression is quoted in Go's way.
const rulesBeforeBoundary: readonly Rule[] = [
  {
    broken: (role, profile) => role.default_sts_ttl !== 0 && !isTemporary(role, profile),
    text: onlyForSts("default_sts_ttl"),
  },
  {
    broken: (role, profile) => role.max_sts_ttl !== 0 && !isTemporary(role, profile),
    text: onlyForSts("max_sts_ttl"),
  },
  {
    broken: ({ default_sts_ttl, max_sts_ttl }) => max_sts_ttl > 0 && default_sts_ttl > max_sts_ttl,
    text: '"default_sts_ttl" value must be less than or equal to "max_sts_ttl" value',
  },
  {
    broken: (role) => role.user_path !== "" && !hasType(role, "iam_user"),
    text: "user_path parameter only valid for iam_user credential type",
  },
  {
    broken: ({ user_path }) => user_path !== "" && !/^\/(?:[\x21-\x7f]{0,510}\/)?$/.test(user_path),
    text: ({ userPathProblem }) => `${userPathProblem} It must match "^\\\\/([\\\\x21-\\\\x7F]{0,510}\\\\/)?$" regexp`,
  },
  {
    broken: (role) => role.permissions_boundary_arn !== "" && !hasType(role, "iam_user"),
    text: "cannot supply permissions_boundary_arn when credential_type isn't iam_user",
  },
];

const onlyForAssumedRole = (field: "role_arns" | "session_tags" | "external_id") =>
  `cannot supply ${field} when credential_type isn't assumed_role`;

const rulesAfterBoundary: readonly Rule[] = [
  {
    broken: (role, { credentialTypes }) =>
      credentialTypes.includes("session_token") &&
      hasType(role, "session_token") &&
      (role.policy_document !== "" || isFilled(role.policy_arns)),
    text: "cannot supply a policy or role when using credential_type session_token",
  },
  {
    broken: (role) => isFilled(role.role_arns) && !hasType(role, "assumed_role"),
    text: onlyForAssumedRole("role_arns"),
  },
  {
    broken: (role) => isFilled(role.session_tags) && !hasType(role, "assumed_role"),
    text: onlyForAssumedRole("session_tags"),
  },
  {
    broken: (role) => role.external_id !== "" && !hasType(role, "assumed_role"),
    text: onlyForAssumedRole("external_id"),
  },
];

/** What is wrong with a role, in Vault's words and order. */
export function roleProblems(role: AwsRole, profile: AwsProfile): readonly string[] {
  const boundary = boundaryProblem(role.permissions_boundary_arn);
  // A bad boundary makes Vault forget what it found before.
  const before =
    boundary === undefined
      ? [...typeProblems(role, profile), ...textsOf(rulesBeforeBoundary, role, profile)]
      : [boundary];
  return [...before, ...textsOf(rulesAfterBoundary, role, profile)];
}

function typeProblems({ credential_types }: AwsRole, { credentialTypes }: AwsProfile): string[] {
  if (credential_types.length === 0) return ["did not supply credential_type"];
  const unknown = credential_types.filter((type) => !credentialTypes.includes(type));
  return unknown.map((type) => `unrecognized credential type: ${type}`);
}

function textsOf(rules: readonly Rule[], role: AwsRole, profile: AwsProfile): string[] {
  const broken = rules.filter((rule) => rule.broken(role, profile));
  return broken.map(({ text }) => (typeof text === "string" ? text : text(profile)));
}

function boundaryProblem(boundary: string): string | undefined {
  const cause = boundary === "" ? undefined : boundaryCause(boundary);
  return cause === undefined ? undefined : `invalid permissions_boundary_arn parameter: ${cause}`;
}

function boundaryCause(boundary: string): string | undefined {
  try {
    const { service, resource } = parseResourceName(boundary);
    if (service !== "iam") return `expected a service of iam but got ${service}`;
    return resource.startsWith("policy/") ? undefined : `expected a resource type of policy but got ${resource}`;
  } catch (failure) {
    if (failure instanceof Error) return failure.message;
    throw failure;
  }
}
