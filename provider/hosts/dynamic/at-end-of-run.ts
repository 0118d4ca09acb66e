import { beforeSignalEnds } from "../../engine/before-signal-ends";

type Work = () => Promise<void>;

/**
 * Pulumi waits for the deletions of a run in the second `beforeExit`, which comes when nothing is left to do: work that
 * is done in the third one comes after them, so that they still have what they need.
 */
const TURNS = 3;

const waiting: { readonly work: Work; readonly failed: (reason: string) => unknown }[] = [];
const last: Work[] = [];

/** Does something when the program and all its resources are done, also when it has failed or is told to stop. */
export function atEndOfRun(work: Work, failed: (reason: string) => unknown): void {
  waiting.push({ work, failed });
  start();
}

/** Does something after all of this. */
export function atVeryEnd(work: Work): void {
  last.push(work);
  start();
}

function start(): void {
  if (waiting.length + last.length > 1) return;
  waitFor(TURNS);
  beforeSignalEnds(doAll);
}

function waitFor(turns: number): void {
  process.once("beforeExit", () => {
    if (turns === 1) return void doAll();
    waitFor(turns - 1);
    // There is no next time unless there is something to do.
    setImmediate(() => {});
  });
}

async function doAll(): Promise<void> {
  const done = waiting
    .splice(0)
    .map(({ work, failed }) =>
      work().catch((error: unknown) => void failed(error instanceof Error ? error.message : String(error))),
    );
  await Promise.all(done);
  await Promise.all(last.splice(0).map((work) => work()));
}
