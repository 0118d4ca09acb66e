/** HCP Terraform allows each user, or each address without a token, thirty requests a second. */
export const usualRequestsPerSecond = 30;

export interface RateUse {
  readonly headers: Record<string, string>;
  readonly exceeded: boolean;
}

export interface RateLimit {
  readonly requestsPerSecond: number;
  readonly clock: () => Date;
}

/** Counts the requests of each caller in windows of one second. */
export function createRateWindow({ requestsPerSecond, clock }: RateLimit): (caller: string) => RateUse {
  const used = new Map<string, number>();
  let windowStart = Number.NEGATIVE_INFINITY;

  return (caller) => {
    const now = clock().getTime();
    if (now - windowStart >= 1000) {
      windowStart = now;
      used.clear();
    }
    const count = (used.get(caller) ?? 0) + 1;
    used.set(caller, count);
    return {
      exceeded: count > requestsPerSecond,
      headers: {
        "x-ratelimit-limit": String(requestsPerSecond),
        "x-ratelimit-remaining": String(Math.max(requestsPerSecond - count, 0)),
        // Fractional seconds, not an epoch; a Go client ends its process over anything but a plain decimal.
        "x-ratelimit-reset": ((windowStart + 1000 - now) / 1000).toFixed(3),
      },
    };
  };
}
