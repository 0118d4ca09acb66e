import { type Backend, definePath } from "../framework/backend";
import { Refusal } from "../framework/refusal";
import type { IdentityProfile } from "../profiles/secrets-profile";
import type { Mount, MountTable } from "../secrets/mount-table";
import { distinctPolicies } from "./distinct-policies";
import { groupAliasPaths } from "./group-alias-paths";
import { groupPaths } from "./group-paths";
import type { IdentityStore } from "./identity-store";
import { shownEntity } from "./identity-views";

export interface IdentityBackendOptions {
  readonly identities: IdentityStore;
  readonly mounts: MountTable;
  readonly profile: IdentityProfile;
  readonly now: () => Date;
}

/** The part of `identity/` that this server has: entities of logins, and groups with their aliases. */
export function createIdentityBackend({ identities, mounts, profile, now }: IdentityBackendOptions): Backend {
  const mountOf = (accessor: string | undefined): Mount | undefined =>
    mounts.all("auth").find((mount) => mount.accessor === accessor);

  return {
    paths: [
      definePath({
        pattern: "entity/id/(?<id>[^/]+)",
        fields: { id: "string", policies: "commaStringSlice", disabled: "bool" },
        operations: {
          read: ({ data }) => {
            const entity = identities.entity(data.get("id"));
            if (entity === undefined) return undefined;
            const mount = mountOf(entity.alias.mountAccessor);
            return { data: shownEntity(entity, { groups: identities.groupsOf(entity.id), mount }) };
          },
          update: ({ data }) => {
            const entity = identities.entity(data.get("id"));
            if (entity === undefined) throw new Refusal("entity not found from id");
            const policies = data.given("policies");
            identities.putEntity({
              ...entity,
              disabled: data.given("disabled") ?? entity.disabled,
              policies: policies === undefined ? entity.policies : distinctPolicies(policies, profile),
              updatedMs: now().getTime(),
            });
            return undefined;
          },
        },
      }),
      ...groupPaths({ identities, profile, mountOf, now }),
      ...groupAliasPaths({ identities, mountOf, now }),
    ],
  };
}
