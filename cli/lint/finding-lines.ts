import { codeSpan } from "../changes/markdown";
import { visibleLine } from "../changes/visible-text";
import type { Finding, LintResult } from "./lint";

const MOST_FINDINGS = 30;
const LONGEST = 200;

/** The notes as a Markdown list. */
export function findingLines(findings: readonly Finding[]): string {
  const lines = findings.slice(0, MOST_FINDINGS).map(({ class: type, name, property, what, rule, why }) => {
    const place = `${codeSpan(type)} ${codeSpan(cut(name))} ${codeSpan(cut(property))}`;
    const [said, quoted] = [what.replace(/".*$/s, ""), /".*$/s.exec(what)?.[0]];
    return `* ${place} ${said}${quoted === undefined ? "" : codeSpan(cut(quoted))}: ${why}. (${codeSpan(rule)})`;
  });
  const more = findings.length - lines.length;
  return [...lines, ...(more > 0 ? [`* ${more} more notes: \`trustplane lint\` shows them all.`] : [])].join("\n");
}

/** The result for a terminal: one line a note, those of a resource together. */
export function lintText({ findings, silenced, idle }: LintResult, looked: number): string {
  const notes = findings.map(
    ({ class: type, name, property, what, rule, why }) =>
      `${visibleLine(`${type} ${name}: ${property} ${what}`)}\n    ${why}. [${rule}]\n`,
  );
  const exceptions = idle.map(
    ({ resource, rule, expires, why }) =>
      `trustplane.yml: the exception of ${visibleLine(`${rule} for ${resource}`)} ${why === "expired" ? `has expired on ${expires}` : "silences nothing"}\n`,
  );
  const counted = `${looked} ${looked === 1 ? "resource" : "resources"} looked at: ${findings.length} ${findings.length === 1 ? "note" : "notes"}`;
  return [...notes, ...exceptions, `${counted}${silenced > 0 ? `, ${silenced} silenced` : ""}\n`].join("");
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
