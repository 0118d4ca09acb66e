import type { CoercionProfile } from "../framework/dispatch";
import type { Lacking } from "../framework/lacking";

/**
 * One product in one release, as far as the secrets service depends on it: what it has, and what it says otherwise. The
 * services know everything, and a profile takes away; `vault` is stated in full, the others as differences to it.
 */
export interface SecretsProfile {
  /** Its name in its own texts. */
  readonly name: string;
  /** As `sys/health` shows it. */
  readonly version: string;
  readonly isEnterprise: boolean;
  /** The versions that mounts are shown with. */
  readonly runningVersions: { readonly builtin: string; readonly jwt: string };
  readonly lacks: {
    readonly jwt: Lacking;
    readonly aws: Lacking;
    readonly cert?: Lacking;
    /** Settings of a mount, by wire name. */
    readonly mounts?: readonly string[];
    /** Whether it has no AWS auth method. */
    readonly awsMethod?: boolean;
  };
  readonly transport: TransportProfile;
  readonly policies: PolicyProfile;
  readonly coercion: CoercionProfile;
  readonly jwt: JwtProfile;
  readonly aws: AwsProfile;
  readonly identity: IdentityProfile;
}

export interface TransportProfile {
  /** Members that the status documents do not have, by path. */
  readonly hiddenMembers: Readonly<Record<"sys/health" | "sys/seal-status" | "sys/leader", readonly string[]>>;
  /** Whether answers name the type of the mount that they come from. */
  readonly namesMountType: boolean;
  readonly tokenPrefixes: { readonly service: string; readonly batch: string };
  /** The text for an unknown token. */
  readonly unknownToken: string;
  /** Whether a limiter checks bodies for size and shape before anything else. */
  readonly limitsBodies: boolean;
  /** The text for a body that is no JSON object, with Go's reason. */
  unparsable(reason: string): string;
  /** The form of the 404 for a path outside the API. */
  readonly pageNotFound: "text" | "errors";
  /** The text for an unknown namespace. A product without one ignores namespaces. */
  unknownNamespace?(path: string): string;
}

/** What a policy may say. */
export interface PolicyProfile {
  readonly capabilities: readonly string[];
  /** The keys that a path may have. */
  readonly pathKeys: readonly string[];
  /** Those that the product enforces and the embedded server does not: it refuses them. */
  readonly unsupportedKeys: readonly string[];
  /** Whether a key may be assigned twice. */
  readonly takesRepeatedKeys: boolean;
  /** Whether a policy has a version, an expiration and other settings beside its text. */
  readonly keepsSettings: boolean;
  /** Whether the values of a list are compared one by one with those that a rule allows or denies. */
  readonly comparesMembers: boolean;
}

export interface JwtProfile {
  /** The text for none or several sources of keys. */
  readonly oneKeySource: string;
  /** The text for a key set that cannot be fetched. */
  keySetProblem(url: string): string;
  /** What `provider_config` may name. */
  readonly providers: readonly string[];
  /** The prefix of the error about a token's algorithm, where remote keys verify it. */
  readonly algorithmPrefix: string;
  /** Whether a configuration for logins through a browser verifies JWTs too. */
  readonly verifiesWithClient: boolean;
  /** Whether an empty text is an audience that must be bound. */
  readonly countsEmptyAudience: boolean;
  readonly browserLogin: BrowserLoginProfile;
  /** Whether a read of the configuration says if its keys can be fetched. */
  readonly tellsStatus: boolean;
}

export interface BrowserLoginProfile {
  /** The prefix of the reason why a login failed. */
  readonly failed: string;
  /** Whether errors about the claims have this prefix too. */
  readonly coversClaims: boolean;
  /** Whether the role is looked up before the check that a redirect URI is given. */
  readonly looksForRoleFirst: boolean;
  /** Whether redirect URIs are compared with letter case, and only 127.0.0.1 and ::1 are addresses of this machine. */
  readonly comparesRedirectsExactly: boolean;
}

export interface AwsProfile {
  /** Whether a write of the root configuration keeps what it does not name. */
  readonly rootConfigIsMerged: boolean;
  /** Whether it has workload identity federation and scheduled rotation, which are functions of Vault Enterprise. */
  readonly hasEnterpriseFunctions: boolean;
  readonly credentialTypes: readonly string[];
  /** The credential types that the error about the two lifetimes names. */
  readonly temporaryTypes: string;
  readonly userPathProblem: string;
  /** Whether a rotation of the root key fails when a region is configured without an endpoint. */
  readonly rotationNeedsEndpoint: boolean;
  /** Whether the engine asks the cloud who the caller is before it asks for temporary credentials. */
  readonly asksIdentity: boolean;
  /** Whether a write of a static role puts its next rotation a whole period ahead. */
  readonly reschedulesOnWrite: boolean;
  /** The members of an answer that hold the session's token, by type of credentials. */
  readonly tokenMembers: Readonly<
    Record<"iam_user" | "assumed_role" | "federation_token" | "session_token", readonly string[]>
  >;
}

export interface IdentityProfile {
  /** Whether the policies of entities and groups are kept in lower case. */
  readonly lowersPolicies: boolean;
  /** Whether the policy `root` is refused in any letter case. */
  readonly findsRootInAnyCase: boolean;
}
