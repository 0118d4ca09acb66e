/** Where a command writes, and how it learns that it is to end. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Resolves when the command is told to end. */
  ended(): Promise<void>;
  readonly input: NodeJS.ReadableStream;
  /** Width of what `out` goes to, where that is a terminal. */
  readonly columns?: number | undefined;
  /** Whether what `out` goes to shows colours. */
  readonly hasColours: boolean;
  /** Whether `err` goes to a terminal, where a line can be written over. */
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
