import { randomBytes, randomUUID } from "node:crypto";
import { compareBytes } from "../framework/go-format";
import type { Storage } from "../framework/storage";
import type { Alias, Group } from "./group-record";
import { ancestorsOf } from "./group-tree";

export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly alias: Alias;
  readonly policies: readonly string[];
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
  entity(id: string): Entity | undefined;
  putEntity(entity: Entity): void;
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
    if (kind === "group") groupIds.add(path.slice("group/id/".length));
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
    newAlias: (alias) => ({ ...alias, id: randomUUID(), createdMs: time(), updatedMs: time() }),
    policiesOf: (entityId) => {
      if (entityId === "") return [];
      const { direct, inherited } = store.groupsOf(entityId);
      const ofGroups = [...direct, ...inherited].flatMap(({ policies }) => policies ?? []);
      const names = [...(store.entity(entityId)?.policies ?? []), ...ofGroups];
      return [...new Set(names)].sort(compareBytes);
    },
  };
  return store;
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
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

/** A login puts the entity into the named groups of its mount, and takes it out of the others and of those without an alias. */
function joinGroups(store: IdentityStore, { entityId, mountAccessor, groups }: Joining): void {
  for (const group of store.groups()) {
    const { alias, type } = group;
    if (type !== "external" || (alias && alias.mountAccessor !== mountAccessor)) continue;
    const isNamed = alias !== undefined && groups.some((name) => isSameName(name, alias.name));
    const members = group.members ?? [];
    if (isNamed === members.includes(entityId)) continue;
    const others = members.filter((member) => member !== entityId);
    store.putGroup({ ...group, members: isNamed ? [...others, entityId] : others });
  }
}
