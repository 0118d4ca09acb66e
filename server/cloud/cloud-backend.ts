import type { Backend, BackendOptions } from "../framework/backend";
import type { CloudIdentity } from "./cloud-identity";
import { leaseConfigPath } from "./lease-config-path";
import { rolePaths } from "./role-paths";
import { rootConfigPath } from "./root-config-path";
import { rotateRootPath } from "./rotate-root-path";
import { staticRolePaths } from "./static-role-paths";

export interface CloudBackendOptions extends BackendOptions {
  /** The cloud that this mount's root credentials are good for; mounts may share one. */
  readonly identity: CloudIdentity;
}

/** The cloud (AWS) secrets engine of Vault 1.21, Community Edition (document 3, reference section 4). */
export function createCloudBackend(options: CloudBackendOptions): Backend {
  const { storage } = options;
  return {
    paths: [
      rootConfigPath(storage),
      rotateRootPath(options),
      leaseConfigPath(storage),
      ...rolePaths(storage),
      ...staticRolePaths(options),
    ],
  };
}
