import { randomUUID } from "node:crypto";
import { type Backend, definePath, type OperationRequest } from "../framework/backend";
import { Refusal } from "../framework/refusal";
import type { Mount, MountTable } from "../secrets/mount-table";
import { distinctPolicies } from "./distinct-policies";
import { entityAliasPaths } from "./entity-alias-paths";
import { entityPaths } from "./entity-paths";
import type { Group, IdentityStore } from "./identity-store";
import { shownGroup } from "./identity-views";

const groupFields = { name: "string", type: "string", policies: "commaStringSlice" } as const;
const aliasFields = { name: "string", mount_accessor: "string", canonical_id: "string" } as const;

export interface IdentityBackendOptions {
  readonly identities: IdentityStore;
  readonly mounts: MountTable;
  readonly now: () => Date;
}

/** The part of `identity/` that logins change: entities and their aliases, and external groups with theirs. */
export function createIdentityBackend({ identities, mounts, now }: IdentityBackendOptions): Backend {
  const mountOf = (accessor: string | undefined): Mount | undefined =>
    mounts.all("auth").find((mount) => mount.accessor === accessor);
  const readGroup = (group: Group | undefined) =>
    group === undefined ? undefined : { data: shownGroup(group, mountOf(group.alias?.mountAccessor)) };

  const createGroup = ({ data }: OperationRequest<typeof groupFields>) => {
    if (data.get("type") !== "external") {
      throw new Refusal("internal groups are not supported by the embedded server", { status: 501 });
    }
    const found = identities.groups().find(({ name }) => name === data.get("name"));
    const policies = distinctPolicies(data.get("policies"));
    const createdMs = now().getTime();
    const made = { id: randomUUID(), name: data.get("name"), alias: undefined, members: null, writes: 0, createdMs };
    const group = { ...(found ?? { ...made, updatedMs: createdMs }), policies };
    identities.putGroup(group);
    return { data: { id: group.id, name: group.name } };
  };

  const createAlias = ({ data }: OperationRequest<typeof aliasFields>) => {
    const group = identities.group(data.get("canonical_id"));
    if (group === undefined) throw new Refusal("invalid group ID given in 'canonical_id'");
    const mountAccessor = data.get("mount_accessor");
    if (mountOf(mountAccessor) === undefined) throw new Refusal(`invalid mount accessor "${mountAccessor}"`);
    const alias = identities.newAlias({ name: data.get("name"), mountAccessor });
    identities.putGroup({ ...group, alias });
    return { data: { canonical_id: group.id, id: alias.id } };
  };

  return {
    unsupported: ["(?:oidc|mfa|alias|persona|group|group-alias|entity/merge|entity/duplicates|lookup/group)(?:/.*)?"],
    paths: [
      ...entityPaths({ identities, mountOf, now }),
      ...entityAliasPaths({ identities, mountOf, now }),
      definePath({ pattern: "group", fields: groupFields, operations: { update: createGroup } }),
      definePath({
        pattern: "group/id/(?<id>[^/]+)",
        fields: { id: "string" },
        operations: { read: ({ data }) => readGroup(identities.group(data.get("id"))) },
      }),
      definePath({
        pattern: "group/name/(?<name>[^/]+)",
        fields: { name: "string" },
        operations: {
          read: ({ data }) => readGroup(identities.groups().find(({ name }) => name === data.get("name"))),
        },
      }),
      definePath({ pattern: "group-alias", fields: aliasFields, operations: { update: createAlias } }),
    ],
  };
}
