import { randomBytes, randomUUID } from "node:crypto";
import { createMemoryTables, lastGiven, madeOnce, type Table, type Tables } from "../data/tables";
import type { Exchange } from "../http/exchange";
import type { SecretsProfile } from "../profiles/secrets-profile";
import type { EngineCatalog } from "../sys/engine-catalog";
import { statusDocuments } from "../sys/status-documents";
import type { Mount } from "./mount-table";
import { openNamespaces } from "./namespaces";
import { secretsExchange } from "./secrets-exchange";
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
  const { profile, catalog, mounts } = options;
  const now = options.now ?? (() => new Date());
  const tables = options.tables ?? createMemoryTables();
  const identifiers = tables.open<string>("secrets/identifiers");
  const { tokenPrefixes: prefixes } = profile.transport;
  const tokens = createTokenStore({ now, prefixes, entries: tables.open("secrets/tokens") });
  const rootToken = keptRootToken(identifiers, { tokens, now, given: options.rootToken });
  const namespaces = openNamespaces({ profile, catalog, mounts, now, tables, tokens });
  const seal: Table<boolean> = tables.open("secrets/seal");
  const isSealed = () => seal.get("isSealed") ?? false;
  const catchUp = () => {
    if (isSealed()) return;
    for (const namespace of namespaces.all()) namespace.catchUp();
    tokens.forgetExpired();
  };
  catchUp();
  const clusterName = madeOnce(identifiers, "clusterName", () => `vault-cluster-${randomBytes(4).toString("hex")}`);
  const clusterId = madeOnce(identifiers, "clusterId", randomUUID);
  const status = { profile, clusterName, clusterId, isSealed, now };
  return {
    exchange: secretsExchange({ namespaces, profile, catchUp, isSealed, documents: statusDocuments(status) }),
    rootToken,
    seal: () => void seal.set("isSealed", true),
    unseal: () => void seal.set("isSealed", false),
    catchUp,
    records: () => namespaces.root.records(),
  };
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
