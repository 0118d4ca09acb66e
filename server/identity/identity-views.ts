import { rfc3339 } from "../framework/go-time";
import type { Mount } from "../secrets/mount-table";
import { fullPath } from "../secrets/mount-table";
import type { Alias, Group } from "./group-record";
import type { Entity } from "./identity-store";

export type Shown = Readonly<Record<string, unknown>>;

interface GroupsOfEntity {
  readonly direct: readonly Group[];
  readonly inherited: readonly Group[];
}

export function shownEntity(
  entity: Entity,
  {
    groups: { direct, inherited },
    mountOf,
  }: { groups: GroupsOfEntity; mountOf: (accessor: string) => Mount | undefined },
): Shown {
  const idsOf = (groups: readonly Group[]) => groups.map(({ id }) => id);
  return {
    // The embedded server merges no entities.
    namespace_id: "root",
    ...times(entity),
    id: entity.id,
    name: entity.name,
    metadata: entity.metadata,
    aliases: entity.aliases.map((alias) =>
      shownEntityAlias(alias, { ofId: entity.id, mount: mountOf(alias.mountAccessor) }),
    ),
    disabled: entity.disabled,
    policies: entity.policies,
    group_ids: idsOf([...direct, ...inherited]),
    direct_group_ids: idsOf(direct),
    inherited_group_ids: idsOf(inherited),
    merged_entity_ids: null,
  };
}

export function shownEntityAlias(alias: Alias, { ofId, mount }: { ofId: string; mount: Mount | undefined }): Shown {
  const shownMount = { mount_path: mount === undefined ? "" : fullPath(mount), mount_type: mount?.type ?? "" };
  const shown = shownAlias(alias, { ofId, shownMount });
  return { ...shown, custom_metadata: alias.customMetadata, local: mount?.local ?? false };
}

/** What the aliases of entities and of groups show alike. */
export function shownAlias(alias: Alias, { ofId, shownMount }: { ofId: string; shownMount: Shown }): Shown {
  return {
    ...times(alias),
    id: alias.id,
    canonical_id: ofId,
    name: alias.name,
    metadata: alias.metadata,
    mount_accessor: alias.mountAccessor,
    ...shownMount,
    merged_from_canonical_ids: null,
  };
}

export function times({ createdMs, updatedMs }: Pick<Entity, "createdMs" | "updatedMs">): Shown {
  return { creation_time: rfc3339(new Date(createdMs)), last_update_time: rfc3339(new Date(updatedMs)) };
}
