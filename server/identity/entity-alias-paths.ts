import { definePath, nameSegment, type OperationRequest, type Path, type Reply } from "../framework/backend";
import { goQuoted } from "../framework/go-quoted";
import { Failure, Refusal } from "../framework/refusal";
import type { EntityParts } from "./entity-paths";
import type { Alias } from "./group-record";
import type { Entity } from "./identity-store";
import { shownEntityAlias } from "./identity-views";

const fields = {
  id: "string",
  entity_id: "string",
  canonical_id: "string",
  mount_accessor: "string",
  name: "string",
  custom_metadata: "kvPairs",
} as const;
type AliasRequest = OperationRequest<typeof fields>;

/** An alias with its entity. */
interface Owned {
  readonly alias: Alias;
  readonly entity: Entity;
}

/** What a write gives; empty texts are not given. */
interface Written {
  readonly name: string;
  readonly mountAccessor: string;
  readonly canonicalId: string;
  readonly customMetadata: Alias["customMetadata"];
}

/** `identity/entity-alias`: whose users of auth methods an entity is. */
export function entityAliasPaths({ identities, mountOf, now }: Omit<EntityParts, "profile">): readonly Path[] {
  const owned = (): readonly Owned[] =>
    identities.entities().flatMap((entity) => entity.aliases.map((alias) => ({ alias, entity })));
  const find = (id: string) => owned().find(({ alias }) => alias.id === id);
  const assertMount = (accessor: string) => {
    if (mountOf(accessor) === undefined) throw new Refusal(`invalid mount accessor ${goQuoted(accessor)}`);
  };
  const answer = (alias: Alias, entity: Entity): Reply => ({ data: { id: alias.id, canonical_id: entity.id } });
  const hasAliasOf = ({ aliases }: Entity, accessor: string) =>
    aliases.some(({ mountAccessor }) => mountAccessor === accessor);

  const write = ({ data }: AliasRequest): Reply | undefined => {
    const id = data.get("id");
    const customMetadata = data.given("custom_metadata");
    assertCustomMetadata(customMetadata ?? {});
    const canonicalId = data.get("canonical_id") || data.get("entity_id");
    const [name, mountAccessor] = [data.get("name"), data.get("mount_accessor")];
    if (id !== "") {
      const known = find(id);
      if (known === undefined) throw new Refusal("invalid alias ID provided");
      return update(known, {
        name: name || known.alias.name,
        mountAccessor: mountAccessor || known.alias.mountAccessor,
        canonicalId,
        customMetadata: customMetadata ?? known.alias.customMetadata,
      });
    }
    if (mountAccessor === "" || name === "") {
      throw new Refusal("'id' or 'mount_accessor' and 'name' must be provided");
    }
    assertMount(mountAccessor);
    const entity = identities.entityWithAlias({ name, mountAccessor });
    const alias = entity?.aliases.find((each) => each.mountAccessor === mountAccessor);
    const written = { name, mountAccessor, canonicalId, customMetadata: customMetadata ?? {} };
    return entity && alias ? update({ alias, entity }, written) : create(written);
  };

  const create = ({ canonicalId, ...written }: Written): Reply => {
    const known = canonicalId === "" ? undefined : identities.entity(canonicalId);
    if (canonicalId !== "" && known === undefined) throw new Refusal("invalid canonical ID");
    const entity = known ?? identities.newEntity();
    if (hasAliasOf(entity, written.mountAccessor)) {
      throw new Refusal("Alias already exists for requested entity and mount accessor");
    }
    const alias = identities.newAlias(written);
    identities.putEntity({ ...entity, aliases: [...entity.aliases, alias] });
    return answer(alias, entity);
  };

  const update = ({ alias, entity }: Owned, { canonicalId, ...written }: Written): Reply | undefined => {
    const { name, mountAccessor, customMetadata } = written;
    const isMoved = canonicalId !== "" && canonicalId !== entity.id;
    const isAsBefore =
      name === alias.name && mountAccessor === alias.mountAccessor && isSameMap(customMetadata, alias.customMetadata);
    if (isAsBefore && !isMoved) return undefined;
    if (!isMoved && mountAccessor !== alias.mountAccessor && hasAliasOf(entity, mountAccessor)) {
      throw new Refusal("Alias cannot be updated as the entity already has an alias for the given 'mount_accessor' ");
    }
    if (!isAsBefore) {
      assertMount(mountAccessor);
      const holder = identities.entityWithAlias({ name, mountAccessor });
      const other = holder?.aliases.find((each) => each.mountAccessor === mountAccessor);
      if (other !== undefined && other.id !== alias.id) {
        throw new Refusal("alias with combination of mount accessor and name already exists");
      }
    }
    const changed = { ...alias, ...written, updatedMs: now().getTime() };
    if (!isMoved) {
      identities.putEntity({
        ...entity,
        aliases: entity.aliases.map((each) => (each.id === alias.id ? changed : each)),
      });
      return answer(changed, entity);
    }
    const target = identities.entity(canonicalId);
    if (target === undefined) throw new Refusal("given 'canonical_id' is not associated with an entity");
    if (hasAliasOf(target, mountAccessor)) {
      throw new Refusal("Alias cannot be updated as the given entity already has an alias for this mount ");
    }
    identities.putEntity({ ...entity, aliases: entity.aliases.filter(({ id }) => id !== alias.id) });
    identities.putEntity({ ...target, aliases: [...target.aliases, changed] });
    return answer(changed, target);
  };

  const shown = ({ alias, entity }: Owned) => ({
    ...shownEntityAlias(alias, { ofId: entity.id, mount: mountOf(alias.mountAccessor) }),
    namespace_id: "root",
  });
  const list = (): Reply => {
    const all = [...owned()].sort((a, b) => (a.alias.id < b.alias.id ? -1 : 1));
    if (all.length === 0) return { data: {} };
    const keyInfo = Object.fromEntries(all.map((each) => [each.alias.id, listed(shown(each))]));
    return { data: { keys: all.map(({ alias }) => alias.id), key_info: keyInfo } };
  };

  return [
    definePath({ pattern: "entity-alias", fields, operations: { update: write } }),
    definePath({ pattern: "entity-alias/id/?", fields: {}, operations: { list } }),
    definePath({
      pattern: `entity-alias/id/${nameSegment("id")}`,
      fields,
      operations: {
        read: ({ data }) => {
          const found = find(data.get("id"));
          return found && { data: shown(found) };
        },
        update: write,
        delete: ({ data }) => {
          const found = find(data.get("id"));
          if (found === undefined) return undefined;
          const aliases = found.entity.aliases.filter(({ id }) => id !== found.alias.id);
          identities.putEntity({ ...found.entity, aliases });
          return undefined;
        },
      },
    }),
  ];
}

