import { randomBytes, randomUUID } from "node:crypto";
import type { Table } from "../data/tables";
import type { Backend, MountView } from "../framework/backend";
import type { Storage } from "../framework/storage";

export const systemLeaseSeconds = 2_764_800;

export type MountKind = "auth" | "secret";

/** Settings of a mount that are lists, by their wire names; one that was never set is not shown. */
export const listSettings = [
  "audit_non_hmac_request_keys",
  "audit_non_hmac_response_keys",
  "passthrough_request_headers",
  "allowed_response_headers",
  "allowed_managed_keys",
  "delegated_auth_accessors",
] as const;

/** When users are locked out who failed to log in; 0 inherits the server's. */
export interface UserLockout {
  readonly threshold: number;
  readonly durationSeconds: number;
  readonly counterResetSeconds: number;
  readonly isDisabled: boolean;
}

export interface MountConfig {
  /** 0 inherits the system's. */
  readonly defaultLeaseSeconds: number;
  readonly maxLeaseSeconds: number;
  readonly forceNoCache: boolean;
  /** `""` for none. */
  readonly listingVisibility: string;
  /** Auth mounts only. */
  readonly tokenType?: string;
  /** A write to a path that ends in a slash is taken. */
  readonly trimsSlashes?: boolean;
  readonly identityTokenKey?: string;
  /** Kept and shown; nobody is locked out here. */
  readonly userLockout?: UserLockout;
  readonly lists: { readonly [name in (typeof listSettings)[number]]?: readonly string[] };
}

/** A mount as it is kept. */
export interface MountRecord {
  readonly kind: MountKind;
  /** With its trailing slash, without the `auth/` of auth mounts. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
  readonly accessor: string;
  readonly uuid: string;
  readonly local: boolean;
  readonly sealWrap: boolean;
  readonly externalEntropy: boolean;
  /** `null` on built-in mounts. */
  readonly options: Readonly<Record<string, string>> | null;
  readonly runningVersion: string;
  /** What tuning has chosen; a mount of a built-in plugin has none. */
  readonly pluginVersion?: string;
  readonly config: MountConfig;
  /** True while it is being disabled. */
  readonly isTainted: boolean;
}

export interface Mount extends MountRecord {
  readonly storage: Storage;
  readonly backend: Backend;
}

export interface MountTable {
  all(kind: MountKind): readonly Mount[];
  find(kind: MountKind, path: string): Mount | undefined;
  put(mount: Mount): void;
  remove(mount: Mount): void;
  /** The mount with the longest path that the request path begins with. */
  route(requestPath: string): Mount | undefined;
}

/** The mounts of `records`. Each must be put once more with its back end. */
export function createMountTable(records: Table<MountRecord> = new Map()): MountTable {
  let mounts: readonly Mount[] = [];
  return {
    all: (kind) => mounts.filter((mount) => mount.kind === kind),
    find: (kind, path) => mounts.find((mount) => mount.kind === kind && mount.path === path),
    put: (mount) => {
      mounts = [...mounts.filter((other) => other.uuid !== mount.uuid), mount];
      const { storage: _storage, backend: _backend, ...record } = mount;
      records.set(mount.uuid, record);
    },
    remove: ({ uuid, storage }) => {
      storage.clear();
      records.delete(uuid);
      mounts = mounts.filter((mount) => mount.uuid !== uuid);
    },
    route: (requestPath) =>
      mounts
        .filter((mount) => requestPath.startsWith(fullPath(mount)) || `${requestPath}/` === fullPath(mount))
        .sort((a, b) => fullPath(b).length - fullPath(a).length)[0],
  };
}

/** The mount's path as requests name it. */
export function fullPath({ kind, path }: Pick<Mount, "kind" | "path">): string {
  return kind === "auth" ? `auth/${path}` : path;
}

export function mountView(mount: Mount): MountView {
  return {
    path: fullPath(mount),
    type: mount.type,
    defaultLeaseSeconds: mount.config.defaultLeaseSeconds || systemLeaseSeconds,
    maxLeaseSeconds: mount.config.maxLeaseSeconds || systemLeaseSeconds,
  };
}

export type NewMount = Pick<Mount, "kind" | "path" | "type" | "runningVersion" | "storage" | "backend"> &
  Partial<Mount>;

export function createMount(given: NewMount): Mount {
  const prefix = given.kind === "auth" ? `auth_${given.type}` : given.type;
  return {
    description: "",
    accessor: `${prefix}_${randomBytes(4).toString("hex")}`,
    uuid: randomUUID(),
    local: false,
    sealWrap: false,
    externalEntropy: false,
    options: {},
    isTainted: false,
    config: {
      defaultLeaseSeconds: 0,
      maxLeaseSeconds: 0,
      forceNoCache: false,
      listingVisibility: "",
      ...(given.kind === "auth" ? { tokenType: "default-service" } : {}),
      lists: {},
    },
    ...given,
  };
}
