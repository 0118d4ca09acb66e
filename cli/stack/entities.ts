/** Somebody whom a server knows, and who has policies by any of their logins. */
export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly policies: readonly string[];
  readonly isDisabled: boolean;
  readonly aliases: readonly EntityAlias[];
}

/** Which login it is: the user of this name at this auth method. */
export interface EntityAlias {
  /** `auth/jobs/`, as the server shows it. */
  readonly mount: string;
  readonly name: string;
}

/** Those of the servers that have policies. */
export interface Entities {
  readonly known: readonly Entity[];
  /** Why there may be others. */
  readonly unread: readonly string[];
}
