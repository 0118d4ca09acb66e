import { Refusal } from "../framework/refusal";
import { cappedWarning } from "./capped-lifetime";
import { systemLeaseSeconds } from "./mount-table";
import type { TokenEntry } from "./token-store";

export interface Renewal {
  /** 0 asks for the lifetime of the last time. */
  readonly incrementSeconds: number;
  readonly now: Date;
}

/** The token with its new end. @throws Refusal when it cannot be renewed (reference 5.3). */
export function renewToken(
  entry: TokenEntry,
  { incrementSeconds, now }: Renewal,
): { entry: TokenEntry; warnings: string[] } {
  if (entry.type === "batch") throw new Refusal("batch tokens cannot be renewed");
  // A token without an end has no lease.
  if (entry.expiresMs === undefined) throw new Refusal("invalid lease ID");
  if (!entry.renewable) throw new Refusal("lease is not renewable");
  const wanted = entry.periodSeconds || incrementSeconds || entry.ttlSeconds;
  const max = entry.explicitMaxSeconds || systemLeaseSeconds;
  const left = Math.max(0, max - Math.floor((now.getTime() - entry.createdMs) / 1000));
  const seconds = entry.periodSeconds > 0 ? wanted : Math.min(wanted, left);
  const renewed = {
    ...entry,
    ttlSeconds: seconds,
    renewedMs: now.getTime(),
    expiresMs: now.getTime() + seconds * 1000,
  };
  return { entry: renewed, warnings: wanted > seconds ? [cappedWarning("TTL", { wanted, max })] : [] };
}
