import type { Reply } from "../framework/backend";
import { compareBytes } from "../framework/go-format";
import { fullPath, type Mount } from "../secrets/mount-table";
import type { Alias, Group } from "./group-record";
import { type Shown, shownAlias, times } from "./identity-views";

type MountOf = (accessor: string | undefined) => Mount | undefined;

/** A group as a read answers it. */
export function shownGroup(
  group: Group,
  { memberGroups, mountOf }: { readonly memberGroups: readonly string[]; readonly mountOf: MountOf },
): Shown {
  return {
    ...times(group),
    id: group.id,
    name: group.name,
    type: group.type,
    metadata: group.metadata,
    namespace_id: "root",
    alias: group.alias === undefined ? {} : shownGroupAlias(group.alias, { groupId: group.id, mountOf }),
    policies: group.policies,
    member_entity_ids: group.members,
    member_group_ids: memberGroups.length === 0 ? null : memberGroups,
    parent_group_ids: group.parents,
    modify_index: group.writes,
  };
}

function shownGroupAlias(
  alias: Alias,
  { groupId, mountOf }: { readonly groupId: string; readonly mountOf: MountOf },
): Shown {
  return shownAlias(alias, { ofId: groupId, shownMount: shownMount(mountOf(alias.mountAccessor)) });
}

/** An alias as a read of its own answers it. */
export function shownAliasAlone(alias: Alias, at: { readonly groupId: string; readonly mountOf: MountOf }): Shown {
  return { ...shownGroupAlias(alias, at), custom_metadata: null, local: false, namespace_id: "root" };
}

/** All groups by id with a few words about each, or their names alone, in the order of their ids. */
export function listedGroups(
  groups: readonly Group[],
  { key, mountOf }: { readonly key: "id" | "name"; readonly mountOf: MountOf },
): Reply {
  const sorted = [...groups].sort((a, b) => compareBytes(a.id, b.id));
  if (sorted.length === 0) return { data: {} };
  const keys = sorted.map((group) => group[key]);
  if (key === "name") return { data: { keys } };
  const infos = sorted.map((group) => [group.id, info(group, mountOf)] as const);
  return { data: { keys, key_info: Object.fromEntries(infos) } };
}

/** All aliases of groups by id. */
export function listedGroupAliases(groups: readonly Group[], mountOf: MountOf): Reply {
  const aliases = groups.flatMap(({ id, alias }) => (alias === undefined ? [] : [{ ...alias, groupId: id }]));
  const sorted = aliases.sort((a, b) => compareBytes(a.id, b.id));
  if (sorted.length === 0) return { data: {} };
  const infos = sorted.map(
    ({ id, name, groupId, metadata, mountAccessor }) =>
      [
        id,
        {
          canonical_id: groupId,
          custom_metadata: null,
          local: false,
          metadata,
          mount_accessor: mountAccessor,
          ...shownMount(mountOf(mountAccessor)),
          name,
        },
      ] as const,
  );
  return { data: { keys: sorted.map(({ id }) => id), key_info: Object.fromEntries(infos) } };
}

function info({ name, members, parents, alias }: Group, mountOf: MountOf): Shown {
  const counts = { name, num_member_entities: members?.length ?? 0, num_parent_groups: parents?.length ?? 0 };
  if (alias === undefined) return counts;
  const { id, mountAccessor } = alias;
  const shown = { id, mount_accessor: mountAccessor, name: alias.name, ...shownMount(mountOf(mountAccessor)) };
  return { ...counts, alias: shown };
}

/** An alias of a mount that is gone names its accessor alone. */
function shownMount(mount: Mount | undefined): Shown {
  return mount === undefined ? {} : { mount_path: fullPath(mount), mount_type: mount.type };
}
