import type { AwsProfile } from "../profiles/secrets-profile";
import type { CredentialSources } from "./root-credentials";
import type { StsClients } from "./sts-client";

/** What the paths of one mount work on. */
export interface EngineContext extends CredentialSources {
  readonly profile: AwsProfile;
  readonly now: () => Date;
  readonly sts: StsClients;
  readonly schedule: RotationSchedule;
  readonly pending: PendingUsers;
}

/** When each static role's key is due, in milliseconds; like Vault's queue it is not stored, but computed from the stored credentials. */
export type RotationSchedule = Map<string, number>;

/** A user that is being created. If the creation fails halfway, the user is removed later. */
export interface PendingUser {
  readonly username: string;
  readonly sinceMs: number;
}

/** By the id of its record. It is in memory, because every request asks what is due. */
export type PendingUsers = Map<string, PendingUser>;
