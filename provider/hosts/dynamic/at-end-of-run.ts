type Work = () => Promise<void>;

/**
 * Pulumi waits for the deletions of a run in the second `beforeExit`, which comes when nothing is left to do: work that
 * is done in the third one comes after them, so that they still have what they need.
 */
const TURNS = 3;

const waiting: { readonly work: Work; readonly failed: (reason: string) => unknown }[] = [];

/** Does something when the program and all its resources are done, also when it has failed. */
export function atEndOfRun(work: Work, failed: (reason: string) => unknown): void {
  waiting.push({ work, failed });
  if (waiting.length === 1) waitFor(TURNS);
}

function waitFor(turns: number): void {
  process.once("beforeExit", () => {
    if (turns === 1) return doAll();
    waitFor(turns - 1);
    // There is no next time unless there is something to do.
    setImmediate(() => {});
  });
}

function doAll(): void {
  for (const { work, failed } of waiting.splice(0)) {
    work().catch((error: unknown) => failed(error instanceof Error ? error.message : String(error)));
  }
}