const listedMembers: ReadonlySet<string> = new Set([
  "canonical_id",
  "custom_metadata",
  "local",
  "metadata",
  "mount_accessor",
  "mount_path",
  "mount_type",
  "name",
]);

function listed(alias: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(alias).filter(([member]) => listedMembers.has(member)));
}

function isSameMap(one: Alias["customMetadata"], other: Alias["customMetadata"]): boolean {
  const [a, b] = [Object.entries(one ?? {}), other ?? {}];
  return a.length === Object.keys(b).length && a.every(([key, value]) => Object.hasOwn(b, key) && b[key] === value);
}

// Vault's limits: 64 members, keys of 1 to 128 and values of 1 to 512 characters.
function assertCustomMetadata(metadata: Readonly<Record<string, string>>): void {
  const problem = "custom_metadata validation failed: ";
  const count = Object.keys(metadata).length;
  if (count > 64) throw new Failure(`${problem}payload must contain at most 64 keys, provided ${count}`);
  for (const [key, { length }] of Object.entries(metadata)) {
    if (key === "" || key.length > 128) {
      throw new Failure(`${problem}length of key ${goQuoted(key)} is ${key.length} but must be 0 < len(key) <= 128`);
    }
    if (length === 0 || length > 512) {
      const value = `length of value for key ${goQuoted(key)} is ${length}`;
      throw new Failure(`${problem}${value} but must be 0 < len(value) <= 512`);
    }
  }
}
