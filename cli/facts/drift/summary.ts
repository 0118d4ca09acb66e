import { firstOf } from "../../text/lists";
import type { DriftReport, UnlistedCollection } from "./report";

/** The report in one line: the result first. */
export function summaryLine({ stack, result, counts, notLookedAt = [] }: DriftReport): string {
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
  return `${WORDS[result]}${stack === undefined ? "" : ` in ${stack}`}: ${[[of, ...parts].join(", "), ...notLookedAt].join("; ")}`;
}

/** Where nobody looked for records that the stack does not manage, in words. */
export function notListed(unlisted: readonly UnlistedCollection[]): readonly string[] {
  const words = (paths: readonly UnlistedCollection[], why: string) =>
    paths.length === 0 ? [] : [`not listed: ${firstOf(paths.map(({ path }) => path))} (${why})`];
  return [
    ...words(
      unlisted.filter(({ refused }) => refused),
      "the token may not see all of it",
    ),
    ...words(
      unlisted.filter(({ unsupported }) => unsupported),
      "the server cannot list it",
    ),
  ];
}

/** Lists of which it is not known what they have. */
export function failedLists({ unlisted = [] }: Pick<DriftReport, "unlisted">): readonly UnlistedCollection[] {
  return unlisted.filter(({ refused, unsupported }) => !refused && !unsupported);
}

const WORDS = {
  none: "No drift",
  drift: "Drift",
  unknown: "Incomplete, drift cannot be ruled out",
} as const;
