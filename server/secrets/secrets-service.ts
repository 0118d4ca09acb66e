import { randomBytes, randomUUID } from "node:crypto";
import { createMemoryTables, lastGiven, madeOnce, type Table, type Tables } from "../data/tables";
import { createStorage, type Storage } from "../framework/storage";
import type { Exchange } from "../http/exchange";
import { createIdentityBackend } from "../identity/identity-backend";
import { createIdentityStore, type IdentityStore } from "../identity/identity-store";
import type { SecretsProfile } from "../profiles/secrets-profile";
import { type EngineCatalog, mountFromCatalog, storageOf } from "../sys/engine-catalog";
import { statusDocuments } from "../sys/status-documents";
import { createSystemBackend } from "../sys/system-backend";
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
import { secretsExchange } from "./secrets-exchange";
import { createTokenBackend } from "./token-paths";
import { createTokenStore, randomName, type TokenStore } from "./token-store";

export interface SecretsServiceOptions {
  /** The product to imitate. */
  readonly profile: SecretsProfile;
  readonly catalog: EngineCatalog;
  /** What is mounted at the first start. */
  readonly mounts: readonly Pick<Mount, "kind" | "path" | "type">[];
  /** The token that may do everything. @default that of the last start, else a random one */
  readonly rootToken?: string | undefined;
  readonly now?: () => Date;
  readonly tables?: Tables;
}

export interface SecretsService {
  readonly exchange: Exchange;
  readonly rootToken: string;
  seal(): void;
  unseal(): void;
  /** Does the work that is due by the clock, unless it is sealed. */
  catchUp(): void;
  /** Every stored record by its storage path, write-only values included. */
  records(): Record<string, unknown>;
}

/** A Vault-like server. */
export function createSecretsService(options: SecretsServiceOptions): SecretsService {
  const { profile } = options;
  const now = options.now ?? (() => new Date());
  const tables = options.tables ?? createMemoryTables();
  const identifiers = tables.open<string>("secrets/identifiers");
  const records = tables.open<MountRecord>("secrets/mounts");
  const mountedBefore = [...records.values()];
  const mounts = createMountTable(records);
  const { tokenPrefixes: prefixes } = profile.transport;
  const tokens = createTokenStore({ now, prefixes, entries: tables.open("secrets/tokens") });
  const policies = createPolicyStore({ profile: profile.policies, texts: tables.open("secrets/policies") });
  const leases = createLeaseStore({ mounts, tokens, now, leases: tables.open("secrets/leases") });
  const identityStorage = storageOf(tables, "identity");
  const identities = createIdentityStore({ storage: identityStorage, now });
  const rootToken = keptRootToken(identifiers, { tokens, now, given: options.rootToken });
  putBuiltInMounts(
    { mounts, tokens, policies, identities, leases },
    { catalog: options.catalog, profile, identityStorage, now, tables, mountedBefore },
  );
  const isBuiltIn = ({ uuid }: MountRecord) => allMounts(mounts).some((mount) => mount.uuid === uuid);
  const others = mountedBefore.length === 0 ? options.mounts : mountedBefore.filter((record) => !isBuiltIn(record));
  for (const wanted of others) {
    const mount = mountFromCatalog(options.catalog, { ...wanted, now, tables });
    if (mount === undefined) throw new Error(`no engine of type "${wanted.type}" to mount at ${wanted.path}`);
    mounts.put(mount);
  }
  const seal: Table<boolean> = tables.open("secrets/seal");
  const isSealed = () => seal.get("isSealed") ?? false;
  const catchUp = () => {
    if (isSealed()) return;
    for (const { backend } of allMounts(mounts)) backend.runDue?.();
    tokens.forgetExpired();
    leases.endDue();
  };
  catchUp();
  const clusterName = madeOnce(identifiers, "clusterName", () => `vault-cluster-${randomBytes(4).toString("hex")}`);
  const clusterId = madeOnce(identifiers, "clusterId", randomUUID);
  const status = { profile, clusterName, clusterId, isSealed, now };
  return {
    exchange: secretsExchange({
      core: { mounts, tokens, policies, identities, leases, now, profile },
      catchUp,
      isSealed,
      documents: statusDocuments(status),
    }),
    rootToken,
    seal: () => void seal.set("isSealed", true),
    unseal: () => void seal.set("isSealed", false),
    catchUp,
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

interface BuiltIn {
  readonly catalog: EngineCatalog;
  readonly identityStorage: Storage;
  readonly now: () => Date;
  readonly profile: SecretsProfile;
  readonly tables: Tables;
  readonly mountedBefore: readonly MountRecord[];
}

interface RootToken {
  readonly tokens: TokenStore;
  readonly now: () => Date;
  readonly given: string | undefined;
}

/** Another one than before takes its place; what that one has created stays. */
function keptRootToken(identifiers: Table<string>, { tokens, now, given }: RootToken): string {
  const before = identifiers.get("rootToken");
  const id = lastGiven(identifiers, "rootToken", { given, fallback: tokens.newId("service") });
  if (id === before) return id;
  if (before !== undefined) {
    tokens.releaseChildren(before);
    tokens.revoke(before);
  }
  tokens.put({
    id,
    accessor: randomName(24),
    policies: ["root"],
    path: "auth/token/root",
    meta: null,
    displayName: "root",
    usesLeft: 0,
    parent: undefined,
    createdMs: now().getTime(),
    creationTtlSeconds: 0,
    ttlSeconds: 0,
    explicitMaxSeconds: 0,
    periodSeconds: 0,
    expiresMs: undefined,
    renewedMs: undefined,
    renewable: false,
    type: "service",
    entityId: "",
    boundAddresses: [],
    loginRole: undefined,
  });
  return id;
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
    backend: createSystemBackend({ ...parts, ...others, lacking: lacks.mounts ?? [], productName, now }),
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
