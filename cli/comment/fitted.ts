/** A part of a comment that may have to go, and the line that stands in for it then. */
export interface Block {
  readonly whole: string;
  readonly short: string;
}

/** What GitHub takes in one comment; GitLab takes more. */
export const LONGEST_COMMENT = 65_536;

/**
 * The blocks within the length, first ones first. One that does not fit is there by its short line, and those of which
 * not even that fits are counted: nothing goes without a word.
 */
export function fitted(head: string, blocks: readonly Block[], tail: string, longest = LONGEST_COMMENT): string {
  const whole = joined([head, ...blocks.map((block) => block.whole), tail]);
  if (whole.length <= longest) return whole;
  // What the worst case still has to say is set aside first.
  const room = longest - joined([head, notice(blocks.length, blocks.length), tail]).length - SPACING;
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
    return joined([head, notice(shortened, 0), ...kept.map(({ text }) => text), tail]);
  }
  let used = 0;
  const lines = blocks.filter((block) => {
    used += shortLength(block);
    return used <= room;
  });
  return joined([head, notice(lines.length, blocks.length - lines.length), ...lines.map(({ short }) => short), tail]);
}

const SPACING = 2;

function notice(shortened: number, missing: number): string {
  const more = missing === 0 ? "" : ` ${missing} more are not listed at all.`;
  return `> **Shortened**: a comment has no room for the details of ${shortened} resources, which stand here in one line each.${more} The output of the job has everything.`;
}

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
