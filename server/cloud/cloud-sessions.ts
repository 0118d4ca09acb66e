import type { Tables } from "../data/tables";
import { assertAtMost, assertInput, assertPolicyDocument, type InputField } from "./assert-input";
import { type CloudDirectory, newKey, newSessionToken } from "./cloud-directory";
import { cloudFailure } from "./cloud-failure";
import { accountId, type CloudSession, type SessionKind } from "./identity-records";
import { parseResourceName } from "./resource-name";

/** Who calls: a user, or a session of temporary credentials. */
export interface Principal {
  readonly arn: string;
  /** As the token service names it: the unique ID, and of a role's session its name, too. */
  readonly uniqueId: string;
  readonly userName: string | undefined;
  readonly session: CloudSession | undefined;
}

interface SessionRequest {
  readonly durationSeconds: number;
  readonly region: string;
}

export interface AssumeRoleRequest extends SessionRequest {
  readonly roleArn: string;
  readonly sessionName: string;
  readonly policy?: string;
  readonly policyArns?: readonly string[];
  readonly externalId?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface FederationRequest extends SessionRequest {
  readonly name: string;
  readonly policy?: string;
  readonly policyArns?: readonly string[];
}

export interface SessionTokenRequest extends SessionRequest {
  readonly serialNumber?: string;
  readonly tokenCode?: string;
}

const leastSeconds = 900;
const mostRoleSeconds = 43_200;
const mostTokenSeconds = 129_600;

/** A role that was not described may be assumed by everybody, for the longest time that a role allows. */
const unknownRole = { externalId: null, maxSessionSeconds: mostRoleSeconds };

export interface SessionParts {
  readonly directory: CloudDirectory;
  readonly now: () => number;
  readonly tables: Tables;
  /** @throws CloudFailure */
  assertMfaCode(userName: string, given: { serialNumber: string; code: string }): void;
}

/** The cloud's service of temporary credentials. Calls throw CloudFailure. */
export function createCloudSessions({ directory, now, tables, assertMfaCode }: SessionParts) {
  const sessions = tables.open<CloudSession>("cloud/sessions");

  function issue(
    kind: SessionKind,
    given: Partial<CloudSession> & SessionRequest & { principal: Principal; arn: string },
  ) {
    const { principal, arn, region, durationSeconds, ...others } = given;
    // The cloud counts in whole seconds.
    const issuedMs = Math.floor(now() / 1000) * 1000;
    const session: CloudSession = {
      kind,
      ...newKey("ASIA"),
      sessionToken: newSessionToken(),
      arn,
      issuedTo: principal.arn,
      region,
      issuedMs,
      expiresMs: issuedMs + durationSeconds * 1000,
      policy: others.policy ?? null,
      policyArns: others.policyArns ?? [],
      tags: others.tags ?? {},
      externalId: others.externalId ?? null,
      isMfaPresent: others.isMfaPresent ?? false,
    };
    for (const { accessKeyId, expiresMs } of sessions.values()) if (expiresMs <= issuedMs) sessions.delete(accessKeyId);
    sessions.set(session.accessKeyId, session);
    return session;
  }

  return {
    all: () => [...sessions.values()].filter(({ expiresMs }) => expiresMs > now()),
    find: (accessKeyId: string) => sessions.get(accessKeyId),

    assumeRole(principal: Principal, request: AssumeRoleRequest): CloudSession {
      const { roleArn, sessionName, durationSeconds, policy, policyArns = [], externalId, tags = {} } = request;
      assertInput("AssumeRole", [
        ["DurationSeconds", durationSeconds, leastSeconds],
        ["ExternalId", externalId, 2],
        ["Policy", policy, 1],
        ["RoleArn", roleArn, 20],
        ["RoleSessionName", sessionName, 2],
        ...policyFields(policyArns),
        ...Object.keys(tags).map((name, at): InputField => [`Tags[${at}].Key`, name, 1]),
      ]);
      assertAtMost("roleSessionName", sessionName, 64);
      assertAtMost("durationSeconds", durationSeconds, mostRoleSeconds);
      if (policy !== undefined) assertPolicyDocument(policy);
      const role = directory.role(roleArn) ?? unknownRole;
      if (role.externalId !== null && role.externalId !== externalId) {
        const who = `User: ${principal.arn} is not authorized to perform`;
        throw cloudFailure("AccessDenied", `${who}: sts:AssumeRole on resource: ${roleArn}`, 403);
      }
      if (durationSeconds > role.maxSessionSeconds) {
        throw cloudFailure(
          "ValidationError",
          "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.",
          400,
        );
      }
      const arn = `arn:aws:sts::${accountOf(roleArn)}:assumed-role/${roleArn.split("/").at(-1)}/${sessionName}`;
      return issue("assumed_role", { ...request, principal, arn });
    },

    getFederationToken(principal: Principal, request: FederationRequest): CloudSession {
      const { name, durationSeconds, policy, policyArns = [] } = request;
      assertInput("GetFederationToken", [
        ["DurationSeconds", durationSeconds, leastSeconds],
        ["Name", name, 2],
        ["Policy", policy, 1],
        ...policyFields(policyArns),
      ]);
      refuseSession(principal, "GetFederationToken");
      assertAtMost("durationSeconds", durationSeconds, mostTokenSeconds);
      if (policy !== undefined) assertPolicyDocument(policy);
      const arn = `arn:aws:sts::${accountId}:federated-user/${name}`;
      return issue("federation_token", { ...request, principal, arn });
    },

    getSessionToken(principal: Principal, request: SessionTokenRequest): CloudSession {
      const { durationSeconds, serialNumber, tokenCode: code } = request;
      assertInput("GetSessionToken", [
        ["DurationSeconds", durationSeconds, leastSeconds],
        ["SerialNumber", serialNumber, 9],
        ["TokenCode", code, 6],
      ]);
      const userName = refuseSession(principal, "GetSessionToken");
      assertAtMost("durationSeconds", durationSeconds, mostTokenSeconds);
      const isMfaPresent = serialNumber !== undefined || code !== undefined;
      if (isMfaPresent) {
        if (serialNumber === undefined || code === undefined) {
          const text = "MultiFactorAuthentication failed, must provide both MFA serial number and one time pass code.";
          throw cloudFailure("AccessDenied", text, 403);
        }
        assertMfaCode(userName, { serialNumber, code });
      }
      return issue("session_token", {
        durationSeconds,
        region: request.region,
        principal,
        arn: principal.arn,
        isMfaPresent,
      });
    },
  };
}

export type CloudSessions = ReturnType<typeof createCloudSessions>;

function policyFields(arns: readonly string[]): InputField[] {
  return arns.map((arn, at) => [`PolicyArns[${at}].Arn`, arn, 20]);
}

function refuseSession({ session, userName }: Principal, operation: string): string {
  if (session === undefined && userName !== undefined) return userName;
  throw cloudFailure("AccessDenied", `Cannot call ${operation} with session credentials`, 403);
}

function accountOf(roleArn: string): string {
  parsedArn(roleArn);
  return roleArn.split(":")[4] || accountId;
}

function parsedArn(arn: string): void {
  try {
    parseResourceName(arn);
  } catch {
    throw cloudFailure("ValidationError", `${arn} is invalid`, 400);
  }
}
