import { randomBytes, randomUUID } from "node:crypto";
import { compareBytes } from "../framework/go-format";
import type { Storage } from "../framework/storage";
import type { PolicySubject } from "../secrets/policy-template";
import type { Alias, Group } from "./group-record";
import { ancestorsOf } from "./group-tree";

export interface Entity {
  readonly id: string;
  readonly name: string;
  /** At most one of each mount. */
  readonly aliases: readonly Alias[];
  readonly policies: readonly string[];
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly disabled: boolean;
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
  /**
   * Sets the groups of a mount again, as a renewal does; without a mount, of all mounts. Answers the names that are aliases
   * now: a later renewal has only these.
   */
  rejoin(joining: Joining): readonly string[];
  entity(id: string): Entity | undefined;
  entities(): readonly Entity[];
  /** Letter case does not count. */
  entityNamed(name: string): Entity | undefined;
  entityWithAlias(alias: Pick<Alias, "name" | "mountAccessor">): Entity | undefined;
  putEntity(entity: Entity): void;
  /** Takes it out of its groups too. */
  deleteEntity(id: string): void;
  /** Not kept yet. */
  newEntity(): Entity;
  group(id: string): Group | undefined;
  /** In any letter case. */
  groupByName(name: string): Group | undefined;
  /** The group with this alias, in any letter case. */
  groupNamed(alias: Pick<Alias, "name" | "mountAccessor">): Group | undefined;
  groups(): readonly Group[];
  /** The ids of the groups that are members of this one. */
  memberGroups(group: Group): readonly string[];
  /** The groups that have the entity as a member, and those that have one of these as a member. */
  groupsOf(entityId: string): { readonly direct: readonly Group[]; readonly inherited: readonly Group[] };
  deleteGroup(id: string): void;
  /** Counts the write. */
  putGroup(group: Group): void;
  newAlias(alias: Pick<Alias, "name" | "mountAccessor"> & Partial<Alias>): Alias;
  /** The policies that the entity and its groups add to its tokens, as they were written. */
  policiesOf(entityId: string): readonly string[];
  /** Whom the placeholders of policies stand for. */
  subjectOf(entityId: string): PolicySubject | undefined;
}

export interface IdentityStoreOptions {
  readonly storage: Storage;
  readonly now: () => Date;
}

