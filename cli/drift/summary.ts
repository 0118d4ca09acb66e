import type { DriftReport } from "./report";

/** The report in one line: the result first. */
export function summaryLine({ stack, result, counts, notCompared }: DriftReport): string {
  const found = [
    [counts.changed, "changed"],
    [counts.missing, "missing"],
    [counts.unmanaged, "unmanaged"],
    [counts.unknown, "could not be read"],
    [counts.ignored, "ignored"],
    [counts.unverifiable, counts.unverifiable === 1 ? "value cannot be verified" : "values cannot be verified"],
  ] as const;
  const parts = found.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const of = `${counts.resources} ${counts.resources === 1 ? "resource" : "resources"}`;
  return `${WORDS[result]}${stack === undefined ? "" : ` in ${stack}`}: ${[of, ...parts].join(", ")}${notCompared === undefined ? "" : `; ${notCompared}`}`;
}

const WORDS = {
  none: "No drift",
  drift: "Drift",
  unknown: "Incomplete, drift cannot be ruled out",
} as const;
