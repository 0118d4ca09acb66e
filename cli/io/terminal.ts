import { visibleText } from "../text/visible-text";

/** Where a command reads and writes, and how it learns that it must end. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Resolves when the command must end. */
  ended(): Promise<void>;
  readonly input: NodeJS.ReadableStream;
  /** Width of the terminal that `out` writes to; undefined when it is no terminal. */
  readonly columns?: number | undefined;
  /** Whether `out` writes to a terminal with colours. */
  readonly hasColours: boolean;
  /** Whether `err` writes to a terminal, where a line can be overwritten. */
  readonly isWatched: boolean;
}

export const processTerminal: Terminal = {
  input: process.stdin,
  columns: process.stdout.columns,
  hasColours: process.stdout.hasColors?.() ?? false,
  isWatched: process.stderr.isTTY === true,
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
  ended: () =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    }),
};

/** A line beside the answer: a warning, or why there is none. */
export function say(text: string, { err }: Pick<Terminal, "err">): void {
  err(`trustplane: ${visibleText(text)}\n`);
}

/** Beside an answer: what it did not look at, a line for each sentence. */
export function sayNotLookedAt(sentences: readonly string[], terminal: Terminal): void {
  for (const sentence of sentences) say(`${sentence}.`, terminal);
}
