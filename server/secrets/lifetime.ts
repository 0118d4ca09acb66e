import type { LeaseTerms, MountView } from "../framework/backend";
import { goDurationText } from "../framework/go-duration";
import { Failure } from "../framework/refusal";

export interface Lifetime {
  readonly terms: LeaseTerms;
  /** Seconds asked for by a renewal; 0 asks for that of the terms. */
  readonly incrementSeconds?: number;
  /** 0 for no cap. */
  readonly explicitMaxSeconds: number;
  readonly mount: Pick<MountView, "defaultLeaseSeconds" | "maxLeaseSeconds">;
  readonly issuedMs: number;
  readonly now: Date;
}

/**
 * How long a token lives from now on: the period alone, or the increment or TTL as far as the smallest maximum goes from the
 * time of issue on. @throws Failure when nothing is left.
 */
export function leaseLifetime(lifetime: Lifetime): { seconds: number; warnings: string[] } {
  const { terms, incrementSeconds = 0, explicitMaxSeconds, mount } = lifetime;
  const max = Math.min(...[mount.maxLeaseSeconds, terms.maxSeconds, explicitMaxSeconds].filter((limit) => limit > 0));
  const isPeriodic = terms.periodSeconds > 0;
  const warnings: string[] = [];
  if (isPeriodic && terms.periodSeconds > max) {
    warnings.push(cappedWarning("period", { wanted: terms.periodSeconds, max }));
  }
  const wanted = isPeriodic
    ? Math.min(terms.periodSeconds, max)
    : incrementSeconds || terms.ttlSeconds || mount.defaultLeaseSeconds;
  // A period has no end of its own.
  const left =
    isPeriodic && explicitMaxSeconds === 0 ? wanted : secondsUpTo(isPeriodic ? explicitMaxSeconds : max, lifetime);
  if (left <= 0) throw new Failure("past the max TTL, cannot renew");
  if (wanted > left) warnings.push(cappedWarning("TTL", { wanted, max: left }));
  return { seconds: Math.min(wanted, left), warnings };
}

function secondsUpTo(max: number, { issuedMs, now }: Lifetime): number {
  return max - (Math.floor(now.getTime() / 1000) - Math.floor(issuedMs / 1000));
}

/** Vault's warning for a lifetime beyond the maximum; it drops the zero minutes and seconds (`768h`). */
function cappedWarning(what: "TTL" | "period", { wanted, max }: { wanted: number; max: number }): string {
  const limit = `exceeded the effective max_ttl of "${shortDuration(max)}"`;
  return `${what} of "${shortDuration(wanted)}" ${limit}; ${what} value is capped accordingly`;
}

function shortDuration(seconds: number): string {
  return goDurationText(seconds)
    .replace(/(?<=m)0s$/, "")
    .replace(/(?<=h)0m$/, "");
}
