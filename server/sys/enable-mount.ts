import type { Tables } from "../data/tables";
import type { FieldData } from "../framework/field-data";
import { Refusal } from "../framework/refusal";
import type { WireObject } from "../framework/wire-value";
import type { LeaseStore } from "../secrets/lease-store";
import { fullPath, type Mount, type MountKind, type MountTable } from "../secrets/mount-table";
import type { TokenStore } from "../secrets/token-store";
import { type EngineCatalog, mountFromCatalog } from "./engine-catalog";
import { mountConfigFrom } from "./mount-config";
import { assertBuiltIn } from "./plugin-version";

export const enableFields = {
  path: "string",
  type: "string",
  description: "string",
  config: "map",
  options: "kvPairs",
  local: "bool",
  seal_wrap: "bool",
  external_entropy_access: "bool",
  plugin_name: "string",
  plugin_version: "string",
} as const;

export interface MountParts {
  readonly mounts: MountTable;
  readonly tokens: TokenStore;
  readonly catalog: EngineCatalog;
  readonly leases: LeaseStore;
  readonly tables: Tables;
  readonly now: () => Date;
  /** Members of a mount's settings that the product does not have, by wire name. */
  readonly lacking: readonly string[];
}

// Types that cannot be mounted a second time.
const singleTypes: Readonly<Record<MountKind, ReadonlySet<string>>> = {
  secret: new Set(["cubbyhole", "identity", "system", "token"]),
  auth: new Set(),
};
const builtInMounts: ReadonlySet<string> = new Set(["sys/", "cubbyhole/", "identity/"]);
const reservedPrefixes = ["audit/", "auth/", ...builtInMounts];

/** Mounts a new engine or auth method. @throws Refusal */
export function enableMount(
  parts: MountParts,
  { kind, data }: { kind: MountKind; data: FieldData<typeof enableFields> },
): void {
  const path = withSlash(data.get("path"));
  const settings = without(supplied(data.get("config")), parts.lacking);
  const config = mountConfigFrom(settings, kind);
  const type = data.get("type");
  if (type === "") throw new Refusal("backend type must be specified as a string");
  refuseType({ kind, type, options: data.get("options") ?? {} });
  if (kind === "secret" && reservedPrefixes.some((reserved) => path.startsWith(reserved))) {
    throw new Refusal(`cannot mount "${path}"`);
  }
  const entry = parts.catalog[kind].get(type);
  const version = settings["plugin_version"];
  if (entry && typeof version === "string")
    assertBuiltIn(version, { kind, type, runningVersion: entry.runningVersion });
  const conflict = conflictingMount(parts.mounts.all(kind), path);
  if (conflict !== undefined) throw new Refusal(`path is already in use at ${conflict.path}`);
  const mount = mountFromCatalog(parts.catalog, {
    kind,
    path,
    type,
    config,
    description: data.get("description"),
    options: data.get("options") ?? {},
    local: data.get("local"),
    sealWrap: data.get("seal_wrap"),
    externalEntropy: data.get("external_entropy_access"),
    now: parts.now,
    tables: parts.tables,
  });
  if (mount === undefined) throw new Refusal(`plugin not found in the catalog: ${type}`);
  parts.mounts.put(mount);
}

/** Disables a mount; a missing one is a success too. @throws Refusal for built-in mounts. */
export function disableMount(
  { mounts, tokens, leases }: MountParts,
  { kind, path }: { kind: MountKind; path: string },
): void {
  const wanted = withSlash(path);
  if (kind === "auth" && wanted === "token/") throw new Refusal("token credential backend cannot be disabled");
  const isAuth = mounts.all("auth").some((mount) => fullPath(mount) === wanted);
  if (kind === "secret" && (builtInMounts.has(wanted) || isAuth)) throw new Refusal(`cannot unmount "${wanted}"`);
  const mount = mounts.find(kind, wanted);
  if (mount === undefined) return;
  // From here on requests are refused, even if a lease that cannot be revoked keeps the mount.
  mounts.put({ ...mount, isTainted: true });
  leases.revokePrefix(fullPath(mount));
  tokens.revokeIssuedUnder(fullPath(mount));
  mounts.remove(mount);
}

export function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

function without(config: WireObject, names: readonly string[]): WireObject {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name)));
}

function supplied(config: WireObject | null): WireObject {
  return config ?? {};
}

interface WantedType {
  readonly kind: MountKind;
  readonly type: string;
  readonly options: Readonly<Record<string, string>>;
}

// Vault's own, which are not imitated.
const unsupportedTypes: Readonly<Record<MountKind, ReadonlySet<string>>> = {
  secret: new Set([
    ...["ad", "alicloud", "azure", "consul", "database", "gcp", "gcpkms", "generic", "keymgmt", "kmip", "kubernetes"],
    ...["kv", "kv-v1", "kv-v2", "ldap", "mongodbatlas", "nomad", "openldap", "pki", "rabbitmq", "ssh", "terraform"],
    ...["totp", "transform", "transit"],
  ]),
  auth: new Set([
    ...["alicloud", "azure", "cf", "gcp", "github", "kerberos", "kubernetes", "ldap", "oci", "okta", "radius", "saml"],
    "userpass",
  ]),
};

function refuseType({ kind, type, options }: WantedType): void {
  if (unsupportedTypes[kind].has(type)) {
    const what = kind === "auth" ? "auth method" : "secrets engine";
    throw new Refusal(`the ${what} "${type}" is not supported by the embedded server`, { status: 501 });
  }
  if (kind === "auth" && type === "token") throw new Refusal("token credential backend cannot be instantiated");
  if (singleTypes[kind].has(type)) throw new Refusal(`mount type of "${type}" is not mountable`);
  if (kind === "secret" && options["version"] !== undefined) {
    throw new Refusal(`secrets engine "${type}" does not allow setting a version`);
  }
}

// One path may not be a prefix of another: requests could not tell them apart.
function conflictingMount(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.find((mount) => path.startsWith(mount.path) || mount.path.startsWith(path));
}
