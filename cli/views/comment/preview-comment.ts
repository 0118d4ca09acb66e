import { isRecord } from "../../../provider/core/unknowns";
import { isAddress } from "../../stack/address";
import { changeInWords, wordsFor } from "../../stack/attribute-words";
import { leftOut, othersText } from "../../stack/not-compared";
import type { Operation, Preview, PreviewStep } from "../../stack/preview";
import { isHidden } from "../../stack/shown-records";
import { codeBlock, codeSpan } from "../../text/markdown";
import { shortLine, visibleText } from "../../text/visible-text";
import { adviceFor } from "./advice";
import { breakageOf, isMove } from "./breakage";
import { changedMapSection } from "./changed-map";
import { type Block, fitted, type Section } from "./fitted";
import { trustOfPreview, trustSection } from "./preview-trust";
import { type Review, reviewSections } from "./review-sections";
import { nameSpan, stepBlocks } from "./step-blocks";
import type { TrustTestRun } from "./trust-test-run";

const TO_DO: Readonly<Record<Operation, string>> = {
  replace: "to replace",
  delete: "to delete",
  forget: "to forget",
  update: "to update",
  create: "to create",
  import: "to import",
  refresh: "changed on the servers",
  same: "unchanged",
};
const ORDER = ["replace", "delete", "forget", "update", "create", "import", "refresh"] as const;

export interface PreviewCommentOptions {
  readonly stack: string;
  readonly marker: string;
  /** What the review has found, silenced or not. */
  readonly review: Review;
  /** Of `--trust`. */
  readonly tests?: TrustTestRun | undefined;
  /** @default LONGEST_COMMENT */
  readonly longest?: number;
}

/** The comment of a preview, in Markdown. */
export function previewComment(
  preview: Preview,
  { stack, marker, review, tests, longest }: PreviewCommentOptions,
): string {
  const steps = preview.steps.map(inWords);
  const changes = trustOfPreview(preview);
  return fitted({
    first: firstLine(preview, stack),
    sections: [
      ...failureSection(preview.errors),
      refusedSection(preview),
      dangerSection(steps),
      takeOverSection(preview),
      refreshSection(steps),
      trustSection(changes),
      ...(tests === undefined ? [] : [tests.section]),
      ...reviewSections(review),
      // Where nobody gains or loses anything, nobody needs the map.
      ...(changes.length === 0 ? [] : [changedMapSection(preview, review.findings)]),
      notLookedAtSection(preview),
    ],
    blocks: [...stepBlocks(steps), ...preview.warnings.map(blockOfWarning)],
    tail: marker,
    longest,
  });
}

/** What the sentences and the map above do not know. */
function notLookedAtSection(preview: Preview): Section {
  const { steps, others } = preview;
  const isAboutOurs = steps.some(({ definition, isBookkeepingOnly }) => definition && !isBookkeepingOnly);
  const left = isAboutOurs || preview.part ? leftOut(preview) : undefined;
  const lines = [
    ...(left ? [`* ${left.what}, so who can become what, and the map, may have holes: ${left.todo}.`] : []),
    ...[othersText(others, "looked at") ?? []].flat().map((text) => `* ${codeSpan(text)}`),
  ];
  return { title: "**Not looked at**", lines, most: 2, gap: "\n", rest: () => "" };
}

/** A step in the words of the tool that the user has. */
function inWords(step: PreviewStep): PreviewStep {
  const words = wordsFor(step.urn);
  return {
    ...step,
    changes: step.changes.map((change) => changeInWords(words, change)),
    unexplained: step.unexplained.map(words.path),
    replacing: step.replacing.map(words.path),
  };
}

function firstLine({ steps, unchanged, errors }: Preview, stack: string): string {
  const counts = ORDER.map(
    (operation) => [steps.filter((step) => step.operation === operation).length, operation] as const,
  )
    .filter(([count]) => count > 0)
    .map(([count, operation]) => `${count} ${TO_DO[operation]}`);
  const all = [...counts, ...(unchanged > 0 ? [`${unchanged} unchanged`] : [])];
  const what = all.length === 0 ? "nothing to do" : all.join(", ");
  if (errors.length === 0) return `**Preview of ${nameSpan(stack)}**: ${what}`;
  return `**Preview of ${nameSpan(stack)} failed**${all.length === 0 ? "" : `, so far: ${what}`}`;
}

/** Longer errors are cut; the output of the job has them whole. */
const LONGEST_ERROR = 3000;

