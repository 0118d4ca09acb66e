import type { Tables } from "../data/tables";
import { createStorage, type Storage } from "../framework/storage";
import { createIdentityBackend } from "../identity/identity-backend";
import { createIdentityStore, type IdentityStore } from "../identity/identity-store";
import type { SecretsProfile } from "../profiles/secrets-profile";
import { type EngineCatalog, mountFromCatalog, storageOf } from "../sys/engine-catalog";
import type { NamespaceBook } from "../sys/namespace-paths";
import { createSystemBackend } from "../sys/system-backend";
import type { CoreParts } from "./core";
import { createLeaseStore, type LeaseStore } from "./lease-store";
import {
  createMount,
  createMountTable,
  fullPath,
  type Mount,
  type MountRecord,
  type MountTable,
  type NewMount,
} from "./mount-table";
import { createPolicyStore, type PolicyStore } from "./policy-store";
import type { AccessOf } from "./token-access";
import { createTokenBackend } from "./token-paths";
import type { TokenStore } from "./token-store";

export interface NamespaceOptions {
  readonly profile: SecretsProfile;
  readonly catalog: EngineCatalog;
  /** What is mounted at the first start. */
  readonly mounts: readonly Pick<Mount, "kind" | "path" | "type">[];
  readonly now: () => Date;
  readonly tables: Tables;
  readonly tokens: TokenStore;
  /** What a token may do here, which may be of another namespace. */
  readonly accessOf: AccessOf;
  /** Its children; undefined where the product has no namespaces. */
  readonly children: NamespaceBook | undefined;
}

/** One namespace: its mounts, policies, identities and leases. The tokens are those of the whole server. */
export interface Namespace {
  readonly core: CoreParts;
  catchUp(): void;
  /** Every stored record by its storage path, write-only values included. */
  records(): Record<string, unknown>;
}

export function createNamespace(options: NamespaceOptions): Namespace {
  const { profile, catalog, now, tables, tokens, accessOf, children } = options;
  const records = tables.open<MountRecord>("secrets/mounts");
  const mountedBefore = [...records.values()];
  const mounts = createMountTable(records);
  const policies = createPolicyStore({
    profile: profile.policies,
    now,
    texts: tables.open("secrets/policies"),
    settings: tables.open("secrets/policy-settings"),
  });
  const leases = createLeaseStore({ mounts, tokens, now, leases: tables.open("secrets/leases") });
  const identityStorage = storageOf(tables, "identity");
  const identities = createIdentityStore({ storage: identityStorage, now });
  putBuiltInMounts(
    { mounts, tokens, policies, identities, leases },
    { catalog, profile, identityStorage, now, tables, mountedBefore, accessOf, children },
  );
  const isBuiltIn = ({ uuid }: MountRecord) => allMounts(mounts).some((mount) => mount.uuid === uuid);
  const others = mountedBefore.length === 0 ? options.mounts : mountedBefore.filter((record) => !isBuiltIn(record));
  for (const wanted of others) {
    const mount = mountFromCatalog(catalog, { ...wanted, now, tables });
    if (mount === undefined) throw new Error(`no engine of type "${wanted.type}" to mount at ${wanted.path}`);
    mounts.put(mount);
  }
  return {
    core: { mounts, tokens, policies, identities, leases, now, profile, accessOf },
    catchUp() {
      for (const { backend } of allMounts(mounts)) backend.runDue?.();
      leases.endDue();
    },
    records: () => ({ ...storedRecords(mounts), ...settingRecords({ mounts, policies, identities }) }),
  };
}

interface Parts {
  readonly mounts: MountTable;
  readonly tokens: TokenStore;
  readonly policies: PolicyStore;
  readonly identities: IdentityStore;
  readonly leases: LeaseStore;
}

interface BuiltIn extends Pick<NamespaceOptions, "accessOf" | "children"> {
  readonly catalog: EngineCatalog;
  readonly identityStorage: Storage;
  readonly now: () => Date;
  readonly profile: SecretsProfile;
  readonly tables: Tables;
  readonly mountedBefore: readonly MountRecord[];
}

/** The rows that every Vault shows; cubbyhole is listed but holds no paths here. */
function putBuiltInMounts(parts: Parts, { mountedBefore, profile, identityStorage, now, ...others }: BuiltIn): void {
  const { mounts, identities } = parts;
  const { name: productName, runningVersions, lacks } = profile;
  const put = (given: NewMount) => {
    const before = mountedBefore.find(({ kind, path }) => kind === given.kind && path === given.path);
    mounts.put(createMount({ ...given, ...before }));
  };
  const builtIn = {
    runningVersion: runningVersions.builtin,
    options: null,
    storage: createStorage(),
    backend: { paths: [] },
  };
  const empty = { defaultLeaseSeconds: 0, maxLeaseSeconds: 0, forceNoCache: false, listingVisibility: "" };
  put({
    ...builtIn,
    kind: "secret",
    path: "cubbyhole/",
    type: "cubbyhole",
    description: "per-token private secret storage",
    local: true,
    backend: { paths: [], unsupported: [".*"] },
  });
  put({
    ...builtIn,
    kind: "secret",
    path: "identity/",
    type: "identity",
    description: "identity store",
    storage: identityStorage,
    backend: createIdentityBackend({ identities, mounts, profile: profile.identity, now }),
    config: { ...empty, lists: { passthrough_request_headers: ["Authorization"] } },
  });
  put({
    ...builtIn,
    kind: "secret",
    path: "sys/",
    type: "system",
    description: "system endpoints used for control, policy and debugging",
    sealWrap: true,
    config: { ...empty, lists: { passthrough_request_headers: ["Accept"] } },
    backend: createSystemBackend({
      ...parts,
      ...others,
      lacking: lacks.mounts ?? [],
      keepsPolicySettings: profile.policies.keepsSettings,
      productName,
      now,
    }),
  });
  put({
    ...builtIn,
    kind: "auth",
    path: "token/",
    type: "token",
    description: "token based credentials",
    backend: createTokenBackend({ ...parts, now }),
  });
}

function allMounts(mounts: MountTable): readonly Mount[] {
  return [...mounts.all("secret"), ...mounts.all("auth")];
}

function storedRecords(mounts: MountTable): Record<string, unknown> {
  const entries = allMounts(mounts).flatMap((mount) =>
    Object.entries(mount.storage.entries()).map(([path, record]) => [`${fullPath(mount)}${path}`, record] as const),
  );
  return Object.fromEntries(entries);
}

// Without random values (accessor, uuid), so that the records of two servers can be compared.
function settingRecords({
  mounts,
  policies,
  identities,
}: Pick<Parts, "mounts" | "policies" | "identities">): Record<string, unknown> {
  const settings = allMounts(mounts).map((mount) => {
    const { kind, path, type, description, options, config, local, sealWrap, pluginVersion } = mount;
    const place = kind === "auth" ? "sys/auth/" : "sys/mounts/";
    const record = { type, description, options, config, local, sealWrap };
    return [`${place}${path}`, pluginVersion === undefined ? record : { ...record, pluginVersion }] as const;
  });
  const texts = policies.names().map((name) => [`sys/policies/acl/${name}`, policies.text(name)] as const);
  // What a group has as members is kept with those.
  const groups = identities
    .groups()
    .map((group) => [`identity/group/name/${group.name}`, { ...group, memberGroups: identities.memberGroups(group) }]);
  return Object.fromEntries([...settings, ...texts, ...groups]);
}
