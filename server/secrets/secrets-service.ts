import { randomBytes, randomUUID } from "node:crypto";
import { createStorage, type Storage } from "../framework/storage";
import type { Exchange } from "../http/exchange";
import { createIdentityBackend } from "../identity/identity-backend";
import { createIdentityStore, type IdentityStore } from "../identity/identity-store";
import type { SecretsProfile } from "../profiles/secrets-profile";
import { type EngineCatalog, mountFromCatalog } from "../sys/engine-catalog";
import { statusDocuments } from "../sys/status-documents";
import { createSystemBackend } from "../sys/system-backend";
import { createLeaseStore, type LeaseStore } from "./lease-store";
import { createMount, createMountTable, fullPath, type Mount, type MountTable } from "./mount-table";
import { createPolicyStore, type PolicyStore } from "./policy-store";
import { secretsExchange } from "./secrets-exchange";
import { createTokenBackend } from "./token-paths";
import { createTokenStore, randomName, type TokenStore } from "./token-store";

export interface SecretsServiceOptions {
  /** What it passes for. */
  readonly profile: SecretsProfile;
  readonly catalog: EngineCatalog;
  /** What is mounted from the start. */
  readonly mounts: readonly Pick<Mount, "kind" | "path" | "type">[];
  readonly now?: () => Date;
}

export interface SecretsService {
  readonly exchange: Exchange;
  readonly rootToken: string;
  seal(): void;
  unseal(): void;
  /** Does what has become due by the clock, unless it is sealed. */
  catchUp(): void;
  /** Every stored record by its storage path, write-only values included. */
  records(): Record<string, unknown>;
}

/** A Vault-like server in memory. */
export function createSecretsService(options: SecretsServiceOptions): SecretsService {
  const now = options.now ?? (() => new Date());
  const { profile } = options;
  const [mounts, policies] = [createMountTable(), createPolicyStore()];
  const tokens = createTokenStore({ now, prefixes: profile.transport.tokenPrefixes });
  const leases = createLeaseStore({ mounts, tokens, now });
  const identityStorage = createStorage();
  const identities = createIdentityStore({ storage: identityStorage, now });
  const rootToken = putRootToken(tokens, now);
  putBuiltInMounts(
    { mounts, tokens, policies, identities, leases },
    { catalog: options.catalog, identityStorage, now, profile },
  );
  for (const wanted of options.mounts) {
    const mount = mountFromCatalog(options.catalog, { ...wanted, now });
    if (mount === undefined) throw new Error(`no engine of type "${wanted.type}" to mount at ${wanted.path}`);
    mounts.put(mount);
  }
  let sealed = false;
  const catchUp = () => {
    if (sealed) return;
    for (const { backend } of allMounts(mounts)) backend.runDue?.();
    leases.endDue();
  };
  const clusterName = `vault-cluster-${randomBytes(4).toString("hex")}`;
  const status = { profile, clusterName, clusterId: randomUUID(), isSealed: () => sealed, now };
  return {
    exchange: secretsExchange({
      core: { mounts, tokens, policies, identities, leases, now, profile },
      catchUp,
      isSealed: () => sealed,
      documents: statusDocuments(status),
    }),
    rootToken,
    seal: () => {
      sealed = true;
    },
    unseal: () => {
      sealed = false;
    },
    catchUp,
    records: () => ({ ...storedRecords(mounts), ...settingRecords({ mounts, policies }) }),
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
}

function putRootToken(tokens: TokenStore, now: () => Date): string {
  const id = tokens.newId("service");
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
function putBuiltInMounts(parts: Parts, { catalog, identityStorage, now, profile }: BuiltIn): void {
  const { mounts, tokens, policies, identities, leases } = parts;
  const { name: productName, runningVersions } = profile;
  const builtIn = {
    runningVersion: runningVersions.builtin,
    options: null,
    storage: createStorage(),
    backend: { paths: [] },
  };
  const empty = { defaultLeaseSeconds: 0, maxLeaseSeconds: 0, forceNoCache: false, listingVisibility: "" };
  mounts.put(
    createMount({
      ...builtIn,
      kind: "secret",
      path: "cubbyhole/",
      type: "cubbyhole",
      description: "per-token private secret storage",
      local: true,
    }),
  );
  mounts.put(
    createMount({
      ...builtIn,
      kind: "secret",
      path: "identity/",
      type: "identity",
      description: "identity store",
      storage: identityStorage,
      backend: createIdentityBackend({ identities, mounts, now }),
      config: { ...empty, lists: { passthrough_request_headers: ["Authorization"] } },
    }),
  );
  mounts.put(
    createMount({
      ...builtIn,
      kind: "secret",
      path: "sys/",
      type: "system",
      description: "system endpoints used for control, policy and debugging",
      sealWrap: true,
      config: { ...empty, lists: { passthrough_request_headers: ["Accept"] } },
      backend: createSystemBackend({ mounts, tokens, catalog, policies, leases, productName, now }),
    }),
  );
  mounts.put(
    createMount({
      ...builtIn,
      kind: "auth",
      path: "token/",
      type: "token",
      description: "token based credentials",
      backend: createTokenBackend({ ...parts, now }),
    }),
  );
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

// Without what is random (accessor, uuid), so that the records of two servers compare.
function settingRecords({ mounts, policies }: Pick<Parts, "mounts" | "policies">): Record<string, unknown> {
  const settings = allMounts(mounts).map(({ kind, path, type, description, options, config, local, sealWrap }) => {
    const place = kind === "auth" ? "sys/auth/" : "sys/mounts/";
    return [`${place}${path}`, { type, description, options, config, local, sealWrap }] as const;
  });
  const texts = policies.names().map((name) => [`sys/policies/acl/${name}`, policies.text(name)] as const);
  return Object.fromEntries([...settings, ...texts]);
}
