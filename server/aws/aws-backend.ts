import type { CloudIdentity } from "../cloud/cloud-identity";
import type { Backend, BackendOptions } from "../framework/backend";
import type { AwsProfile } from "../profiles/secrets-profile";
import { credentialsPaths } from "./credentials-paths";
import type { EngineContext } from "./engine-context";
import { leaseConfigPath, readLease } from "./lease-config-path";
import { removeUser, restoredPendingUsers, rollBackUsers, rollbackAgeMs } from "./pending-users";
import { rolePaths } from "./role-paths";
import { rootConfigPath } from "./root-config-path";
import type { Environment } from "./root-credentials";
import { rotateRootPath } from "./rotate-root-path";
import { staticRolePaths } from "./static-role-paths";
import { restoredSchedule, rotateDueKeys } from "./static-role-rotation";
import { createStsClients } from "./sts-client";

export interface AwsBackendOptions extends BackendOptions {
  readonly profile: AwsProfile;
  /** The cloud in which this mount's root credentials work; mounts may share one. */
  readonly identity: CloudIdentity;
  /** Where root credentials and regions come from when they are not configured. */
  readonly environment?: Environment;
}

/** The cloud (AWS) secrets engine. */
export function createAwsBackend({ storage, now, profile, identity, environment = {} }: AwsBackendOptions): Backend {
  const sources = { storage, identity, environment };
  const context: EngineContext = {
    ...sources,
    now,
    profile,
    sts: createStsClients({ ...sources, profile }),
    schedule: restoredSchedule(storage),
    pending: restoredPendingUsers(storage),
  };
  return {
    paths: [
      rootConfigPath(context),
      rotateRootPath(context),
      leaseConfigPath(storage),
      ...rolePaths(context),
      ...staticRolePaths(context),
      ...credentialsPaths(context),
    ],
    renewSecret: () => readLease(storage),
    revokeSecret: ({ internal: { username } }, issuedMs) => {
      // Temporary credentials expire by themselves; nothing ends them earlier.
      if (typeof username !== "string") return;
      removeUser(context, { username, mayBeMissing: now().getTime() - issuedMs > rollbackAgeMs });
    },
    runDue: () => {
      rotateDueKeys(context);
      rollBackUsers(context);
    },
  };
}
