/** The only account of the embedded cloud. */
export const accountId = "123456789012";

export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string;
}

export interface CloudUser {
  readonly name: string;
  /** Stays with the user; another user of the same name has another. */
  readonly id: string;
  readonly arn: string;
  readonly path: string;
  /** Oldest first. */
  readonly accessKeys: readonly AccessKey[];
  readonly groups: readonly string[];
  /** ARNs. */
  readonly attachedPolicies: readonly string[];
  /** Documents by name. */
  readonly inlinePolicies: Readonly<Record<string, string>>;
  readonly permissionsBoundary: string | null;
  readonly tags: Readonly<Record<string, string>>;
}

export interface CloudGroup {
  readonly name: string;
  readonly attachedPolicies: readonly string[];
  readonly inlinePolicies: Readonly<Record<string, string>>;
}

export interface CloudPolicy {
  readonly arn: string;
  readonly document: string;
}

/** A role of the cloud that somebody may assume. */
export interface AssumableRole {
  readonly arn: string;
  /** A caller must give it to assume the role. */
  readonly externalId: string | null;
  readonly maxSessionSeconds: number;
}

export interface MfaDevice {
  readonly serialNumber: string;
  readonly userName: string;
  /** Base 32. */
  readonly secret: string;
}

export type SessionKind = "assumed_role" | "federation_token" | "session_token";

/** Temporary credentials. */
export interface CloudSession extends AccessKey {
  readonly kind: SessionKind;
  readonly sessionToken: string;
  /** Who acts with them. */
  readonly arn: string;
  /** Who asked for them. */
  readonly issuedTo: string;
  readonly region: string;
  readonly issuedMs: number;
  readonly expiresMs: number;
  readonly policy: string | null;
  readonly policyArns: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly externalId: string | null;
  readonly isMfaPresent: boolean;
}
