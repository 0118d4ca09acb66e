import type { AdoptFlags } from "./adopt-flags";
import { type Found, type FoundRecord, type NotAdopted, titleOf } from "./found-record";
import { sayableInYaml } from "./yaml";

/** What a program can take over. The dynamic classes cannot import, and must not issue anything. */
export function adoptable(found: Found, { classes, language }: Pick<AdoptFlags, "classes" | "language">): Found {
  if (language === "yaml") return sayableInYaml(found);
  if (classes === "plugin") return found;
  const leftOut = found.records.filter(issuesAnew).map(
    (record): NotAdopted => ({
      what: titleOf(record),
      reason: "the dynamic classes would have the server issue a new token; --classes plugin imports it",
    }),
  );
  const records = found.records.filter((record) => !issuesAnew(record));
  return { ...found, records, leftOut: [...found.leftOut, ...leftOut] };
}

/** Whether a first update issues something, although the record is there. */
function issuesAnew({ definition: { update, adopt } }: FoundRecord): boolean {
  return update.mints === true && adopt?.isDone === undefined;
}
