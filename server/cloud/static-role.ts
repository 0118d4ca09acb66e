/** A stored static role, named as on the wire (reference 4.6). */
export interface StaticRole {
  readonly name: string;
  /** The cloud's immutable id of the user. */
  readonly id: string;
  readonly username: string;
  readonly rotation_period: number;
}

export interface StaticCredentials {
  readonly access_key: string;
  readonly secret_key: string;
  /** When the key is due to be rotated; an update of the period does not move it (reference 4.6). */
  readonly expiration: string;
}

export const staticRolePrefix = "static-roles/";
export const staticCredentialsPrefix = "static-creds/";
