import type { LeaseTerms, LoginRenewal } from "../framework/backend";
import { Refusal } from "../framework/refusal";
import { leaseLifetime } from "./lifetime";
import { type Mount, mountView } from "./mount-table";
import type { TokenEntry } from "./token-store";

export interface Renewal {
  /** 0 asks for the last lifetime. */
  readonly incrementSeconds: number;
  /** Where the token was issued. */
  readonly mount: Mount;
  readonly now: Date;
  /** Of the request. */
  readonly clientCertificates: LoginRenewal["clientCertificates"];
}

/** The token with its new end. @throws Refusal or Failure when it cannot be renewed. */
export function renewToken(
  entry: TokenEntry,
  { incrementSeconds, mount, now, clientCertificates }: Renewal,
): { entry: TokenEntry; warnings: string[] } {
  if (entry.type === "batch") throw new Refusal("batch tokens cannot be renewed");
  // A token that never expires has no lease.
  if (entry.expiresMs === undefined) throw new Refusal("invalid lease ID");
  if (!entry.renewable) throw new Refusal("lease is not renewable");
  const { seconds, warnings } = leaseLifetime({
    terms: renewalTerms(entry, mount, clientCertificates),
    incrementSeconds,
    explicitMaxSeconds: entry.explicitMaxSeconds,
    mount: mountView(mount),
    issuedMs: entry.createdMs,
    now,
  });
  const renewedMs = now.getTime();
  return { entry: { ...entry, ttlSeconds: seconds, renewedMs, expiresMs: renewedMs + seconds * 1000 }, warnings };
}

/** A role may have changed since it issued the token; a token of the token store keeps its own terms. */
function renewalTerms(
  { loginRole, loginInternal: internal = {}, meta, policies, ttlSeconds, periodSeconds }: TokenEntry,
  { backend }: Mount,
  clientCertificates: LoginRenewal["clientCertificates"],
): LeaseTerms {
  const renewal = { internal, metadata: meta ?? {}, policies, clientCertificates };
  const ofRole = loginRole === undefined ? undefined : backend.renewalTerms?.(loginRole, renewal);
  return ofRole ?? { ttlSeconds, periodSeconds, maxSeconds: 0 };
}
