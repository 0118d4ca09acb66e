/** A time as Go prints RFC 3339 with nanoseconds: UTC as `Z`, trailing zeros of the fraction dropped. */
export function rfc3339(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, "Z");
}
