// @ts-check
import { constants } from "node:os";

/** @typedef {(force: AbortSignal) => unknown} Cleanup what must happen before this process may end; `force` says: at once */

const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
/** A terminal and a parent process may both deliver one and the same Ctrl-C. */
const sameSignalMs = 1_000;

/** @type {Cleanup[]} */
const cleanups = [];
let interruptedAt = 0;

/**
 * Registers what Ctrl-C must undo; the last registered is undone first. Returns the function that takes it back.
 * @param {Cleanup} cleanup
 */
export function onInterrupt(cleanup) {
  cleanups.push(cleanup);
  return () => {
    const at = cleanups.lastIndexOf(cleanup);
    if (at >= 0) cleanups.splice(at, 1);
  };
}

/** True once a signal has begun to end this process. */
export const isInterrupted = () => interruptedAt > 0;

/** For code that fails only because its child was just stopped by the handler: the handler ends the process, nobody reports. */
export const waitForTheEnd = () => /** @type {Promise<never>} */ (new Promise(() => {}));

/**
 * From now on a signal runs the cleanups and then ends the process with the conventional code. A second signal (not the same
 * one delivered twice) hurries them. Returns the function that stops listening.
 */
export function endOnInterrupt() {
  const force = new AbortController();
  const onSignal = async (/** @type {NodeJS.Signals} */ signal) => {
    if (isInterrupted()) {
      if (Date.now() - interruptedAt > sameSignalMs) force.abort();
      return;
    }
    interruptedAt = Date.now();
    if (cleanups.length > 0) process.stderr.write("\ntrustplane: stopping …\n");
    while (cleanups.length > 0) {
      try {
        await cleanups.pop()?.(force.signal);
      } catch (error) {
        process.stderr.write(`trustplane: while stopping: ${error}\n`);
      }
    }
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
