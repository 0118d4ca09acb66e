/** Text that cannot be read, and where. */
export class UnreadableText extends Error {
  readonly at: number;

  constructor(at: number, reason: string) {
    super(reason);
    this.at = at;
  }
}

/** Deeper texts are refused, so that one cannot exhaust the stack. Policies need six levels. */
export const MOST_LEVELS = 32;

/** A place in a text, as editors count. */
export function placeIn(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}
