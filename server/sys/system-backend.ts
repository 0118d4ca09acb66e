import type { Backend } from "../framework/backend";
import type { IdentityStore } from "../identity/identity-store";
import type { LeaseStore } from "../secrets/lease-store";
import type { PolicyStore } from "../secrets/policy-store";
import type { AccessOf } from "../secrets/token-access";
import { capabilitiesPaths } from "./capabilities-paths";
import type { MountParts } from "./enable-mount";
import { leasePaths, leaseSudoPaths } from "./lease-paths";
import { mountPaths } from "./mount-paths";
import { type NamespaceBook, namespacePaths } from "./namespace-paths";
import { policyPaths } from "./policy-paths";
import { remountPaths } from "./remount-paths";
import { shownMountLoginPaths, shownMountPaths } from "./shown-mount-paths";
import { wrappingLoginPaths, wrappingPaths } from "./wrapping-paths";

export interface SystemParts extends MountParts {
  readonly policies: PolicyStore;
  readonly identities: IdentityStore;
  readonly leases: LeaseStore;
  readonly accessOf: AccessOf;
  /** The namespaces in this one; undefined where the product has none. */
  readonly children: NamespaceBook | undefined;
  /** Whether a policy has more than its text. */
  readonly keepsPolicySettings: boolean;
  /** The server's name in its texts. */
  readonly productName: string;
}

/** The back end mounted at `sys/`. */
export function createSystemBackend(parts: SystemParts): Backend {
  return {
    loginPaths: [...wrappingLoginPaths, ...shownMountLoginPaths],
    unsupported: parts.children ? unsupportedPaths : [...unsupportedPaths, "namespaces(?:/.*)?"],
    sudoPaths: ["auth/*", "remount", "leases/lookup/*", ...leaseSudoPaths],
    paths: [
      ...mountPaths(parts, { kind: "secret", root: "mounts" }),
      ...mountPaths(parts, { kind: "auth", root: "auth" }),
      ...shownMountPaths(parts),
      ...policyPaths(parts),
      ...capabilitiesPaths(parts),
      ...(parts.children ? namespacePaths(parts.children) : []),
      ...remountPaths(parts),
      ...leasePaths(parts),
      ...wrappingPaths(parts.tokens),
    ],
  };
}

const unsupportedPaths: readonly string[] = [
  ...[
    "activation-flags",
    "audit",
    "audit-hash",
    "config",
    "control-group",
    "experiments",
    "generate-root",
    "ha-status",
  ],
  ...[
    "host-info",
    "in-flight-req",
    "init",
    "internal",
    "key-status",
    "license",
    "locked-users",
    "loggers",
    "managed-keys",
  ],
  ...["metrics", "mfa", "monitor", "plugins", "policies/egp", "policies/password", "policies/rgp", "pprof"],
  ...["quotas", "raw", "rekey", "rekey-recovery-key", "replication", "reporting", "rotate", "seal", "step-down"],
  ...["storage", "sync", "tools", "unseal", "utilization-report", "version-history", "well-known"],
]
  .map((root) => `${root}(?:/.*)?`)
  .concat("decode-token", "leases", "leases/count", "leases/tidy", "wrapping/pubkey");
