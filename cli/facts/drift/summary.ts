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
  const words = (what: string, why: string, those: (list: UnlistedCollection) => boolean | undefined) => {
    const paths = unlisted.filter(those).map(({ path }) => path);
    return paths.length === 0 ? [] : [`${what}: ${firstOf(paths)} (${why})`];
  };
  return [
    ...words("not listed", "the token may not see all of it", ({ refused, single }) => refused && !single),
    ...words("not read", "the token may not see it", ({ refused, single }) => refused && single),
    ...words("not listed", "the server cannot list it", ({ unsupported }) => unsupported),
  ];
}

/** Lists of which it is not known what they have. */
export function failedLists({ unlisted = [] }: Pick<DriftReport, "unlisted">): readonly UnlistedCollection[] {
  return unlisted.filter(({ refused, unsupported }) => !refused && !unsupported);
}

/** What was to be done with it. */
export const verbOf = ({ single }: UnlistedCollection) => (single ? "read" : "listed");

const WORDS = {
  none: "No drift",
  drift: "Drift",
  unknown: "Incomplete, drift cannot be ruled out",
} as const;
