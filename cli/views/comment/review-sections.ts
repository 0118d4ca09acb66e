import type { Ignore } from "../../facts/exceptions/exceptions-file";
import type { Finding, Silencing, Unchecked } from "../../facts/lint/lint";
import { codeSpan } from "../../text/markdown";
import { shortLine } from "../../text/visible-text";
import { findingLine, silencingLine, uncheckedLine } from "../finding-lines";
import type { Section } from "./fitted";

/** The result of a review: its notes, and the exceptions that silence others. */
export interface Review {
  readonly findings: readonly Finding[];
  readonly unchecked: readonly Unchecked[];
  readonly silencedBy: readonly ReviewSilencing[];
  /** Exceptions of drift detection that this change adds. */
  readonly addedIgnores: readonly Ignore[];
  /** Whether the exceptions of the base branch are known. */
  readonly isCompared: boolean;
}

export interface ReviewSilencing extends Silencing {
  /** The change that is reviewed adds the exception, or alters it. */
  readonly isAdded: boolean;
}

const ADDED = ". **This change adds the exception.**";

/** The notes, the exceptions that silence others, and what was not reviewed. */
export function reviewSections(review: Review): readonly Section[] {
  const { findings, unchecked, silencedBy, addedIgnores, isCompared } = review;
  const silenced = silencedBy.reduce((sum, { notes }) => sum + notes, 0);
  const unknown = isCompared
    ? ""
    : ", not compared with the base branch: this change itself may have added the exceptions";
  const inOrder = silencedBy.toSorted((a, b) => Number(b.isAdded) - Number(a.isAdded));
  const common = { most: 30, gap: "\n" } as const;
  return [
    {
      ...common,
      title: "**Review notes**",
      lines: findings.map(findingLine),
      rest: (missing) => `* ${missing} more notes: \`trustplane lint\` shows them all.`,
    },
    {
      ...common,
      title: `**Silenced notes**: ${silenced}, by ${silencedBy.length} ${silencedBy.length === 1 ? "exception" : "exceptions"}${unknown}`,
      lines: inOrder.map((silencing) => silencingLine(silencing, silencing.isAdded ? ADDED : "")),
      rest: (missing) => `* ${missing} more exceptions: \`trustplane lint\` shows them all.`,
    },
    {
      ...common,
      title: "**Exceptions of drift detection that this change adds**",
      lines: addedIgnores.map(ignoreLine),
      rest: (missing) => `* ${missing} more are in the file of exceptions.`,
    },
    {
      ...common,
      title: "**Not reviewed**",
      lines: unchecked.map(uncheckedLine),
      rest: (missing) => `* ${missing} more: \`trustplane lint\` shows them all.`,
    },
  ];
}

function ignoreLine({ resource, property, reason, expires }: Ignore): string {
  const [what, why] = [`${resource} ${property ?? ""}`.trim(), reason].map((text) => codeSpan(shortLine(text, 200)));
  return `* ${what}: ${why}, until ${expires}`;
}
