import type { Table } from "../data/tables";
import type { IssuedSecret, MountView, Reply, ShownLease } from "../framework/backend";
import { Failure, Refusal } from "../framework/refusal";
import { leaseLifetime } from "./lifetime";
import { type MountTable, mountView } from "./mount-table";
import { randomName, type TokenEntry, type TokenStore } from "./token-store";

export interface Lease {
  readonly id: string;
  /** The path of the request that made it; the mount of that path revokes the secret. */
  readonly path: string;
  readonly tokenId: string;
  readonly secret: IssuedSecret;
  readonly issuedMs: number;
  readonly expiresMs: number;
  readonly renewedMs: number | undefined;
  /** For an expired lease whose secret could not be revoked: the number of attempts, and the time of the next one. */
  readonly attempts: number;
  readonly retryMs: number;
}

export interface LeaseStore {
  find(id: string): Lease | undefined;
  ids(): readonly string[];
  isRenewable(lease: Lease): boolean;
  /** Gives the secret of a reply its lease. */
  register(reply: Reply, issue: { path: string; token: TokenEntry }): Reply;
  /** @throws Refusal */
  renew(id: string, incrementSeconds: number): { lease: ShownLease; warnings: string[] };
  /** Revokes secret and lease; a missing lease is no error. @throws Refusal when the secret cannot be revoked. */
  revoke(id: string): void;
  /** Revokes all leases below a path. `isForced` drops leases whose secrets cannot be revoked. @throws Refusal */
  revokePrefix(prefix: string, options?: { isForced?: boolean }): void;
  /** Revokes leases that have expired or whose token has ended. What the cloud refuses is tried again later. */
  endDue(): void;
}

const maxAttempts = 6;
const firstRetryMs = 10_000;

export interface LeaseParts {
  readonly mounts: MountTable;
  readonly tokens: TokenStore;
  readonly now: () => Date;
  /** By the id of the lease. */
  readonly leases: Table<Lease>;
}

