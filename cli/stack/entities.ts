/** Somebody whom a server knows, and who has policies by any of their logins. */
export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly policies: readonly string[];
  readonly isDisabled: boolean;
  readonly aliases: readonly EntityAlias[];
  /** Of the server; absent for the service's own. */
  readonly connection?: string;
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
  readonly unread: readonly UnreadEntities[];
}

export interface UnreadEntities extends Pick<Entity, "connection"> {
  readonly reason: string;
}

/** Those of one server: nobody else has its people. Of all where it is not said. */
export function entitiesAt({ known, unread }: Entities, connection: string | undefined): Entities {
  const isThere = (each: Pick<Entity, "connection">) =>
    connection === undefined || (each.connection ?? "") === connection;
  return { known: known.filter(isThere), unread: unread.filter(isThere) };
}
