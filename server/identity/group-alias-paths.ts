import { definePath, nameSegment, type OperationRequest, type Path, type Reply } from "../framework/backend";
import { Refusal } from "../framework/refusal";
import type { GroupPathOptions } from "./group-paths";
import { type Group, newGroup, withoutEmptyParts } from "./group-record";
import { listedGroupAliases, shownAliasAlone } from "./group-views";

const fields = { id: "string", name: "string", mount_accessor: "string", canonical_id: "string" } as const;
type Request = OperationRequest<typeof fields>;

/** Aliases of external groups. A group has one at most: another one takes its place. */
export function groupAliasPaths({ identities, mountOf, now }: Omit<GroupPathOptions, "profile">): Path[] {
  const groupWith = (aliasId: string) => identities.groups().find(({ alias }) => alias?.id === aliasId);

  function write({ data }: Request, previous: Group | undefined): Reply | undefined {
    const [name, mountAccessor, canonicalId] = [
      data.get("name"),
      data.get("mount_accessor"),
      data.get("canonical_id"),
    ] as const;
    const before = previous?.alias;
    if (name === "") throw new Refusal("missing alias name");
    if (mountAccessor === "") throw new Refusal("missing mount_accessor");
    const isSame = before?.name === name && before.mountAccessor === mountAccessor;
    if (isSame && (canonicalId === "" || canonicalId === previous?.id)) return undefined;
    const target = canonicalId === "" ? undefined : externalGroup(canonicalId);
    const mount = mountOf(mountAccessor);
    if (mount === undefined) throw new Refusal(`invalid mount accessor ${JSON.stringify(mountAccessor)}`);
    if (mount.local) throw new Refusal(`mount accessor ${JSON.stringify(mountAccessor)} is a local mount`);
    const other = identities.groupNamed({ name, mountAccessor });
    if (other !== undefined && other.alias?.id !== before?.id)
      throw new Refusal("combination of mount and group alias name is already in use");
    const group = target ?? previous ?? { ...newGroup(now()), type: "external" };
    const alias = before
      ? { ...before, name, mountAccessor, updatedMs: now().getTime() }
      : identities.newAlias({ name, mountAccessor, metadata: null });
    if (previous !== undefined && previous.id !== group.id)
      identities.putGroup({ ...withoutEmptyParts(previous), alias: undefined });
    identities.putGroup({ ...withoutEmptyParts(group), alias });
    return { data: { canonical_id: group.id, id: alias.id } };
  }

  function externalGroup(id: string): Group {
    const group = identities.group(id);
    if (group === undefined) throw new Refusal("invalid group ID given in 'canonical_id'");
    if (group.type !== "external") throw new Refusal("alias can't be set on an internal group");
    return group;
  }

  function byId(request: Request): Reply | undefined {
    const id = request.data.get("id");
    if (id === "") throw new Refusal("empty group alias ID");
    const previous = groupWith(id);
    if (previous === undefined) throw new Refusal("invalid group alias ID");
    return write(request, previous);
  }

  return [
    definePath({
      pattern: "group-alias",
      fields,
      operations: {
        update: (request) => (request.data.given("id") === undefined ? write(request, undefined) : byId(request)),
      },
    }),
    definePath({
      pattern: `group-alias/id/${nameSegment("id")}`,
      fields,
      operations: {
        read: ({ data }) => {
          const group = groupWith(data.get("id"));
          return group?.alias && { data: shownAliasAlone(group.alias, { groupId: group.id, mountOf }) };
        },
        update: byId,
        delete: ({ data }) => {
          const group = groupWith(data.get("id"));
          if (group) identities.putGroup({ ...withoutEmptyParts(group), alias: undefined });
          return undefined;
        },
      },
    }),
    definePath({
      pattern: "group-alias/id/?",
      fields: {},
      operations: { list: () => listedGroupAliases(identities.groups(), mountOf) },
    }),
  ];
}
