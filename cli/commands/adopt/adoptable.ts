import { reasonAgainst } from "../../../provider/hosts/terraform/table";
import { type Found, type FoundRecord, keyOf, titleOf } from "../../sources/servers/found-record";
import type { AdoptFlags } from "./adopt-flags";
import { isKeptByTerraform } from "./hcl-text";
import { sayableInYaml } from "./yaml";

/** What a program can take over. The dynamic classes cannot import, and must not issue anything. */
export function adoptable(whole: Found, { classes, language }: Pick<AdoptFlags, "classes" | "language">): Found {
  const found = sifted(whole, (record) => brokenBy(language, record));
  if (language === "hcl") return takenByTerraform(found);
  if (language === "yaml") return sayableInYaml(found);
  if (language !== "typescript") return wellFormed(found);
  if (classes === "plugin") return found;
  return sifted(found, (record) => {
    if (record.odd !== undefined) return `the dynamic classes refuse it (${record.odd}); --classes plugin imports it`;
    return issuesAnew(record)
      ? "the dynamic classes would have the server issue a new token; --classes plugin imports it"
      : undefined;
  });
}

/** Whether a first update issues something, although the record is there. */
function issuesAnew({ definition: { update, adopt } }: FoundRecord): boolean {
  return update.mints === true && adopt?.isDone === undefined;
}

/** Members that get lost on the way to the provider, or that break a program: Pulumi's SDK for Node.js makes a text of every object. */
function brokenBy(language: AdoptFlags["language"], { values }: FoundRecord): string | undefined {
  const names = language === "typescript" ? BROKEN_IN_NODE : BROKEN;
  const found = Object.keys(values).flatMap((property) =>
    names.flatMap(([name, why]) =>
      hasMember(values[property], name) ? [`a member of ${property} is called ${name}, which ${why}`] : [],
    ),
  );
  return found[0];
}

const BROKEN = [["__proto__", "gets lost on the way"]] as const;
const BROKEN_IN_NODE = [...BROKEN, ["toString", "breaks a program of Node.js: another --language takes it"]] as const;

/** A JSON document is written as an object. */
function hasMember(value: unknown, name: string): boolean {
  if (typeof value === "string") return value.startsWith("{") && value.includes(`"${name}"`);
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, name) || Object.values(value).some((member) => hasMember(member, name));
}

/** Half of a character is a text of JavaScript and of JSON, and of no other language. */
function wellFormed(found: Found): Found {
  return sifted(found, ({ values }) =>
    hasOnly(values, (text) => text.isWellFormed()) ? undefined : "a text of it is no valid Unicode",
  );
}

function takenByTerraform(found: Found): Found {
  return sifted(found, ({ definition, values, odd }) => {
    const reason = reasonAgainst(definition);
    if (reason !== undefined) return `Terraform does not get it: ${reason}`;
    // A configuration is validated before anything is known of the record.
    if (odd !== undefined) return `Terraform refuses it in a configuration: ${odd}`;
    if (hasOnly(values, isKeptByTerraform)) return undefined;
    return "Terraform would change a text of it: it keeps texts in Unicode's composed form (NFC)";
  });
}

/** The records without those for which there is a reason. */
function sifted(found: Found, reasonOf: (record: FoundRecord) => string | undefined): Found {
  const reasons = found.records.map((record) => ({ record, reason: reasonOf(record) }));
  const leftOut = reasons.flatMap(({ record, reason }) =>
    reason === undefined ? [] : [{ what: titleOf(record), reason, key: keyOf(record) }],
  );
  const records = reasons.flatMap(({ record, reason }) => (reason === undefined ? [record] : []));
  return { ...found, records, leftOut: [...found.leftOut, ...leftOut] };
}

/** Whether all texts in it, names of members too, are such. */
function hasOnly(values: unknown, isSuch: (text: string) => boolean): boolean {
  let areAll = true;
  JSON.stringify(values, (name, value: unknown) => {
    areAll &&= isSuch(name) && (typeof value !== "string" || isSuch(value));
    return value;
  });
  return areAll;
}
