/** A refusal by the operation itself: the text is sent verbatim (Go: an error response, or ErrInvalidRequest). */
export class Refusal extends Error {
  readonly status: number;

  constructor(text: string, { status = 400 }: { status?: number } = {}) {
    super(text);
    this.status = status;
  }
}

/** A bare error of the operation: wrapped as `1 error occurred: …`, 500 unless it says otherwise. */
export class Failure extends Error {
  readonly status: number;

  constructor(text: string, { status = 500 }: { status?: number } = {}) {
    super(text);
    this.status = status;
  }
}

/** Texts as go-multierror prints them. */
export function multierrorText(texts: readonly string[]): string {
  const count = texts.length === 1 ? "1 error" : `${texts.length} errors`;
  return `${count} occurred:\n${texts.map((text) => `\t* ${text}\n`).join("")}\n`;
}
