import type { CoercionProfile } from "../framework/dispatch";
import type { Lacking } from "../framework/lacking";

/**
 * One product in one release, as far as the secrets service depends on it: what it has, and what it says otherwise. The
 * services know everything, and a profile takes away; `vault` is stated in full, the others as differences to it.
 */
export interface SecretsProfile {
  /** What it calls itself in texts. */
  readonly name: string;
  /** As `sys/health` says it. */
  readonly version: string;
  readonly isEnterprise: boolean;
  /** The versions that mounts are shown with. */
  readonly runningVersions: { readonly builtin: string; readonly jwt: string };
  readonly lacks: { readonly jwt: Lacking; readonly aws: Lacking };
  readonly transport: TransportProfile;
  readonly coercion: CoercionProfile;
  readonly jwt: JwtProfile;
  readonly aws: AwsProfile;
}

export interface TransportProfile {
  /** What documents about its state do not have, by their path. */
  readonly hiddenMembers: Readonly<Record<"sys/health" | "sys/seal-status" | "sys/leader", readonly string[]>>;
  /** Whether answers name the type of the mount that they come from. */
  readonly namesMountType: boolean;
  readonly tokenPrefixes: { readonly service: string; readonly batch: string };
  /** What is said of a token that nobody knows. */
  readonly unknownToken: string;
  /** Whether bodies are looked at for size and shape before anything else. */
  readonly limitsBodies: boolean;
  /** The text for a body that is no JSON object, with Go's reason. */
  unparsable(reason: string): string;
  /** What a path outside of the API is answered with. */
  readonly pageNotFound: "text" | "errors";
  /** Whether a namespace that is not there is refused; the embedded server has none but the root. */
  readonly refusesNamespaces: boolean;
}

export interface JwtProfile {
  /** The text for none or several sources of keys. */
  readonly oneKeySource: string;
  /** What is wrong with a key set that cannot be had. */
  keySetProblem(url: string): string;
  /** What `provider_config` may name. */
  readonly providers: readonly string[];
  /** What stands before the complaint about the algorithm of a token that remote keys should verify. */
  readonly algorithmPrefix: string;
  /** Whether a configuration for the flow through a browser verifies JWTs too. */
  readonly verifiesWithClient: boolean;
  /** Whether an empty text is an audience that must be bound. */
  readonly countsEmptyAudience: boolean;
  readonly browserLogin: BrowserLoginProfile;
  /** Whether the configuration says if its keys can be had. */
  readonly tellsStatus: boolean;
}

export interface BrowserLoginProfile {
  /** What stands before the reason why a login failed. */
  readonly failed: string;
  /** Whether it stands before what is wrong with the claims, too. */
  readonly coversClaims: boolean;
  /** Whether a role is looked for before a redirect URI is missed. */
  readonly looksForRoleFirst: boolean;
  /** Whether redirect URIs are told apart by case, and this machine has no more addresses than 127.0.0.1 and ::1. */
  readonly comparesRedirectsExactly: boolean;
}

export interface AwsProfile {
  /** Whether a write of the root configuration keeps what it does not name. */
  readonly rootConfigIsMerged: boolean;
  /** Whether credentials of a workload and rotation by schedule can be had: functions of Vault Enterprise. */
  readonly hasEnterpriseFunctions: boolean;
  readonly credentialTypes: readonly string[];
  /** What the two lifetimes of temporary credentials are said to be valid for. */
  readonly temporaryTypes: string;
  readonly userPathProblem: string;
  /** Whether a rotation of the root key fails where a region is configured and no endpoint. */
  readonly rotationNeedsEndpoint: boolean;
  /** Whether the cloud is asked who the caller is before temporary credentials are. */
  readonly asksIdentity: boolean;
  /** Whether a write of a static role puts its next rotation a whole period ahead. */
  readonly reschedulesOnWrite: boolean;
  /** The members of an answer that hold the session's token, by type of credentials. */
  readonly tokenMembers: Readonly<
    Record<"iam_user" | "assumed_role" | "federation_token" | "session_token", readonly string[]>
  >;
}
