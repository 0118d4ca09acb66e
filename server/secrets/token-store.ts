import { randomBytes } from "node:crypto";
import type { Table } from "../data/tables";
import type { Wrapped } from "../framework/backend";
import type { BoundAddress } from "../framework/bound-address";

export type TokenType = "service" | "batch";

/** A token as the store keeps it. Times are milliseconds since the epoch, lifetimes seconds; 0 means no end. */
export interface TokenEntry {
  readonly id: string;
  readonly accessor: string;
  readonly policies: readonly string[];
  /** The path that created it. */
  readonly path: string;
  readonly meta: Readonly<Record<string, string>> | null;
  readonly displayName: string;
  readonly usesLeft: number;
  readonly parent: string | undefined;
  readonly createdMs: number;
  readonly creationTtlSeconds: number;
  /** What a renewal without an increment asks for: the lifetime of creation, then that of the last renewal. */
  readonly ttlSeconds: number;
  readonly explicitMaxSeconds: number;
  readonly periodSeconds: number;
  readonly expiresMs: number | undefined;
  readonly renewedMs: number | undefined;
  readonly renewable: boolean;
  readonly type: TokenType;
  /** `""` for a token without an entity. */
  readonly entityId: string;
  /** Where it may be used from; empty for anywhere. */
  readonly boundAddresses: readonly BoundAddress[];
  /** The role that issued it, when the mount at `path` decides on its renewal. */
  readonly loginRole: string | undefined;
  /** The aliases of groups that the login named: a renewal puts its user into these, and into no other of the mount. */
  readonly loginGroups?: readonly string[];
  /** The namespace that issued it, with a trailing slash; that of the root where unset. */
  readonly namespace?: string;
  /** The answer that it is there for. */
  readonly wrapped?: Wrapped;
  /** What that mount has kept for the renewal. */
  readonly loginInternal?: Readonly<Record<string, string>>;
}

export interface TokenStore {
  /** The token if it is known and has not expired. */
  find(id: string): TokenEntry | undefined;
  findByAccessor(accessor: string): TokenEntry | undefined;
  put(entry: TokenEntry): void;
  /** A new random id. */
  newId(type: TokenType): string;
  /** Counts one use down; -1 left means that this request is the last. */
  spend(entry: TokenEntry): TokenEntry;
  /** Removes the token and everything that it created. */
  revoke(id: string): void;
  /** Makes orphans of what it created, so that they do not end with it. */
  releaseChildren(id: string): void;
  /** Revokes what was issued at or below a path. */
  revokeIssuedUnder(path: string, namespace?: string): void;
  accessors(): string[];
  /** Removes expired tokens. To clients they look like unknown ones. */
  forgetExpired(): void;
}

export interface TokenStoreOptions {
  readonly now: () => Date;
  readonly prefixes: Readonly<Record<TokenType, string>>;
  /** By the id of the token. */
  readonly entries?: Table<TokenEntry>;
}

export function createTokenStore({ now, prefixes, entries = new Map() }: TokenStoreOptions): TokenStore {
  // Every request asks what has expired: it must not scan every token. The first scan finds the next end.
  let soonestMs = Number.NEGATIVE_INFINITY;
  // The children of a token end with it.
  const isLive = ({ expiresMs, parent }: TokenEntry): boolean => {
    const maker = parent === undefined ? undefined : entries.get(parent);
    return (expiresMs === undefined || expiresMs > now().getTime()) && (maker === undefined || isLive(maker));
  };
  const store: TokenStore = {
    find: (id) => {
      const entry = entries.get(id);
      return entry !== undefined && isLive(entry) ? entry : undefined;
    },
    findByAccessor: (accessor) => {
      const found = Array.from(entries.values()).find((entry) => entry.accessor === accessor);
      return accessor !== "" && found !== undefined && isLive(found) ? found : undefined;
    },
    put: (entry) => {
      entries.set(entry.id, entry);
      soonestMs = Math.min(soonestMs, entry.expiresMs ?? Number.POSITIVE_INFINITY);
    },
    newId: (type) => `${prefixes[type]}${randomName(type === "batch" ? 160 : 24)}`,
    spend: (entry) => {
      if (entry.usesLeft === 0) return entry;
      // Vault counts the last use to -1 and shows that to the request itself; the core revokes it after.
      const spent = { ...entry, usesLeft: entry.usesLeft === 1 ? -1 : entry.usesLeft - 1 };
      entries.set(entry.id, spent);
      return spent;
    },
    revoke: (id) => {
      entries.delete(id);
      for (const entry of entries.values()) {
        if (entry.parent === id) store.revoke(entry.id);
      }
    },
    releaseChildren: (id) => {
      for (const entry of [...entries.values()]) {
        if (entry.parent === id) entries.set(entry.id, { ...entry, parent: undefined });
      }
    },
    revokeIssuedUnder: (path, namespace = "") => {
      for (const entry of entries.values()) {
        if (entry.path.startsWith(path) && (entry.namespace ?? "") === namespace) store.revoke(entry.id);
      }
    },
    accessors: () =>
      Array.from(entries.values())
        .filter(isLive)
        .map((entry) => entry.accessor)
        .filter(Boolean),
    forgetExpired: () => {
      if (soonestMs > now().getTime()) return;
      // All are checked before any is removed: a child without its parent would look like an orphan.
      const expired = Array.from(entries.values()).filter((entry) => !isLive(entry));
      for (const { id } of expired) entries.delete(id);
      soonestMs = Number.POSITIVE_INFINITY;
      for (const { expiresMs = soonestMs } of entries.values()) soonestMs = Math.min(soonestMs, expiresMs);
    },
  };
  store.forgetExpired();
  return store;
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random base-62 text, the form of Vault's token ids and accessors. */
export function randomName(length: number): string {
  let name = "";
  while (name.length < length) {
    for (const byte of randomBytes(length)) {
      // Bytes beyond the last whole multiple of 62 would favour the first letters.
      if (byte < 248 && name.length < length) name += alphabet[byte % 62];
    }
  }
  return name;
}
