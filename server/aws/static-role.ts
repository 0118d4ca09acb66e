/** A stored static role, named as on the wire. */
export interface StaticRole {
  readonly name: string;
  /** The cloud's immutable id of the user. */
  readonly id: string;
  readonly username: string;
  readonly rotation_period: number;
  /** Of a role in another account, which is assumed to reach the user: an Enterprise function. */
  readonly assume_role_arn: string;
  readonly assume_role_session_name: string;
  readonly external_id: string;
}

export interface StaticCredentials {
  readonly access_key: string;
  readonly secret_key: string;
  /** When the key is due to be rotated; an update of the period does not move it. */
  readonly expiration: string;
}

export const staticRolePrefix = "static-roles/";
export const staticCredentialsPrefix = "static-creds/";
