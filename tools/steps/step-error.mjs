// @ts-check

/** A step of a command that could not be done: the reason, what the tool said last, and what to do next. */
export class StepError extends Error {
  /**
   * @param {string} reason
   * @param {{ lastLines?: readonly string[], next?: string, exitCode?: number }} [details]
   */
  constructor(reason, details = {}) {
    super(reason);
    this.name = "StepError";
    /** @type {string | undefined} set by the progress that ran the step */
    this.step = undefined;
    this.lastLines = details.lastLines ?? [];
    this.next = details.next;
    this.exitCode = details.exitCode;
  }
}

/**
 * Tells the person what went wrong; the stack is shown for errors that nobody expected, because those are defects of ours.
 * @param {unknown} error
 * @param {{ stream?: { write(text: string): unknown } }} [options]
 */
export function reportFailure(error, { stream = process.stderr } = {}) {
  if (!(error instanceof StepError)) {
    stream.write(`\ntrustplane: ${error instanceof Error ? error.stack : String(error)}\n`);
    return;
  }
  const lines = [`trustplane: ${error.step ? `"${error.step}" did not work: ` : ""}${error.message}`];
  if (error.lastLines.length > 0) lines.push("", ...error.lastLines.map((line) => `    ${line}`));
  if (error.next) lines.push("", `What to do next: ${error.next}`);
  stream.write(`\n${lines.join("\n")}\n`);
}
