import { diffLines } from "../changes/diff-lines";
import { codeBlock, codeSpan, htmlText } from "../changes/markdown";
import { visibleLine } from "../changes/visible-text";
import { placedId } from "./place";
import type { DriftReport, IgnoredBecause, PropertyDrift, ResourceReport } from "./report";
import { shownChanges } from "./shown-changes";
import { summaryLine } from "./summary";

/** The report for a pull request or an issue: what counts is open, the rest is folded. */
export function markdownReport(report: DriftReport): string {
  const { resources, unmanaged = [], unlisted = [], ignoreFile, commands = [] } = report;
  const counts = (...statuses: ResourceReport["status"][]) =>
    resources.filter(({ status }) => statuses.includes(status));
  const unverified = resources.filter(({ writeOnly }) => writeOnly.some(({ verdict }) => verdict !== "verified"));
  const parts = [
    `### ${htmlText(summaryLine(report))}`,
    ...counts("unknown").map((each) => `- ${titleOf(each)} could not be read: ${codeSpan(each.error ?? "")}`),
    ...unlisted.map(({ path, reason }) => `- ${codeSpan(path)} could not be listed: ${codeSpan(reason)}`),
    ...counts("missing").map((each) => `- ${titleOf(each)} is **missing** (${codeSpan(each.id)})`),
    ...counts("changed").map(changedBlock),
    ...folded(
      "Not in the state",
      unmanaged.map(
        ({ type, ignored, ...record }) => `- ${codeSpan(type)} ${codeSpan(placedId(record))}${because(ignored)}`,
      ),
    ),
    ...folded(
      "Ignored",
      counts("ignored").map((each) => `- ${titleOf(each)}${ignoredText(each)}`),
    ),
    ...folded(
      "Not verified",
      unverified.map((each) => `- ${titleOf(each)}: ${unverifiedText(each)}`),
    ),
    ...folded(
      "Idle entries of the ignore file",
      ignoreFile.map(({ resource, property = "", reason, expires, why }) => {
        return `- ${codeSpan(`${resource} ${property}`.trim())} is ${why} (${codeSpan(reason)}, until ${expires})`;
      }),
    ),
    ...commands.map((command) => codeBlock(command, "sh")),
  ];
  return `${parts.join("\n\n")}\n`;
}

function titleOf({ type, name }: ResourceReport): string {
  return `${codeSpan(type)} ${codeSpan(name)}`;
}

function changedBlock(resource: ResourceReport): string {
  const counted = resource.properties.filter(({ ignored }) => !ignored);
  const lines = counted.flatMap(linesOf);
  const replaced = counted.some(({ replaces }) => replaces) ? " (the repair replaces it)" : "";
  const summary = `<summary>${htmlText(`${resource.type} ${resource.name}`)} changed${replaced}</summary>`;
  return `<details open>${summary}\n\n${codeBlock(lines.join("\n"), "diff")}\n\n</details>`;
}

/** The lines of a diff: the expected value with a minus, the server's with a plus. */
export function linesOf(drift: PropertyDrift): readonly string[] {
  if (!drift.secret && drift.changes.length > 0) return diffLines(drift.changes);
  return shownChanges(drift).flatMap(({ path, expected, actual }) => [
    `- ${visibleLine(path)}: ${expected}`,
    `+ ${visibleLine(path)}: ${actual}`,
  ]);
}

function folded(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [`<details><summary>${title} (${lines.length})</summary>\n\n${lines.join("\n")}\n\n</details>`];
}

function because(ignored: IgnoredBecause | undefined): string {
  if (!ignored) return "";
  return ` (ignored: ${codeSpan(ignored.reason)}${ignored.expires === undefined ? "" : `, until ${ignored.expires}`})`;
}

function ignoredText({ ignored, properties }: ResourceReport): string {
  if (ignored) return ` is missing${because(ignored)}`;
  return `: ${properties.map((drift) => `${codeSpan(drift.property)}${because(drift.ignored)}`).join(", ")}`;
}

function unverifiedText({ writeOnly }: ResourceReport): string {
  const open = writeOnly.filter(({ verdict }) => verdict !== "verified");
  return open.map(({ property, reason }) => `${codeSpan(property)} (${codeSpan(reason)})`).join(", ");
}
