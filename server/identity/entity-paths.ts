import { definePath, nameSegment, type OperationRequest, type Path, type Reply } from "../framework/backend";
import { Refusal } from "../framework/refusal";
import type { IdentityProfile } from "../profiles/secrets-profile";
import type { Mount } from "../secrets/mount-table";
import { distinctPolicies } from "./distinct-policies";
import type { Entity, IdentityStore } from "./identity-store";
import { shownEntity } from "./identity-views";

export interface EntityParts {
  readonly identities: IdentityStore;
  readonly profile: IdentityProfile;
  /** The auth mount with this accessor. */
  readonly mountOf: (accessor: string) => Mount | undefined;
  readonly now: () => Date;
}

const entityFields = {
  id: "string",
  name: "string",
  metadata: "kvPairs",
  policies: "commaStringSlice",
  disabled: "bool",
} as const;
type EntityRequest = OperationRequest<typeof entityFields>;

const lookupFields = {
  id: "string",
  name: "string",
  alias_id: "string",
  alias_name: "string",
  alias_mount_accessor: "string",
} as const;

/** `identity/entity`, by ID and by name, and its lookup. */
export function entityPaths({ identities, profile, mountOf, now }: EntityParts): readonly Path[] {
  const shown = (entity: Entity | undefined): Reply | undefined => {
    if (entity === undefined) return undefined;
    const groups = identities.groupsOf(entity.id);
    return { data: shownEntity(entity, { groups, mountOf }) };
  };

  const write = ({ data }: EntityRequest): Reply | undefined => {
    const [id, name] = [data.get("id"), data.get("name")];
    const byId = id === "" ? undefined : identities.entity(id);
    if (id !== "" && byId === undefined) throw new Refusal("entity not found from id");
    const byName = name === "" ? undefined : identities.entityNamed(name);
    if (byId !== undefined && byName !== undefined && byId.id !== byName.id) {
      throw new Refusal("entity name is already in use");
    }
    const known = byId ?? byName;
    const entity = known ?? identities.newEntity();
    const policies = data.given("policies");
    const written = {
      ...entity,
      name: name || entity.name,
      policies: policies === undefined ? entity.policies : distinctPolicies(policies, profile),
      disabled: data.given("disabled") ?? entity.disabled,
      metadata: data.given("metadata") ?? entity.metadata,
      updatedMs: now().getTime(),
    };
    identities.putEntity(written);
    return known === undefined ? { data: { id: written.id, name: written.name, aliases: null } } : undefined;
  };

  const aliasInfo = ({ aliases }: Entity) =>
    aliases.map(({ id, name, mountAccessor }) => {
      const mount = mountOf(mountAccessor);
      const ofMount = mount === undefined ? {} : { mount_type: mount.type, mount_path: `auth/${mount.path}` };
      return { id, name, mount_accessor: mountAccessor, ...ofMount };
    });
  const info = (entity: Entity) => ({
    name: entity.name,
    ...(entity.aliases.length > 0 ? { aliases: aliasInfo(entity) } : {}),
  });
  const listById = (): Reply => {
    const entities = identities.entities();
    if (entities.length === 0) return { data: {} };
    const keyInfo = Object.fromEntries(entities.map((entity) => [entity.id, info(entity)]));
    return { data: { keys: entities.map(({ id }) => id), key_info: keyInfo } };
  };
  const listByName = (): Reply => {
    const names = identities.entities().map(({ name }) => name);
    return { data: names.length > 0 ? { keys: names } : {} };
  };

  const lookup = ({ data }: OperationRequest<typeof lookupFields>): Reply | undefined => {
    const [id, name, aliasId] = [data.get("id"), data.get("name"), data.get("alias_id")];
    const [aliasName, mountAccessor] = [data.get("alias_name"), data.get("alias_mount_accessor")];
    if (id !== "") return shown(identities.entity(id));
    if (name !== "") return shown(identities.entityNamed(name));
    if (aliasId !== "") {
      return shown(identities.entities().find(({ aliases }) => aliases.some((alias) => alias.id === aliasId)));
    }
    if (aliasName === "" && mountAccessor === "") throw new Refusal("query parameter not supplied");
    if (aliasName === "" || mountAccessor === "") {
      throw new Refusal("both 'alias_name' and 'alias_mount_accessor' needs to be set");
    }
    return shown(identities.entityWithAlias({ name: aliasName, mountAccessor }));
  };

  return [
    definePath({ pattern: "entity", fields: entityFields, operations: { update: write } }),
    definePath({ pattern: "entity/name/?", fields: {}, operations: { list: listByName } }),
    definePath({ pattern: "entity/id/?", fields: {}, operations: { list: listById } }),
    definePath({
      pattern: "entity/name/(?<name>.+)",
      fields: entityFields,
      operations: {
        read: ({ data }) => shown(identities.entityNamed(data.get("name"))),
        update: write,
        delete: ({ data }) => void identities.deleteEntity(identities.entityNamed(data.get("name"))?.id ?? ""),
      },
    }),
    definePath({
      pattern: `entity/id/${nameSegment("id")}`,
      fields: entityFields,
      operations: {
        read: ({ data }) => shown(identities.entity(data.get("id"))),
        update: write,
        delete: ({ data }) => void identities.deleteEntity(data.get("id")),
      },
    }),
    definePath({
      pattern: "entity/batch-delete",
      fields: { entity_ids: "commaStringSlice" },
      operations: {
        update: ({ data }) => {
          const ids = data.get("entity_ids");
          if (ids.length === 0) throw new Refusal("missing entity ids to delete");
          for (const id of ids) identities.deleteEntity(id);
          return undefined;
        },
      },
    }),
    definePath({ pattern: "lookup/entity", fields: lookupFields, operations: { update: lookup } }),
  ];
}
