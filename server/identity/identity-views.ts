import { rfc3339 } from "../framework/go-time";
import type { Mount } from "../secrets/mount-table";
import { fullPath } from "../secrets/mount-table";
import type { Alias, Entity, Group } from "./identity-store";

type Shown = Readonly<Record<string, unknown>>;

/** Members that stay empty here: the embedded server merges no entities and nests no groups. */
const unmerged = { metadata: null, namespace_id: "root" };

export function shownEntity(
  entity: Entity,
  { groups, mountOf }: { groups: readonly string[]; mountOf: (accessor: string) => Mount | undefined },
): Shown {
  return {
    ...unmerged,
    ...times(entity),
    id: entity.id,
    name: entity.name,
    metadata: entity.metadata,
    aliases: entity.aliases.map((alias) =>
      shownEntityAlias(alias, { ofId: entity.id, mount: mountOf(alias.mountAccessor) }),
    ),
    disabled: entity.disabled,
    policies: entity.policies,
    group_ids: groups,
    direct_group_ids: groups,
    inherited_group_ids: [],
    merged_entity_ids: null,
  };
}

export function shownEntityAlias(alias: Alias, of: { ofId: string; mount: Mount | undefined }): Shown {
  return { ...shownAlias(alias, of), custom_metadata: alias.customMetadata, local: of.mount?.local ?? false };
}

export function shownGroup(group: Group, mount: Mount | undefined): Shown {
  return {
    ...unmerged,
    ...times(group),
    id: group.id,
    name: group.name,
    type: "external",
    alias: group.alias === undefined ? {} : shownAlias(group.alias, { ofId: group.id, mount }),
    policies: group.policies,
    member_entity_ids: group.members,
    member_group_ids: null,
    parent_group_ids: null,
    modify_index: group.writes,
  };
}

function shownAlias(alias: Alias, { ofId, mount }: { ofId: string; mount: Mount | undefined }): Shown {
  return {
    ...times(alias),
    id: alias.id,
    canonical_id: ofId,
    name: alias.name,
    metadata: alias.metadata,
    mount_accessor: alias.mountAccessor,
    mount_path: mount === undefined ? "" : fullPath(mount),
    mount_type: mount?.type ?? "",
    merged_from_canonical_ids: null,
  };
}

function times({ createdMs, updatedMs }: Pick<Entity, "createdMs" | "updatedMs">): Shown {
  return { creation_time: rfc3339(new Date(createdMs)), last_update_time: rfc3339(new Date(updatedMs)) };
}
