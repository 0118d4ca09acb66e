import { parseResourceName } from "../cloud/resource-name";
import { type AwsRole, emptyAwsRole } from "./aws-role";
import { compactJson } from "./compact-json";

/** The role that a legacy `policy` or `arn` stands for; `undefined` when it is neither JSON nor a known ARN. */
export function legacyRole(text: string): AwsRole | undefined {
  const legacy = { ...emptyAwsRole, prohibit_flexible_cred_path: true };
  if (text.startsWith("arn:")) {
    const type = resourceType(text);
    if (type === "role") return { ...legacy, credential_types: ["assumed_role"], role_arns: [text] };
    if (type === "policy") return { ...legacy, credential_types: ["iam_user"], policy_arns: [text] };
    return undefined;
  }
  const policy_document = compactJson(text);
  if (policy_document === undefined) return undefined;
  return { ...legacy, credential_types: ["iam_user", "federation_token"], policy_document };
}

function resourceType(text: string): string | undefined {
  try {
    return parseResourceName(text).resource.split("/")[0];
  } catch {
    return undefined;
  }
}
