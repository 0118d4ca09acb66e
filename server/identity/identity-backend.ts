import type { Backend } from "../framework/backend";
import type { IdentityProfile } from "../profiles/secrets-profile";
import type { Mount, MountTable } from "../secrets/mount-table";
import { entityAliasPaths } from "./entity-alias-paths";
import { entityPaths } from "./entity-paths";
import { groupAliasPaths } from "./group-alias-paths";
import { groupPaths } from "./group-paths";
import type { IdentityStore } from "./identity-store";

export interface IdentityBackendOptions {
  readonly identities: IdentityStore;
  readonly mounts: MountTable;
  readonly profile: IdentityProfile;
  readonly now: () => Date;
}

/** The part of `identity/` that this server has: entities and groups, and the aliases of both. */
export function createIdentityBackend({ identities, mounts, profile, now }: IdentityBackendOptions): Backend {
  const mountOf = (accessor: string | undefined): Mount | undefined =>
    mounts.all("auth").find((mount) => mount.accessor === accessor);

  return {
    unsupported: ["(?:oidc|mfa|alias|persona|entity/merge|entity/duplicates|lookup/group)(?:/.*)?"],
    paths: [
      ...entityPaths({ identities, profile, mountOf, now }),
      ...entityAliasPaths({ identities, mountOf, now }),
      ...groupPaths({ identities, profile, mountOf, now }),
      ...groupAliasPaths({ identities, mountOf, now }),
    ],
  };
}
