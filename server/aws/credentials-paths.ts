import { definePath, type MountView, nameSegment, type Path, type Reply } from "../framework/backend";
import type { FieldData } from "../framework/field-data";
import { Refusal } from "../framework/refusal";
import type { AwsRole } from "./aws-role";
import type { EngineContext } from "./engine-context";
import { type Issue, issueAssumedRole, issueFederationToken, issueSessionToken } from "./issue-session";
import { issueUser } from "./issued-user";
import { readRole } from "./role-paths";

const fields = {
  name: "string",
  role_arn: "string",
  ttl: { type: "durationSecond", default: 3600 },
  role_session_name: "string",
  mfa_code: "string",
} as const;

type Place = "creds" | "sts";

/** `creds/:name` and `sts/:name`, which differ for legacy roles only. */
export function credentialsPaths(context: EngineContext): readonly Path[] {
  return (["creds", "sts"] as const).map((place) => {
    const issue = ({ data, mount, caller }: Asked) => issued(context, { data, mount, place, ...caller });
    return definePath({
      pattern: `${place}/${nameSegment("name", { also: "@" })}`,
      fields,
      operations: { read: issue, update: issue },
    });
  });
}

interface Asked {
  readonly data: FieldData<typeof fields>;
  readonly mount: MountView;
  readonly caller: { readonly displayName: string };
}

const issuers: Readonly<Record<string, (context: EngineContext, issue: Issue) => Reply>> = {
  iam_user: issueUser,
  assumed_role: issueAssumedRole,
  federation_token: issueFederationToken,
  session_token: issueSessionToken,
};

function issued(
  context: EngineContext,
  { data, mount, place, displayName }: Pick<Asked, "data" | "mount"> & { place: Place; displayName: string },
): Reply {
  const roleName = data.get("name");
  const role = readRole(context.storage, roleName);
  if (role === undefined) throw new Refusal(`Role "${roleName}" not found`);
  const type = credentialType(role, place);
  const issue = issuers[type];
  if (issue === undefined) throw new Refusal(`unknown credential_type: "${type}"`);
  const wanted = data.given("ttl") ?? (role.default_sts_ttl || data.get("ttl"));
  return issue(context, {
    roleName,
    role,
    displayName,
    ttlSeconds: Math.min(wanted, role.max_sts_ttl || mount.maxLeaseSeconds),
    roleArn: data.get("role_arn"),
    sessionName: data.get("role_session_name"),
    mfaCode: data.get("mfa_code"),
  });
}

/** A legacy policy stands for two types, one for each path. A legacy role works only on the path of its type. */
function credentialType({ credential_types, prohibit_flexible_cred_path }: AwsRole, place: Place): string {
  const [only = "", other] = credential_types;
  const type = other === undefined ? only : place === "creds" ? "iam_user" : "federation_token";
  if (prohibit_flexible_cred_path && (type === "iam_user") !== (place === "creds")) {
    throw new Refusal(
      `attempted to retrieve ${type} credentials through the ${place} path; this is not allowed for legacy roles`,
    );
  }
  return type;
}