export function createLeaseStore({ mounts, tokens, now, leases }: LeaseParts): LeaseStore {
  const nowMs = () => now().getTime();
  // Every request asks what is due: it must not scan every lease.
  let soonestMs = Number.POSITIVE_INFINITY;
  const leasesByToken = new Map<string, number>();

  const dueMs = ({ attempts, retryMs, expiresMs }: Lease) => {
    if (attempts >= maxAttempts) return Number.POSITIVE_INFINITY;
    return attempts > 0 ? retryMs : expiresMs;
  };

  const countFor = ({ tokenId }: Lease) => leasesByToken.set(tokenId, (leasesByToken.get(tokenId) ?? 0) + 1);
  const expect = (lease: Lease) => {
    soonestMs = Math.min(soonestMs, dueMs(lease));
  };
  for (const lease of leases.values()) {
    countFor(lease);
    expect(lease);
  }

  function put(lease: Lease): void {
    if (!leases.has(lease.id)) countFor(lease);
    leases.set(lease.id, lease);
    expect(lease);
  }

  function drop({ id, tokenId }: Lease): void {
    leases.delete(id);
    const left = (leasesByToken.get(tokenId) ?? 0) - 1;
    if (left > 0) leasesByToken.set(tokenId, left);
    else leasesByToken.delete(tokenId);
  }

  const isOrphaned = (tokenId: string) => tokens.find(tokenId) === undefined;

  const isDue = (lease: Lease) => dueMs(lease) <= nowMs() || (lease.attempts === 0 && isOrphaned(lease.tokenId));

  function endSecret({ path, secret, issuedMs }: Lease): void {
    try {
      mounts.route(path)?.backend.revokeSecret?.(secret, issuedMs);
    } catch (error) {
      const cause = error instanceof Error ? error.message : error;
      throw new Refusal(`failed to revoke entry: resp: (*logical.Response)(nil) err: ${cause}`);
    }
  }

  function lifetimeOf(path: string) {
    const mount = mounts.route(path);
    if (mount === undefined) throw new Refusal("unable to retrieve system view from router");
    return { mount: mountView(mount), backend: mount.backend };
  }

  /** The leases of a batch token end with it and cannot be renewed. */
  function cappedEnd(endMs: number, token: TokenEntry | undefined): number {
    return token?.type === "batch" && token.expiresMs !== undefined ? Math.min(endMs, token.expiresMs) : endMs;
  }

  const store: LeaseStore = {
    find: (id) => leases.get(id),
    ids: () => [...leases.keys()],
    isRenewable: ({ secret, attempts, expiresMs }) =>
      secret.isRenewable && attempts < maxAttempts && expiresMs >= nowMs(),

    register(reply, { path, token }) {
      if (reply.secret === undefined) return reply;
      const { secret } = reply;
      const issuedMs = nowMs();
      const { seconds, warnings } = lifetime(secret, { issuedMs, nowMs: issuedMs, mount: lifetimeOf(path).mount });
      const id = `${path}/${randomName(24)}`;
      const expiresMs = cappedEnd(issuedMs + seconds * 1000, token);
      const lease = { id, path, tokenId: token.id, secret, issuedMs, expiresMs, renewedMs: undefined };
      put({ ...lease, attempts: 0, retryMs: 0 });
      const shown = { id, seconds: Math.round((expiresMs - issuedMs) / 1000), isRenewable: secret.isRenewable };
      return { ...reply, lease: shown, warnings: [...(reply.warnings ?? []), ...warnings] };
    },

    renew(id, incrementSeconds) {
      const lease = leases.get(id);
      if (lease === undefined) throw new Refusal("lease not found");
      if (lease.attempts >= maxAttempts) {
        throw new Refusal("lease is expired and has failed previous revocation attempts");
      }
      if (lease.expiresMs < nowMs()) throw new Refusal("lease expired");
      if (!lease.secret.isRenewable) throw new Refusal("lease is not renewable");
      const { mount, backend } = lifetimeOf(lease.path);
      const secret = { ...lease.secret, ...backend.renewSecret?.(lease.secret) };
      const renewedMs = nowMs();
      const { issuedMs } = lease;
      const { seconds, warnings } = lifetime(secret, { issuedMs, nowMs: renewedMs, incrementSeconds, mount });
      const expiresMs = cappedEnd(renewedMs + seconds * 1000, tokens.find(lease.tokenId));
      put({ ...lease, secret, renewedMs, expiresMs });
      const shown = { id, seconds: Math.round((expiresMs - renewedMs) / 1000), isRenewable: secret.isRenewable };
      return { lease: shown, warnings };
    },

    revoke(id) {
      const lease = leases.get(id);
      if (lease === undefined) return;
      endSecret(lease);
      drop(lease);
    },

    revokePrefix(prefix, { isForced = false } = {}) {
      const isOne = leases.has(prefix);
      const folder = prefix.endsWith("/") ? prefix : `${prefix}/`;
      const found = isOne ? [prefix] : store.ids().filter((id) => id.startsWith(folder));
      for (const [at, id] of found.entries()) {
        const lease = leases.get(id);
        try {
          store.revoke(id);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          if (isForced && lease !== undefined) drop(lease);
          else
            throw new Refusal(
              `failed to revoke "${id}"${isOne ? "" : ` (${at + 1} / ${found.length})`}: ${error.message}`,
            );
        }
      }
    },

    endDue() {
      if (soonestMs > nowMs() && ![...leasesByToken.keys()].some(isOrphaned)) return;
      for (const lease of [...leases.values()].filter(isDue)) {
        try {
          store.revoke(lease.id);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const ended = { ...lease, expiresMs: Math.min(lease.expiresMs, nowMs()) };
          const retryMs = nowMs() + firstRetryMs * 2 ** lease.attempts;
          put({ ...ended, attempts: lease.attempts + 1, retryMs });
        }
      }
      soonestMs = Number.POSITIVE_INFINITY;
      for (const lease of leases.values()) expect(lease);
    },
  };
  return store;
}

interface Span {
  readonly issuedMs: number;
  readonly nowMs: number;
  /** What a renewal asks for. */
  readonly incrementSeconds?: number;
  readonly mount: Pick<MountView, "defaultLeaseSeconds" | "maxLeaseSeconds">;
}

/** How long a secret lives from now on. After its end the answer is a refusal; for a token it would be a failure. @throws Refusal */
function lifetime(secret: IssuedSecret, { issuedMs, nowMs, incrementSeconds = 0, mount }: Span) {
  const terms = { ttlSeconds: secret.ttlSeconds, maxSeconds: secret.maxTtlSeconds, periodSeconds: 0 };
  try {
    return leaseLifetime({ terms, incrementSeconds, explicitMaxSeconds: 0, mount, issuedMs, now: new Date(nowMs) });
  } catch (failure) {
    throw failure instanceof Failure ? new Refusal(failure.message) : failure;
  }
}
