import { goDurationText } from "../framework/go-duration";

/** Vault's warning for a lifetime beyond the maximum; it drops the zero minutes and seconds (`768h`). */
export function cappedWarning(what: "TTL" | "period", { wanted, max }: { wanted: number; max: number }): string {
  const limit = `exceeded the effective max_ttl of "${shortDuration(max)}"`;
  return `${what} of "${shortDuration(wanted)}" ${limit}; ${what} value is capped accordingly`;
}

function shortDuration(seconds: number): string {
  return goDurationText(seconds)
    .replace(/(?<=m)0s$/, "")
    .replace(/(?<=h)0m$/, "");
}
