import { alikeResources, type FoldedDrift, foldedDrifts } from "../../facts/drift/alike-drift";
import type { DriftReport, IgnoredBecause, ResourceReport } from "../../facts/drift/report";
import { shownChanges } from "../../facts/drift/shown-changes";
import { failedLists, summaryLine, verbOf } from "../../facts/drift/summary";
import { trustLine } from "../../facts/trust/trust-change";
import { diffLines } from "../../stack/diff-lines";
import { placedId } from "../../stack/place";
import { type Alike, firstOf } from "../../text/lists";
import { codeBlock, codeSpan, htmlText } from "../../text/markdown";
import { shortLine, visibleLine } from "../../text/visible-text";

/** The report for a pull request or an issue: what counts is open, the rest is folded. */
export function markdownReport(report: DriftReport): string {
  const { resources, unmanaged = [], ignoreFile, commands = [], trust = [] } = report;
  const counts = (...statuses: ResourceReport["status"][]) =>
    resources.filter(({ status }) => statuses.includes(status));
  const together = (...statuses: ResourceReport["status"][]) => alikeResources(counts(...statuses));
  const unverified = resources.filter(({ writeOnly }) => writeOnly.some(({ verdict }) => verdict !== "verified"));
  const parts = [
    `### ${htmlText(summaryLine(report))}`,
    ...(trust.length === 0 ? [] : [trust.map((change) => `- ${trustLine(change)}`).join("\n")]),
    ...counts("unknown").map((each) => `- ${titleOf(each)} could not be read: ${codeSpan(each.error ?? "")}`),
    ...failedLists(report).map(
      (list) => `- ${codeSpan(list.path)} could not be ${verbOf(list)}: ${codeSpan(list.reason)}`,
    ),
    ...counts("missing").map((each) => `- ${titleOf(each)} is **missing** (${codeSpan(each.id)})`),
    ...together("changed").map(changedBlock),
    ...folded(
      "Not in the state",
      unmanaged.map(
        ({ type, ignored, ...record }) => `- ${codeSpan(type)} ${codeSpan(placedId(record))}${because(ignored)}`,
      ),
    ),
    ...folded(
      "Ignored",
      together("ignored").map((each) => `- ${titlesOf(each)}${ignoredText(each[0])}`),
    ),
    ...folded(
      "Not verified",
      alikeResources(unverified).map((each) => `- ${titlesOf(each)}: ${unverifiedText(each[0])}`),
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

/** The class and the names of resources of which the same is said. */
function titlesOf(resources: Alike<ResourceReport>): string {
  const [{ type }] = resources;
  return `${codeSpan(type)} ${firstOf(resources.map(({ name }) => codeSpan(name)))}`;
}

function changedBlock(resources: Alike<ResourceReport>): string {
  const [{ type, name, properties }, ...others] = resources;
  const counted = properties.filter(({ ignored }) => !ignored);
  const lines = foldedDrifts(counted).flatMap(linesOf);
  const title = others.length === 0 ? `${type} ${name}` : `${type}, ${resources.length} resources,`;
  const names = others.length === 0 ? "" : `${namesOf(resources)}\n\n`;
  const replaced = counted.some(({ replaces }) => replaces) ? " (the repair replaces it)" : "";
  const summary = `<summary>${htmlText(title)} changed${replaced}</summary>`;
  return `<details open>${summary}\n\n${names}${codeBlock(lines.join("\n"), "diff")}\n\n</details>`;
}

/** More names than these are counted. */
const MOST_NAMES = 100;

/** The names of resources of which the same is said, in Markdown. */
export function namesOf(resources: readonly ResourceReport[]): string {
  const names = resources.map(({ name }) => codeSpan(shortLine(name, LONGEST_NAME)));
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const LONGEST_NAME = 120;

/** The lines of a diff: the expected value with a minus, the server's with a plus. */
export function linesOf(drift: FoldedDrift): readonly string[] {
  const { records } = drift;
  if (!drift.secret && drift.changes.length > 0)
    return diffLines(drift.changes.map((change) => (records ? { ...change, records } : change)));
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
