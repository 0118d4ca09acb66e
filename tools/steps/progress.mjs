// @ts-check
import { setTimeout as delay } from "node:timers/promises";
import { elapsed } from "./elapsed.mjs";
import { isInterrupted, waitForTheEnd } from "./interrupt.mjs";
import { StepError } from "./step-error.mjs";

const clearLine = "\r\x1b[K";
/** Some tools say hundreds of names in one line. */
const detailWidth = 80;

/**
 * @typedef {object} Progress
 * @property {<T>(title: string, work: (detail: (text: string) => void) => Promise<T> | T) => Promise<T>} step
 *   runs `work` and shows how long it takes; `detail` says what it is doing right now
 * @property {(text: string) => void} say a line of its own, also while a step is shown
 */

/**
 * Shows steps with their elapsed time: one live line on a terminal; elsewhere a line at the start, one now and then while it
 * lasts (so that a CI log is not silent for minutes), and one at the end. Everything goes to stderr: stdout belongs to the
 * command's own answer (`npm run --silent serve -- --json`).
 * @param {{ stream?: { write(text: string): unknown, isTTY?: boolean, columns?: number }, live?: boolean,
 *   prefix?: string, isTitleRepeated?: boolean, heartbeatMs?: number, now?: () => number }} [options]
 *   `isTitleRepeated: false` is for steps that print lines of their own under their title
 * @returns {Progress}
 */
export function createProgress(options = {}) {
  const {
    stream = process.stderr,
    prefix = "trustplane: ",
    heartbeatMs = 15_000,
    isTitleRepeated = true,
    now = Date.now,
  } = options;
  const live = options.live ?? (stream.isTTY === true && !process.env.CI && process.env.TERM !== "dumb");
  const say = (/** @type {string} */ text) => void stream.write(`${live ? clearLine : ""}${prefix}${text}\n`);

  return {
    say,
    async step(title, work) {
      const startedAt = now();
      const took = () => elapsed(now() - startedAt);
      let detail = "";
      const again = isTitleRepeated ? `${title} … ` : "… ";
      const draw = () => {
        const text = `${prefix}${again}${took()}${detail && `  ${detail}`}`;
        stream.write(`${clearLine}${text.slice(0, (stream.columns || 80) - 1)}`);
      };
      const beat = live ? draw : () => say(`${again}still at it, ${took()}${detail && ` (${detail})`}`);
      if (!live || !isTitleRepeated) say(`${title} …`);
      if (live) draw();
      const timer = setInterval(beat, live ? 200 : heartbeatMs);
      const end = (/** @type {string} */ outcome) => {
        clearInterval(timer);
        say(isTitleRepeated ? `${title}: ${outcome}` : outcome);
      };
      try {
        const result = await work((text) => {
          detail = text.length > detailWidth ? `${text.slice(0, detailWidth)}…` : text;
        });
        end(`done in ${took()}`);
        return result;
      } catch (error) {
        // A terminal's Ctrl-C may end a child before this process has learned of it; then nothing has failed.
        await delay(20);
        if (isInterrupted()) return await waitForTheEnd();
        end(`failed after ${took()}`);
        if (error instanceof StepError) error.step ??= title;
        throw error;
      }
    },
  };
}
