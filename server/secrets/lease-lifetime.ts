import { Refusal } from "../framework/refusal";
import { cappedWarning } from "./capped-lifetime";

export interface LeaseLifetime {
  readonly nowMs: number;
  /** When the lease began, for a renewal. */
  readonly issuedMs: number;
  /** What the caller asks for; 0 for nothing in particular. */
  readonly incrementSeconds: number;
  readonly ttlSeconds: number;
  readonly maxTtlSeconds: number;
  readonly mount: { readonly defaultLeaseSeconds: number; readonly maxLeaseSeconds: number };
}

/** How long a lease lives from now on, as Vault computes it. @throws Refusal past its maximum. */
export function leaseLifetime(asked: LeaseLifetime): { seconds: number; warnings: string[] } {
  const { mount, incrementSeconds, ttlSeconds, maxTtlSeconds } = asked;
  const max = maxTtlSeconds > 0 ? Math.min(maxTtlSeconds, mount.maxLeaseSeconds) : mount.maxLeaseSeconds;
  const wanted = [incrementSeconds, ttlSeconds].find((seconds) => seconds > 0) ?? mount.defaultLeaseSeconds;
  const left = max - (Math.floor(asked.nowMs / 1000) - Math.floor(asked.issuedMs / 1000));
  if (left <= 0) throw new Refusal("past the max TTL, cannot renew");
  if (wanted <= left) return { seconds: wanted, warnings: [] };
  return { seconds: left, warnings: [cappedWarning("TTL", { wanted, max: left })] };
}
