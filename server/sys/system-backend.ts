import type { Backend } from "../framework/backend";
import type { IdentityStore } from "../identity/identity-store";
import type { LeaseStore } from "../secrets/lease-store";
import type { PolicyStore } from "../secrets/policy-store";
import { capabilitiesPaths } from "./capabilities-paths";
import type { MountParts } from "./enable-mount";
import { leasePaths, leaseSudoPaths } from "./lease-paths";
import { mountPaths } from "./mount-paths";
import { policyPaths } from "./policy-paths";
import { remountPaths } from "./remount-paths";
import { wrappingLoginPaths, wrappingPaths } from "./wrapping-paths";

export interface SystemParts extends MountParts {
  readonly policies: PolicyStore;
  readonly identities: IdentityStore;
  readonly leases: LeaseStore;
  /** The server's name in its texts. */
  readonly productName: string;
}

/** The back end mounted at `sys/`. */
export function createSystemBackend(parts: SystemParts): Backend {
  return {
    loginPaths: wrappingLoginPaths,
    sudoPaths: ["auth/*", "remount", "leases/lookup/*", ...leaseSudoPaths],
    paths: [
      ...mountPaths(parts, { kind: "secret", root: "mounts" }),
      ...mountPaths(parts, { kind: "auth", root: "auth" }),
      ...policyPaths(parts.policies),
      ...capabilitiesPaths(parts),
      ...remountPaths(parts),
      ...leasePaths(parts),
      ...wrappingPaths(parts.tokens),
    ],
  };
}
