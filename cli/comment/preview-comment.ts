import { diffLines } from "../changes/diff-lines";
import { codeBlock, codeSpan, htmlText } from "../changes/markdown";
import { visibleLine } from "../changes/visible-text";
import { findingLines } from "../lint/finding-lines";
import type { Finding } from "../lint/lint";
import { adviceFor } from "./advice";
import { breakageOf } from "./breakage";
import { type Block, fitted } from "./fitted";
import type { Operation, Preview, PreviewStep } from "./preview";

const TO_DO: Readonly<Record<Operation, string>> = {
  replace: "to replace",
  delete: "to delete",
  update: "to update",
  create: "to create",
  import: "to import",
  same: "unchanged",
};
const ORDER = ["replace", "delete", "update", "create", "import"] as const;

export interface PreviewCommentOptions {
  readonly stack: string;
  readonly marker: string;
  readonly findings: readonly Finding[];
  /** @default LONGEST_COMMENT */
  readonly longest?: number;
}

/** The comment of a preview, in Markdown. */
export function previewComment(preview: Preview, { stack, marker, findings, longest }: PreviewCommentOptions): string {
  const head = [
    firstLine(preview, stack),
    failureText(preview.errors),
    dangerText(preview.steps),
    findings.length === 0 ? "" : `**Review notes**\n\n${findingLines(findings)}`,
  ];
  const warnings = preview.warnings.map(blockOfWarning);
  return fitted(
    head.filter((part) => part !== "").join("\n\n"),
    [...preview.steps.map(blockOfStep), ...warnings],
    marker,
    longest,
  );
}

function firstLine({ steps, unchanged, errors }: Preview, stack: string): string {
  const counts = ORDER.map(
    (operation) => [steps.filter((step) => step.operation === operation).length, operation] as const,
  )
    .filter(([count]) => count > 0)
    .map(([count, operation]) => `${count} ${TO_DO[operation]}`);
  const all = [...counts, ...(unchanged > 0 ? [`${unchanged} unchanged`] : [])];
  const what = all.length === 0 ? "nothing to do" : all.join(", ");
  if (errors.length === 0) return `**Preview of ${codeSpan(stack)}**: ${what}`;
  return `**Preview of ${codeSpan(stack)} failed**${all.length === 0 ? "" : `, so far: ${what}`}`;
}

/** An error of a server or a program has no bound; the rest is in the job's output. */
const LONGEST_ERROR = 3000;
const MOST_ERRORS = 4;

function failureText(errors: readonly string[]): string {
  if (errors.length === 0) return "";
  const shown = errors.slice(0, MOST_ERRORS).map((error) => {
    const rest = error.length - LONGEST_ERROR;
    return codeBlock(rest > 0 ? `${error.slice(0, LONGEST_ERROR)}… (${rest} more characters)` : error, "text");
  });
  const more = errors.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more errors are in the output of the job.`] : []), adviceFor(errors)].join(
    "\n\n",
  );
}

const MOST_DANGERS = 30;

function dangerText(steps: readonly PreviewStep[]): string {
  const dangers = steps.filter(({ operation }) => operation === "replace" || operation === "delete");
  if (dangers.length === 0) return "";
  const lines = dangers.slice(0, MOST_DANGERS).map((step) => {
    const because = step.replacing.length === 0 ? "" : `, because ${step.replacing.map(codeSpan).join(", ")} changes`;
    const breakage = breakageOf(step, steps);
    return `* **${step.operation}** ${nameOf(step)}${because}. ${breakage ?? ""}`.trimEnd();
  });
  const more = dangers.length - lines.length;
  const rest = more > 0 ? [`* ${more} more are among the resources below.`] : [];
  return ["**Replaced or deleted**", "", ...lines, ...rest].join("\n");
}

function nameOf({ class: type, name, id }: PreviewStep): string {
  return `${codeSpan(type)} ${codeSpan(shortName(name))}${id === undefined ? "" : ` (${codeSpan(shortName(id))})`}`;
}

/** A name has no bound; the whole one is in the output of the job. */
function shortName(name: string): string {
  return name.length > 120 ? `${name.slice(0, 120)}…` : name;
}

function blockOfStep(step: PreviewStep): Block {
  const lines = [
    ...diffLines(step.changes),
    ...step.unexplained.map((property) => `! ${visibleLine(property)}: differs, Pulumi does not show how`),
  ];
  const count = step.changes.length + step.unexplained.length;
  const title = `${step.operation} <code>${htmlText(step.class)}</code> <code>${htmlText(shortName(step.name))}</code>`;
  const counted = `${count} ${count === 1 ? "property" : "properties"}`;
  return {
    whole: details(`${title}, ${counted}`, codeBlock(lines.join("\n"), "diff")),
    short: `* ${step.operation} ${codeSpan(step.class)} ${codeSpan(shortName(step.name))}, ${counted}`,
  };
}

function blockOfWarning(warning: string): Block {
  const line = codeSpan(warning.slice(0, LONGEST_ERROR));
  return { whole: `* Warning: ${line}`, short: `* Warning: ${codeSpan(warning.slice(0, 80))}` };
}

function details(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
