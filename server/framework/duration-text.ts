const subSecondUnits = [
  { name: "ns", nanoseconds: 1n },
  { name: "µs", nanoseconds: 1_000n },
  { name: "ms", nanoseconds: 1_000_000n },
] as const;
const second = 1_000_000_000n;

/** A duration as Go prints it: `24h0m0s`, `1.5s`, `100µs`, `0s`. */
export function durationText(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${durationText(-nanoseconds)}`;
  if (nanoseconds === 0n) return "0s";
  if (nanoseconds < second) {
    const unit = subSecondUnits.findLast((candidate) => nanoseconds >= candidate.nanoseconds) ?? subSecondUnits[0];
    return `${decimalText(nanoseconds, unit.nanoseconds)}${unit.name}`;
  }
  const minutes = nanoseconds / (60n * second);
  const seconds = `${decimalText(nanoseconds % (60n * second), second)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimalText(value: bigint, unit: bigint): string {
  const digits = String(unit).length - 1;
  const fraction = String(value % unit)
    .padStart(digits, "0")
    .replace(/0+$/, "");
  return digits === 0 || fraction === "" ? String(value / unit) : `${value / unit}.${fraction}`;
}
