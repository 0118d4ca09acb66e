// @ts-check

/**
 * A duration as a person says it: `0.4 s`, `12 s`, `5 min 03 s`.
 * @param {number} ms
 */
export function elapsed(ms) {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
