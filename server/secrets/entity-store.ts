import { randomUUID } from "node:crypto";

export interface EntityAlias {
  readonly name: string;
  readonly mountAccessor: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Who has logged in: one entity for every alias of a mount (document 1, "What the service does"). */
export interface EntityStore {
  /** The id of the alias's entity, made at its first login; every login sets the alias's metadata anew. */
  entityOf(alias: EntityAlias): string;
  records(): Record<string, unknown>;
}

export function createEntityStore(): EntityStore {
  const entities = new Map<string, { readonly id: string; readonly alias: EntityAlias }>();
  return {
    entityOf: (alias) => {
      // An accessor has no slash.
      const key = `${alias.mountAccessor}/${alias.name}`;
      const id = entities.get(key)?.id ?? randomUUID();
      entities.set(key, { id, alias });
      return id;
    },
    records: () =>
      Object.fromEntries(Array.from(entities.values(), ({ id, alias }) => [`identity/entity/${id}`, { alias }])),
  };
}
