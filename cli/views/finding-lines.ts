import type { Finding, LintResult, Silencing, Unchecked } from "../facts/lint/lint";
import { firstOf } from "../text/lists";
import { codeSpan } from "../text/markdown";
import { shortLine, visibleLine } from "../text/visible-text";
import { rulePlace } from "./lint/rule-help";

const LONGEST = 200;

/** A note as a line of Markdown. */
export function findingLine({ class: type, name, property, what, rule, severity, why, records }: Finding): string {
  const place = `${codeSpan(type)} ${span(name)} ${span(property)}`;
  const [said, quoted] = [what.replace(/".*$/s, ""), /".*$/s.exec(what)?.[0]];
  return `* ${place} ${said}${quoted === undefined ? "" : span(quoted)}${inRecords(records, span)}: ${why}. (${severity}: ${codeSpan(rule)})`;
}

/** An exception and the number of notes that it silences, as a line of Markdown. */
export function silencingLine({ notes, rule, resource, reason, expires }: Silencing, origin: string): string {
  return `* ${notes} by ${span(rule)} for ${span(resource)}: ${span(reason)}, until ${expires}${origin}`;
}

const WHY: Readonly<Record<Unchecked["why"], string>> = {
  secret: "the program keeps it secret",
  unknown: "it is known after the update only",
};

/** The properties that no rule can check, as a line of Markdown. */
export function uncheckedLine({ class: type, name, properties, why }: Unchecked): string {
  return `* ${codeSpan(type)} ${span(name)}: ${span(firstOf(properties))} cannot be checked: ${WHY[why]}.`;
}

/** The result for a terminal: one line a note, those of a resource together. */
export function lintText({ findings, silencedBy, silenced, unchecked, idle }: LintResult, looked: number): string {
  const notes = findings.map(
    ({ class: type, name, property, what, rule, severity, why, records }) =>
      `${severity}: ${visibleLine(`${type} ${name}: ${property} ${what}${inRecords(records, (names) => names)}`)}\n    ${why}. [${rule}: ${rulePlace(rule)}]\n`,
  );
  const hidden = unchecked.map(({ class: type, name, properties, why }) =>
    visibleLine(`${type} ${name}: ${firstOf(properties)} cannot be checked: ${WHY[why]}`),
  );
  const silencers = silencedBy.map(({ notes: count, rule, resource, reason, expires }) =>
    visibleLine(`trustplane.yml: ${rule} for ${resource} silences ${count} until ${expires}: ${reason}`),
  );
  const exceptions = idle.map(
    ({ resource, rule, expires, why }) =>
      `trustplane.yml: the exception of ${visibleLine(`${rule} for ${resource}`)} ${why === "expired" ? `has expired on ${expires}` : "silences nothing"}`,
  );
  const lines = [...hidden, ...silencers, ...exceptions].map((line) => `${line}\n`);
  const counted = `${looked} ${looked === 1 ? "resource" : "resources"} looked at: ${findings.length} ${findings.length === 1 ? "note" : "notes"}`;
  return [...notes, ...lines, `${counted}${silenced.length > 0 ? `, ${silenced.length} silenced` : ""}\n`].join("");
}

/** The records of a set that share a note. */
function inRecords(records: readonly string[] = [], shown: (names: string) => string): string {
  return records.length > 1 ? ` in ${records.length} records: ${shown(firstOf(records))}` : "";
}

function span(text: string): string {
  return codeSpan(shortLine(text, LONGEST));
}