export function createIdentityStore({ storage, now }: IdentityStoreOptions): IdentityStore {
  // An index for every login and request: a listing of the storage grows with the number of users.
  const entityIds = new Set<string>();
  const idsByName = new Map<string, string>();
  const idsByAlias = new Map<string, string>();
  const groupIds = new Set<string>();
  const index = ({ id, name, aliases }: Entity) => {
    entityIds.add(id);
    idsByName.set(name.toLowerCase(), id);
    for (const alias of aliases) idsByAlias.set(aliasKey(alias), id);
  };
  const unindex = ({ id, name, aliases }: Entity) => {
    entityIds.delete(id);
    idsByName.delete(name.toLowerCase());
    for (const alias of aliases) idsByAlias.delete(aliasKey(alias));
  };
  for (const path of Object.keys(storage.entries())) {
    const [kind, id = ""] = path.split("/");
    const entity = storage.get<Entity>(`entity/${id}`);
    if (kind === "group") groupIds.add(path.slice("group/id/".length));
    else if (entity !== undefined) index(entity);
  }
  const time = () => now().getTime();
  const entityAt = (id: string | undefined) => (id === undefined ? undefined : store.entity(id));

  const store: IdentityStore = {
    recognise: ({ alias: name, mountAccessor, metadata, groups }) => {
      const known = store.entityWithAlias({ name, mountAccessor });
      const entity = known ?? { ...store.newEntity(), aliases: [store.newAlias({ name, mountAccessor })] };
      const aliases = entity.aliases.map((alias) =>
        alias.mountAccessor === mountAccessor ? { ...alias, metadata } : alias,
      );
      store.putEntity({ ...entity, aliases });
      if (!entity.disabled) joinGroups(store, { entityId: entity.id, mountAccessor, groups });
      return entity;
    },
    rejoin: (joining) => {
      joinGroups(store, joining);
      const { groups, mountAccessor } = joining;
      return groups.filter((name) => store.groupNamed({ name, mountAccessor }) !== undefined);
    },
    entity: (id) => storage.get<Entity>(`entity/${id}`),
    entities: () =>
      Array.from(entityIds)
        .sort(compareBytes)
        .flatMap((id) => store.entity(id) ?? []),
    entityNamed: (name) => entityAt(idsByName.get(name.toLowerCase())),
    entityWithAlias: (alias) => entityAt(idsByAlias.get(aliasKey(alias))),
    putEntity: (entity) => {
      const before = store.entity(entity.id);
      if (before !== undefined) unindex(before);
      index(entity);
      storage.put(`entity/${entity.id}`, entity);
    },
    deleteEntity: (id) => {
      const entity = store.entity(id);
      if (entity === undefined) return;
      for (const group of store.groupsOf(id).direct) {
        store.putGroup({ ...group, members: group.members?.filter((member) => member !== id) ?? null });
      }
      unindex(entity);
      storage.delete(`entity/${id}`);
    },
    newEntity: () => ({
      id: randomUUID(),
      name: `entity_${randomBytes(4).toString("hex")}`,
      aliases: [],
      policies: [],
      metadata: null,
      disabled: false,
      createdMs: time(),
      updatedMs: time(),
    }),
    group: (id) => storage.get<Group>(`group/id/${id}`),
    groupByName: (wanted) => store.groups().find(({ name }) => isSameName(name, wanted)),
    groupNamed: ({ name, mountAccessor }) =>
      store
        .groups()
        .find(({ alias }) => alias && alias.mountAccessor === mountAccessor && isSameName(alias.name, name)),
    groups: () => Array.from(groupIds).flatMap((id) => store.group(id) ?? []),
    memberGroups: ({ id }) =>
      store
        .groups()
        .filter(({ parents }) => parents?.includes(id))
        .map((member) => member.id)
        .sort(compareBytes),
    groupsOf: (entityId) => {
      const direct = store.groups().filter(({ members }) => members?.includes(entityId) ?? false);
      const ids = new Set(direct.map(({ id }) => id));
      const above = direct.flatMap((group) => ancestorsOf(group, store)).filter(({ id }) => !ids.has(id));
      return { direct, inherited: [...new Map(above.map((group) => [group.id, group])).values()] };
    },
    deleteGroup: (id) => {
      groupIds.delete(id);
      storage.delete(`group/id/${id}`);
    },
    putGroup: (group) => {
      groupIds.add(group.id);
      storage.put(`group/id/${group.id}`, { ...group, writes: group.writes + 1, updatedMs: time() });
    },
    newAlias: (alias) => ({
      metadata: null,
      customMetadata: null,
      ...alias,
      id: randomUUID(),
      createdMs: time(),
      updatedMs: time(),
    }),
    policiesOf: (entityId) => {
      if (entityId === "") return [];
      const { direct, inherited } = store.groupsOf(entityId);
      const ofGroups = [...direct, ...inherited].flatMap(({ policies }) => policies ?? []);
      const names = [...(store.entity(entityId)?.policies ?? []), ...ofGroups];
      return [...new Set(names)].sort(compareBytes);
    },
    subjectOf: (entityId) => {
      const entity = store.entity(entityId);
      if (entity === undefined) return undefined;
      const { direct, inherited } = store.groupsOf(entityId);
      const groups = [...direct, ...inherited].map(({ id, name, metadata }) => ({ id, name, metadata }));
      return { entity, groups };
    },
  };
  return store;
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

// An accessor has no slash. The letter case of a name does not count.
function aliasKey({ mountAccessor, name }: Pick<Alias, "mountAccessor" | "name">): string {
  return `${mountAccessor}/${name.toLowerCase()}`;
}

interface Joining {
  readonly entityId: string;
  readonly mountAccessor: string;
  readonly groups: readonly string[];
}

/** A login puts the entity into the named groups of its mount, and takes it out of the others and of those without an alias. */
function joinGroups(store: IdentityStore, { entityId, mountAccessor, groups }: Joining): void {
  for (const group of store.groups()) {
    const { alias, type } = group;
    if (type !== "external" || (alias && mountAccessor !== "" && alias.mountAccessor !== mountAccessor)) continue;
    const isNamed = alias !== undefined && groups.some((name) => isSameName(name, alias.name));
    const members = group.members ?? [];
    if (isNamed === members.includes(entityId)) continue;
    const others = members.filter((member) => member !== entityId);
    store.putGroup({ ...group, members: isNamed ? [...others, entityId] : others });
  }
}
