import type { AdoptFlags } from "./adopt-flags";
import { type Found, type FoundRecord, type NotAdopted, titleOf } from "./found-record";
import { sayableInYaml } from "./yaml";

/** What a program can take over. The dynamic classes cannot import, and must not issue anything. */
export function adoptable(found: Found, { classes, language }: Pick<AdoptFlags, "classes" | "language">): Found {
  if (language === "yaml") return sayableInYaml(found);
  if (language !== "typescript") return wellFormed(found);
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

/** Half of a character is a text of JavaScript and of JSON, and of no other language. */
function wellFormed(found: Found): Found {
  const [records, broken] = [found.records.filter(isWellFormed), found.records.filter((each) => !isWellFormed(each))];
  const leftOut = broken.map((record) => ({ what: titleOf(record), reason: "a text of it is no valid Unicode" }));
  return { ...found, records, leftOut: [...found.leftOut, ...leftOut] };
}

function isWellFormed({ values }: FoundRecord): boolean {
  let isWhole = true;
  JSON.stringify(values, (name, value: unknown) => {
    isWhole &&= name.isWellFormed() && (typeof value !== "string" || value.isWellFormed());
    return value;
  });
  return isWhole;
}
