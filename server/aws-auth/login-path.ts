import type { CloudIdentity } from "../cloud/cloud-identity";
import { definePath, type LeaseTerms, type Login, type Path } from "../framework/backend";
import { isWithinBounds } from "../framework/bound-address";
import { goQuoted } from "../framework/go-quoted";
import { Failure, Refusal } from "../framework/refusal";
import type { Storage } from "../framework/storage";
import { grantedToken, tokenTerms } from "../framework/token-fields";
import { callerIdentity } from "./caller-identity";
import { readClientConfig } from "./client-config";
import type { IamClient } from "./iam-client";
import { canonicalArn, entityText, type IamEntity, parseIamArn } from "./iam-entity";
import type { RoleRecord } from "./iam-role";
import { type LoginRequest, loginFields, signedRequest } from "./signed-request";

export interface LoginParts {
  readonly storage: Storage;
  readonly cloud: CloudIdentity;
  readonly iam: IamClient;
}

/** `login`: a request to the cloud's token service that the client has signed in, a token of the server out. */
export function loginPath(parts: LoginParts): Path {
  return definePath({
    pattern: "login",
    fields: loginFields,
    operations: { update: async (request) => ({ login: await loginFor(parts, request) }) },
  });
}

async function loginFor({ storage, cloud, iam }: LoginParts, { data, remoteAddress }: LoginRequest): Promise<Login> {
  const config = readClientConfig(storage);
  const { arn, userId } = await callerIdentity(signedRequest(data, config), { cloud, config });
  const entity = entityOf(arn);
  const roleName = data.get("role") || entity.name;
  const role = storage.get<RoleRecord>(`role/${roleName.toLowerCase()}`);
  if (role === undefined) throw new Refusal(`entry for role ${roleName} not found`);
  if (!isWithinBounds(remoteAddress, role.token_bound_cidrs)) throw new Refusal("permission denied", { status: 403 });
  // The rest of it names a session.
  const [uniqueId = ""] = userId.split(":");
  if (!isBound(role, { entity, uniqueId, iam, purpose: `attempting login for role ${goQuoted(roleName)}` })) {
    throw new Refusal(`IAM Principal ${goQuoted(arn)} does not belong to the role ${goQuoted(roleName)}`);
  }
  const shared = { account_id: entity.account, auth_type: "iam" };
  return {
    ...grantedToken(role),
    alias: role.role_id,
    displayName: entity.type === "assumed-role" ? `${entity.name}/${entity.session}` : entity.name,
    groups: [],
    metadata: { ...shared, role_id: role.role_id },
    aliasMetadata: shared,
    role: roleName,
    internal: { canonical_arn: canonicalArn(entity), client_user_id: uniqueId },
  };
}

function entityOf(arn: string): IamEntity {
  try {
    return parseIamArn(arn);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Refusal(`error parsing arn ${goQuoted(arn)}: ${error.message}`);
  }
}

interface Principal {
  readonly entity: IamEntity;
  readonly uniqueId: string;
  readonly iam: IamClient;
  /** For what a wildcard needs to know more, in errors. */
  readonly purpose: string;
}

/** Whether a role is for this principal: by its ID, by its ARN without a path, or by a wildcard over the whole ARN. */
function isBound(role: RoleRecord, { entity, uniqueId, iam, purpose }: Principal): boolean {
  const arns = role.bound_iam_principal_arn;
  if (role.bound_iam_principal_id.includes(uniqueId)) return true;
  if (!role.resolve_aws_unique_ids && arns.includes(canonicalArn(entity))) return true;
  const wildcards = arns.filter((arn) => arn.endsWith("*"));
  if (wildcards.length === 0) return false;
  const whole = wholeArn(entity, iam, purpose);
  return wildcards.some((wildcard) => matches(wildcard, whole));
}

function wholeArn(entity: IamEntity, iam: IamClient, purpose: string): string {
  try {
    return iam.fullArn(entity);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Refusal(`error looking up full ARN of entity ${entityText(entity)} when ${purpose}: ${error.message}`);
  }
}

/** A star at the end, and perhaps one at the start, stands for any characters. */
function matches(wildcard: string, text: string): boolean {
  const end = wildcard.slice(0, -1);
  return end.startsWith("*") ? text.includes(end.slice(1)) : text.startsWith(end);
}

/** The lifetimes that the role now has for a token that it issued. @throws Failure */
export function renewalTerms(
  { storage, iam }: Pick<LoginParts, "storage" | "iam">,
  roleName: string,
  internal: Readonly<Record<string, string>>,
): LeaseTerms {
  const { canonical_arn: arn = "", client_user_id: uniqueId = "" } = internal;
  const role = storage.get<RoleRecord>(`role/${roleName.toLowerCase()}`);
  if (role === undefined) throw new Failure("failed to renew entry: role entry not found");
  const purpose = `updating login for role ${goQuoted(roleName)}`;
  try {
    if (isBound(role, { entity: parseIamArn(arn), uniqueId, iam, purpose })) return tokenTerms(role);
  } catch (error) {
    if (error instanceof Refusal) throw new Failure(`failed to renew entry: ${error.message}`);
    throw error;
  }
  throw new Failure(`failed to renew entry: role ${goQuoted(roleName)} no longer bound to ARN ${goQuoted(arn)}`);
}
