import { definePath, listing, nameSegment, type Path } from "../framework/backend";
import type { FieldData } from "../framework/field-data";
import { goQuoted } from "../framework/go-quoted";
import { Failure, multierrorText, Refusal } from "../framework/refusal";
import type { Storage } from "../framework/storage";
import { type AwsRole, awsRoleFields, emptyAwsRole, shownRole } from "./aws-role";
import { compactJson } from "./compact-json";
import type { EngineContext } from "./engine-context";
import { withGivenFields } from "./given-fields";
import { legacyRole } from "./legacy-role";
import { roleProblems } from "./role-problems";

const fields = { name: "string", ...awsRoleFields } as const;
type RoleData = FieldData<typeof fields>;

/** `roles` and `roles/:name`. */
export function rolePaths({ storage, profile }: Pick<EngineContext, "storage" | "profile">): readonly Path[] {
  return [
    definePath({
      pattern: "roles/?",
      fields: {},
      operations: { list: () => listing(storage.list("role/")) },
    }),
    definePath({
      pattern: `roles/${nameSegment("name", { also: "@" })}`,
      fields,
      operations: {
        read: ({ data }) => {
          const role = readRole(storage, data.get("name"));
          return role && { data: shownRole(role) };
        },
        update: ({ data }) => {
          const current = readRole(storage, data.get("name")) ?? emptyAwsRole;
          const legacy = legacyText(data);
          const role = legacy === undefined ? mergedRole(current, data) : upgradedRole(legacy);
          const problems = roleProblems(role, profile);
          if (problems.length > 0) {
            const text = goQuoted(multierrorText(problems));
            throw new Refusal(`error(s) validating supplied role data: ${text}`);
          }
          storage.put(storagePath(data.get("name")), role);
          return legacy === undefined ? undefined : { warnings: [legacyWarning] };
        },
        delete: ({ data }) => {
          storage.delete(storagePath(data.get("name")));
          return undefined;
        },
      },
    }),
  ];
}

export function readRole(storage: Storage, name: string): AwsRole | undefined {
  return storage.get<AwsRole>(storagePath(name));
}

function storagePath(name: string): string {
  return `role/${name}`;
}

const legacyWarning = "Detected use of legacy role or policy parameter. Please upgrade to use the new parameters.";

/** Only these are checked against the legacy parameters; the other fields are dropped without a word. */
const exclusiveFields = [
  "role_arns",
  "policy_arns",
  "policy_document",
  "default_sts_ttl",
  "max_sts_ttl",
  "user_path",
  "permissions_boundary_arn",
] as const;

function legacyText(data: RoleData): string | undefined {
  const given = [data.get("policy"), data.get("arn")].filter((text) => text !== "");
  if (given.length > 1) throw new Failure("only one of policy or arn should be provided");
  const [text] = given;
  if (text === undefined) return undefined;
  const refusal = (other: string) => new Refusal(`cannot supply deprecated role or policy parameters with ${other}`);
  if (data.given("credential_type") !== undefined) throw refusal("an explicit credential_type");
  for (const field of exclusiveFields) {
    if (data.given(field) !== undefined) throw refusal(field);
  }
  return text;
}

function upgradedRole(text: string): AwsRole {
  const role = legacyRole(text);
  if (role === undefined) throw new Refusal(`unable to parse supplied data: ${goQuoted(text)}`);
  return role;
}

function mergedRole(current: AwsRole, data: RoleData): AwsRole {
  const merged = withGivenFields(current, data, [
    "policy_arns",
    "role_arns",
    "iam_groups",
    "iam_tags",
    "session_tags",
    "external_id",
    "mfa_serial_number",
    "permissions_boundary_arn",
    "user_path",
    "default_sts_ttl",
    "max_sts_ttl",
  ]);
  const type = data.given("credential_type");
  const document = data.given("policy_document");
  return {
    ...merged,
    credential_types: type === undefined ? current.credential_types : [type],
    policy_document: document === undefined ? current.policy_document : compactDocument(document),
    prohibit_flexible_cred_path: false,
  };
}

function compactDocument(document: string): string {
  if (document === "") return "";
  const compacted = compactJson(document);
  if (compacted === undefined) throw new Refusal(`cannot parse policy document: ${goQuoted(document)}`);
  return compacted;
}
