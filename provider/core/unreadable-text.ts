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
