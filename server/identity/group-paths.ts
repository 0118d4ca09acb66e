import { definePath, nameSegment, type OperationRequest, type Path, type Reply } from "../framework/backend";
import type { FieldData } from "../framework/field-data";
import { Failure, Refusal } from "../framework/refusal";
import type { IdentityProfile } from "../profiles/secrets-profile";
import type { Mount } from "../secrets/mount-table";
import { checkMetadata } from "./check-metadata";
import { distinctPolicies } from "./distinct-policies";
import { type Group, newGroup, withoutEmptyParts } from "./group-record";
import { parentsWritten } from "./group-tree";
import { listedGroups, shownGroup } from "./group-views";
import type { IdentityStore } from "./identity-store";

const fields = {
  id: "string",
  name: "string",
  type: "string",
  metadata: "kvPairs",
  policies: "commaStringSlice",
  member_group_ids: "commaStringSlice",
  member_entity_ids: "commaStringSlice",
} as const;
type Request = OperationRequest<typeof fields>;
type Data = FieldData<typeof fields>;

export interface GroupPathOptions {
  readonly identities: IdentityStore;
  readonly profile: IdentityProfile;
  readonly mountOf: (accessor: string | undefined) => Mount | undefined;
  readonly now: () => Date;
}

/** Groups: by name, by id, and as lists. */
export function groupPaths({ identities, profile, mountOf, now }: GroupPathOptions): Path[] {
  const read = (group: Group | undefined) =>
    group && { data: shownGroup(group, { memberGroups: identities.memberGroups(group), mountOf }) };

  function write(data: Data, found: Group | undefined): Reply | undefined {
    const group = merged(data, found === undefined ? newGroup(now()) : withoutEmptyParts(found));
    checkMetadata("group", group.metadata);
    const stranger = group.members?.find((id) => identities.entity(id) === undefined);
    if (stranger !== undefined) throw new Failure(`invalid entity ID ${JSON.stringify(stranger)}`);
    const memberGroups = data.given("member_group_ids");
    if (memberGroups) for (const other of parentsWritten(group, memberGroups, identities)) identities.putGroup(other);
    const updatedMs = now().getTime();
    identities.putGroup({ ...group, alias: group.alias && { ...group.alias, updatedMs } });
    return found === undefined ? { data: { id: group.id, name: group.name } } : undefined;
  }

  function merged(data: Data, group: Group): Group {
    const policies = data.given("policies");
    const kept = policies === undefined ? group.policies : distinctPolicies(policies, profile);
    const type = data.given("type") ?? group.type;
    if (group.type !== "" && type !== group.type) throw new Refusal("group type cannot be changed");
    if (!["", "internal", "external"].includes(type)) throw new Refusal(`invalid group type ${JSON.stringify(type)}`);
    const name = data.get("name");
    const namesake = name === "" ? undefined : identities.groupByName(name);
    if (namesake !== undefined && namesake.id !== group.id) throw new Refusal("group name is already in use");
    const metadata = data.given("metadata");
    const members = data.given("member_entity_ids");
    const isExternal = type === "external";
    if (members && isExternal) throw new Refusal("member entities can't be set manually for external groups");
    if (data.given("member_group_ids") && isExternal)
      throw new Refusal("member groups can't be set for external groups");
    return {
      ...group,
      policies: kept,
      type: type === "" ? "internal" : type,
      name: name === "" ? group.name : name,
      metadata: metadata === undefined ? group.metadata : metadata,
      members: members === undefined ? group.members : [...new Set(members)].sort(),
    };
  }

  function byId({ data }: Request): Reply | undefined {
    const group = identities.group(data.get("id"));
    if (data.get("id") === "") throw new Refusal("empty group ID");
    if (group === undefined) throw new Refusal("invalid group ID");
    return write(data, group);
  }

  function byName({ data }: Request): Reply | undefined {
    if (data.get("name") === "") throw new Refusal("empty group name");
    return write(data, identities.groupByName(data.get("name")));
  }

  const list = (key: "id" | "name") => () => listedGroups(identities.groups(), { key, mountOf });
  const remove = (group: Group | undefined) => {
    if (group) identities.deleteGroup(group.id);
    return undefined;
  };

  return [
    definePath({
      pattern: "group",
      fields,
      operations: {
        update: (request) => {
          if (request.data.given("id") !== undefined) return byId(request);
          return request.data.given("name") === undefined ? write(request.data, undefined) : byName(request);
        },
      },
    }),
    definePath({
      pattern: `group/id/${nameSegment("id")}`,
      fields,
      operations: {
        read: ({ data }) => read(identities.group(data.get("id"))),
        update: byId,
        delete: ({ data }) => remove(identities.group(data.get("id"))),
      },
    }),
    definePath({ pattern: "group/id/?", fields: {}, operations: { list: list("id") } }),
    definePath({
      pattern: "group/name/(?<name>.+)",
      fields,
      operations: {
        read: ({ data }) => read(identities.groupByName(data.get("name"))),
        update: byName,
        delete: ({ data }) => remove(identities.groupByName(data.get("name"))),
      },
    }),
    definePath({ pattern: "group/name/?", fields: {}, operations: { list: list("name") } }),
  ];
}
