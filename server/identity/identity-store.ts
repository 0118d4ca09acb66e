import { randomBytes, randomUUID } from "node:crypto";
import { compareBytes } from "../framework/go-format";
import type { Storage } from "../framework/storage";

/** The name of a user on one mount. */
export interface Alias {
  readonly id: string;
  readonly name: string;
  readonly mountAccessor: string;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly alias: Alias;
  readonly policies: readonly string[];
  readonly disabled: boolean;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** An external group. Its members are the users whose last login named its alias. */
export interface Group {
  readonly id: string;
  readonly name: string;
  readonly alias: Alias | undefined;
  readonly policies: readonly string[];
  /** `null` until there is one. */
  readonly members: readonly string[] | null;
  /** How often it was written. */
  readonly writes: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface Recognised {
  readonly alias: string;
  readonly mountAccessor: string;
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Aliases of groups. */
  readonly groups: readonly string[];
}

/** The users that have logged in, and their groups. */
export interface IdentityStore {
  /** The alias's entity, made at its first login; every login sets the alias's metadata and the groups of this mount. */
  recognise(login: Recognised): Entity;
  entity(id: string): Entity | undefined;
  putEntity(entity: Entity): void;
  group(id: string): Group | undefined;
  groups(): readonly Group[];
  groupsOf(entityId: string): readonly Group[];
  /** Counts the write. */
  putGroup(group: Group): void;
  newAlias(alias: Pick<Alias, "name" | "mountAccessor" | "metadata">): Alias;
  /** The policies that the entity and its groups add to its tokens, as they were written. */
  policiesOf(entityId: string): readonly string[];
}

export interface IdentityStoreOptions {
  readonly storage: Storage;
  readonly now: () => Date;
}

export function createIdentityStore({ storage, now }: IdentityStoreOptions): IdentityStore {
  // An index for every login and request: a listing of the storage grows with the number of users.
  const entityIds = new Map<string, string>();
  const groupIds = new Set<string>();
  for (const path of Object.keys(storage.entries())) {
    const [kind, id = ""] = path.split("/");
    const entity = storage.get<Entity>(`entity/${id}`);
    if (kind === "group") groupIds.add(id);
    else if (entity !== undefined) entityIds.set(aliasKey(entity.alias), id);
  }
  const time = () => now().getTime();

  const store: IdentityStore = {
    recognise: ({ alias: name, mountAccessor, metadata, groups }) => {
      const known = entityIds.get(aliasKey({ name, mountAccessor }));
      const entity =
        (known === undefined ? undefined : store.entity(known)) ??
        newEntity(store.newAlias({ name, mountAccessor, metadata }), time());
      store.putEntity({ ...entity, alias: { ...entity.alias, metadata } });
      if (!entity.disabled) joinGroups(store, { entityId: entity.id, mountAccessor, groups });
      return entity;
    },
    entity: (id) => storage.get<Entity>(`entity/${id}`),
    putEntity: (entity) => {
      entityIds.set(aliasKey(entity.alias), entity.id);
      storage.put(`entity/${entity.id}`, entity);
    },
    group: (id) => storage.get<Group>(`group/${id}`),
    groups: () => Array.from(groupIds).flatMap((id) => store.group(id) ?? []),
    groupsOf: (entityId) => store.groups().filter(({ members }) => members?.includes(entityId) ?? false),
    putGroup: (group) => {
      groupIds.add(group.id);
      storage.put(`group/${group.id}`, { ...group, writes: group.writes + 1, updatedMs: time() });
    },
    newAlias: (alias) => ({ ...alias, id: randomUUID(), createdMs: time(), updatedMs: time() }),
    policiesOf: (entityId) => {
      if (entityId === "") return [];
      const ofGroups = store.groupsOf(entityId).flatMap(({ policies }) => policies);
      const names = [...(store.entity(entityId)?.policies ?? []), ...ofGroups];
      return [...new Set(names)].sort(compareBytes);
    },
  };
  return store;
}

// An accessor has no slash.
function aliasKey({ mountAccessor, name }: Pick<Alias, "mountAccessor" | "name">): string {
  return `${mountAccessor}/${name}`;
}

function newEntity(alias: Alias, createdMs: number): Entity {
  const name = `entity_${randomBytes(4).toString("hex")}`;
  return { id: randomUUID(), name, alias, policies: [], disabled: false, createdMs, updatedMs: createdMs };
}

interface Joining {
  readonly entityId: string;
  readonly mountAccessor: string;
  readonly groups: readonly string[];
}

/** A login puts the entity into the named groups of its mount, and takes it out of the others. */
function joinGroups(store: IdentityStore, { entityId, mountAccessor, groups }: Joining): void {
  for (const group of store.groups()) {
    if (group.alias?.mountAccessor !== mountAccessor) continue;
    const isNamed = groups.includes(group.alias.name);
    const members = group.members ?? [];
    if (isNamed === members.includes(entityId)) continue;
    const others = members.filter((member) => member !== entityId);
    store.putGroup({ ...group, members: isNamed ? [...others, entityId] : others });
  }
}
