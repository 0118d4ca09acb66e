import type { CloudSession } from "../cloud/identity-records";
import type { Reply } from "../framework/backend";
import { Refusal } from "../framework/refusal";
import type { AwsProfile } from "../profiles/secrets-profile";
import type { AwsRole } from "./aws-role";
import type { EngineContext } from "./engine-context";
import { refusingAs } from "./failing-as";
import { acceptableName, generatedUsername } from "./generated-username";
import { type SessionPolicies, withGroupPolicies } from "./group-policies";
import { readRootConfig, unsetRootConfig } from "./root-config";
import { rootCredentials } from "./root-credentials";

/** One request for credentials: the role, the caller and the parameters. */
export interface Issue {
  readonly roleName: string;
  readonly role: AwsRole;
  readonly displayName: string;
  readonly ttlSeconds: number;
  readonly roleArn: string;
  readonly sessionName: string;
  readonly mfaCode: string;
}

/** Credentials of a role that the caller assumes. */
export function issueAssumedRole(context: EngineContext, issue: Issue): Reply {
  const { role, roleName, ttlSeconds } = issue;
  const roleArn = issue.roleArn || (role.role_arns?.length === 1 ? role.role_arns[0] : undefined);
  if (roleArn === undefined) throw new Refusal("did not supply a role_arn parameter and unable to determine one");
  if (!role.role_arns?.includes(roleArn)) {
    throw new Refusal(`role_arn "${roleArn}" not in allowed role arns for Vault role "${roleName}"`);
  }
  const { policy, policyArns } = policiesOf(context, role);
  const { caller, region } = refusingAs("", () => context.sts.client());
  const sessionName = acceptableName(issue.sessionName) || username(context, issue, "IAM");
  const session = refusingAs("Error assuming role: ", () =>
    context.identity.assumeRole(caller, {
      roleArn,
      sessionName,
      durationSeconds: ttlSeconds,
      region,
      policyArns,
      ...(policy === "" ? {} : { policy }),
      ...(role.external_id === "" ? {} : { externalId: role.external_id }),
      tags: role.session_tags ?? {},
    }),
  );
  return sessionReply(context, session);
}

/** Credentials of a federated user. */
export function issueFederationToken(context: EngineContext, issue: Issue): Reply {
  const { policy, policyArns } = policiesOf(context, issue.role);
  const { caller, region } = refusingAs("", () => context.sts.client());
  const name = username(context, issue, "STS");
  // Without a policy the credentials could do what the root credentials can.
  if (policy === "" && policyArns.length === 0) {
    throw new Refusal(
      "must specify at least one of policy_arns or policy_document with federation_token credential_type",
    );
  }
  const session = refusingAs("Error generating STS keys: ", () =>
    context.identity.getFederationToken(caller, {
      name,
      durationSeconds: issue.ttlSeconds,
      region,
      policyArns,
      ...(policy === "" ? {} : { policy }),
    }),
  );
  return sessionReply(context, session);
}

/** Credentials of the root user itself, for a while, perhaps with its MFA device. */
export function issueSessionToken(context: EngineContext, { role, mfaCode, ttlSeconds }: Issue): Reply {
  const { caller, region } = refusingAs("", () => context.sts.client());
  const session = refusingAs("Error generating STS keys: ", () =>
    context.identity.getSessionToken(caller, {
      durationSeconds: ttlSeconds,
      region,
      ...(role.mfa_serial_number === "" ? {} : { serialNumber: role.mfa_serial_number }),
      ...(mfaCode === "" ? {} : { tokenCode: mfaCode }),
    }),
  );
  return sessionReply(context, session);
}

function policiesOf(context: EngineContext, role: AwsRole): SessionPolicies {
  const own = { policy: role.policy_document, policyArns: role.policy_arns ?? [] };
  const { identity } = context;
  return refusingAs("", () =>
    withGroupPolicies(own, { identity, caller: () => rootCredentials(context), groups: role.iam_groups ?? [] }),
  );
}

export function username(context: EngineContext, { displayName, roleName }: Issue, type: "IAM" | "STS"): string {
  const { username_template: template } = readRootConfig(context.storage) ?? unsetRootConfig;
  return generatedUsername({ template, type, displayName, policyName: roleName, now: context.now() });
}

/** The session token under each name that the product gives it. Credentials without a token have the names too. */
export function tokenMembers(
  { profile }: EngineContext,
  kind: keyof AwsProfile["tokenMembers"],
  token: string | null,
): Readonly<Record<string, string | null>> {
  return Object.fromEntries(profile.tokenMembers[kind].map((name) => [name, token]));
}

/** The session as the engine answers it; its lease ends with it and cannot be renewed. */
function sessionReply(context: EngineContext, session: CloudSession): Reply {
  const { kind, accessKeyId, secretKey, sessionToken, arn, expiresMs } = session;
  const ttlSeconds = (expiresMs - context.now().getTime()) / 1000;
  return {
    data: {
      access_key: accessKeyId,
      secret_key: secretKey,
      ...tokenMembers(context, kind, sessionToken),
      ...(kind === "assumed_role" ? { arn } : {}),
      ttl: Math.floor(ttlSeconds),
    },
    secret: { ttlSeconds, maxTtlSeconds: 0, isRenewable: false, internal: { isSession: true } },
  };
}
