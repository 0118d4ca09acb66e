import { goDurationText } from "../framework/go-duration";
import { systemLeaseSeconds } from "./mount-table";

/** Vault's warning for a lifetime beyond the maximum; it drops the zero minutes and seconds (`768h`). */
export function cappedWarning(wantedSeconds: number): string {
  const [wanted, max] = [wantedSeconds, systemLeaseSeconds].map(shortDuration);
  return `TTL of "${wanted}" exceeded the effective max_ttl of "${max}"; TTL value is capped accordingly`;
}

function shortDuration(seconds: number): string {
  return goDurationText(seconds)
    .replace(/(?<=m)0s$/, "")
    .replace(/(?<=h)0m$/, "");
}