function failureSection(errors: readonly string[]): readonly Section[] {
  if (errors.length === 0) return [];
  const blocks = errors.map((error) => {
    const text = visibleText(error);
    const rest = text.length - LONGEST_ERROR;
    return codeBlock(rest > 0 ? `${text.slice(0, LONGEST_ERROR)}… (${rest} more characters)` : text, "text");
  });
  const rest = (missing: number) => `${missing} more errors are in the output of the job.`;
  return [{ lines: blocks, most: 4, gap: "\n\n", rest, end: adviceFor(errors) }];
}

const MOST_REASONS = 10;
const IS_DANGER: readonly Operation[] = ["replace", "delete", "forget"];

function dangerSection(steps: readonly PreviewStep[]): Section {
  const moves = steps.filter(isMove);
  const dangers = [...steps.filter(({ operation }) => IS_DANGER.includes(operation)), ...moves];
  const lines = dangers.map((step) => {
    const isMoved = moves.includes(step);
    const changing = isMoved ? [String(step.definition?.moves?.property)] : step.replacing;
    const reasons = changing.slice(0, MOST_REASONS).map((property) => nameSpan(property));
    const more = changing.length > MOST_REASONS ? ` and ${changing.length - MOST_REASONS} more` : "";
    const because = reasons.length === 0 ? "" : `, because ${reasons.join(", ")}${more} changes`;
    const breakage = breakageOf(step, steps);
    return `* **${isMoved ? "move" : step.operation}** ${nameOf(step)}${because}. ${breakage ?? ""}`.trimEnd();
  });
  const rest = (missing: number) => `* ${missing} more are among the resources below.`;
  const title = moves.length > 0 ? "**Replaced, deleted or moved**" : "**Replaced or deleted**";
  return { title, lines, most: 30, gap: "\n", rest };
}

/** What a plan of `-refresh-only` is about. It changes no server. */
function refreshSection(steps: readonly PreviewStep[]): Section {
  const lines = steps
    .filter(({ operation }) => operation === "refresh")
    .map(
      (step) =>
        `* ${nameOf(step)}: the state ${step.after ? "takes over what the server has" : "lets it go, as it is not there any more"}`,
    );
  const rest = (missing: number) => `* ${missing} more are among the resources below.`;
  return { title: "**Changed on the servers**", lines, most: 30, gap: "\n", rest };
}

/** A replacement is refused before anything is deleted. */
function refusedSection({ refused }: Preview): Section {
  const lines = refused.map((message) => `* ${codeSpan(shortLine(message, LONGEST_ERROR))}`);
  return { title: "**Will be refused**", lines, most: 30, gap: "\n", rest: (missing) => `* and ${missing} more` };
}

/**
 * What somebody else has made and becomes the stack's. Terraform's JSON of a plan has no warnings, which say what is there: it
 * has who may write over it.
 */
function takeOverSection({ steps, takesOver }: Preview): Section {
  const may = steps.filter(
    (step) => isAddress(step.urn) && step.after?.["takeOver"] === "always" && makesRecords(step),
  );
  const lines = [
    ...takesOver.map((message) => `* ${codeSpan(shortLine(message, LONGEST_ERROR))}`),
    ...may.map(
      (step) => `* ${nameOf(step)} writes over what is there, if anything is: its \`take_over\` is \`always\``,
    ),
  ];
  return {
    title: "**Takes over what is there**",
    lines,
    most: 30,
    gap: "\n",
    rest: (missing) => `* and ${missing} more`,
  };
}

/** An update makes the records that are new to a set, and may make some where it is not shown which there will be. */
function makesRecords({ operation, definition, before, after }: PreviewStep): boolean {
  if (operation === "create" || operation === "replace") return true;
  const property = definition?.members?.property;
  if (operation !== "update" || property === undefined) return false;
  const [olds, news] = [before, after].map((values) => values?.[property]);
  if (!isRecord(news) || isHidden(news)) return true;
  return Object.keys(news).some((name) => !isRecord(olds) || !Object.hasOwn(olds, name));
}

function nameOf({ class: type, name, id }: PreviewStep): string {
  return `${nameSpan(type)} ${nameSpan(name)}${id === undefined ? "" : ` (${nameSpan(id)})`}`;
}

function blockOfWarning(warning: string): Block {
  return {
    whole: `* Warning: ${codeSpan(shortLine(warning, LONGEST_ERROR))}`,
    short: `* Warning: ${nameSpan(warning)}`,
  };
}
