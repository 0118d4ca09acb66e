import { createHash } from "node:crypto";

/** A part of a comment, and the short line that replaces it when there is no room. */
export interface Block {
  readonly whole: string;
  readonly short: string;
}

/** A list at the start of the comment. Lines without room are counted. */
export interface Section {
  readonly title?: string;
  readonly lines: readonly string[];
  /** At most so many lines are shown. */
  readonly most: number;
  /** Between two lines. */
  readonly gap: "\n" | "\n\n";
  /** Of lines that are not shown: how many, and which. */
  readonly rest: (missing: number, left: readonly string[]) => string;
  /** The end, which is always shown. */
  readonly end?: string;
}

export interface CommentParts {
  /** The first line, which is short. */
  readonly first: string;
  /** The most important ones first. */
  readonly sections?: readonly Section[];
  readonly blocks: readonly Block[];
  /** The last line, which is short. */
  readonly tail: string;
  /** @default LONGEST_COMMENT */
  readonly longest?: number | undefined;
}

/** Characters that GitHub takes in one comment or issue (its answer 422 says so). */
export const LONGEST_COMMENT = 65_536;
/** The same for GitLab (its documentation, application limits). */
export const LONGEST_NOTE = 1_000_000;

/** The share of the room that sections may take when not everything fits. */
const SECTIONS_SHARE = 0.7;

/**
 * Joins the parts, within the length: a second comment would have to be kept in step with the first one. A block without room
 * is replaced by its short line. Short lines without room are counted, and so are lines of sections: nothing is left out
 * silently.
 */
export function fitted({ first, sections = [], blocks, tail, longest = LONGEST_COMMENT }: CommentParts): string {
  const heads = sections.map((section) => sectionText(section, Number.POSITIVE_INFINITY));
  const whole = joined([first, ...heads, ...blocks.map((block) => block.whole), tail]);
  if (whole.length <= longest) return whole;
  const roomOf = (...parts: readonly string[]) => longest - joined(parts).length - SPACING;
  // Room for the longest possible notice is reserved first.
  const worst = notice(blocks.length, blocks.length);
  const head = joined([first, ...withinRoom(sections, SECTIONS_SHARE * roomOf(first, worst, tail))]).trimEnd();
  return joined([head, ...withShortBlocks(blocks, roomOf(head, worst, tail)), tail]);
}

/** Each section may take half of the room that is left, and the last one all of it. */
function withinRoom(sections: readonly Section[], room: number): readonly string[] {
  let left = room;
  return sections.map((section, index) => {
    const text = sectionText(section, index === sections.length - 1 ? left : left / 2);
    left -= text.length + SPACING;
    return text;
  });
}

function sectionText({ title = "", lines, most, gap, rest, end = "" }: Section, room: number): string {
  if (lines.length === 0) return "";
  let left = room - joined([title, rest(lines.length, lines), end]).length - SPACING;
  const fits = lines.map((line, at) => {
    const isShown = at < most && line.length + gap.length <= left;
    if (isShown) left -= line.length + gap.length;
    return isShown;
  });
  const [shown, missing] = [true, false].map((is) => lines.filter((_, at) => fits[at] === is)) as [string[], string[]];
  const more = missing.length === 0 ? [] : [rest(missing.length, missing)];
  return joined([title, [...shown, ...more].join(gap), end]).trimEnd();
}

function withShortBlocks(blocks: readonly Block[], room: number): readonly string[] {
  const shortLength = ({ short }: Block) => short.length + SPACING;
  let left = room - blocks.reduce((sum, block) => sum + shortLength(block), 0);
  if (left >= 0) {
    const kept = blocks.map((block) => {
      const growth = block.whole.length - block.short.length;
      if (growth > left) return { text: block.short, isShort: true };
      left -= Math.max(0, growth);
      return { text: block.whole, isShort: false };
    });
    const shortened = kept.filter(({ isShort }) => isShort).length;
    return [notice(shortened, 0), ...kept.map(({ text }) => text)];
  }
  let used = 0;
  const lines = blocks.filter((block) => {
    used += shortLength(block);
    return used <= room;
  });
  return [notice(lines.length, blocks.length - lines.length), ...lines.map(({ short }) => short)];
}

const SPACING = 2;

function notice(shortened: number, missing: number): string {
  if (shortened + missing === 0) return "";
  const more = missing === 0 ? "" : ` ${missing} more are not listed at all.`;
  return `> **Shortened**: a comment has no room for the details of ${shortened} entries, so each of them has one line here.${more} The output of the job has everything.`;
}

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** A longer name is replaced by its hash, so that the marker fits into every comment. */
const LONGEST_NAME = 500;

/** The last line of a comment, invisible to readers. The next run finds the comment by it. */
export function markerOf(kind: "preview" | "drift", stack: string): string {
  // An HTML comment must not hold `--` or `>`.
  const name = encodeURIComponent(stack.toWellFormed()).replace(/-/g, "%2D");
  const hash = () => createHash("sha256").update(name).digest("hex");
  return `<!-- trustplane:${kind}:${name.length > LONGEST_NAME ? hash() : name} -->`;
}

/** True for a comment that ends with the marker. One that quotes it has more text after it. */
export function isMarked(body: string, marker: string): boolean {
  return body.trimEnd().endsWith(marker);
}
