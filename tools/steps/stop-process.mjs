// @ts-check
import { setTimeout as delay } from "node:timers/promises";
import { descendantsOf } from "./descendants.mjs";
import { processStat } from "./process-stat.mjs";

/**
 * Ends a process and everything that it started: `signal` first, and after `graceMs` (or at once, when `force` fires) SIGKILL
 * to whatever is left. Children are looked up by parentage, not by process group: Pulumi gives each plugin a group of its own.
 * @param {number | undefined} pid
 * @param {{ signal?: NodeJS.Signals, toTree?: boolean, graceMs?: number, force?: AbortSignal | undefined }} [options]
 *   `toTree`: the first signal goes to the descendants too, for programs that do not pass it on
 */
export async function stopProcess(pid, { signal = "SIGTERM", toTree = false, graceMs = 5_000, force } = {}) {
  if (pid === undefined || !isAlive(pid)) return;
  const tree = new Set([pid, ...descendantsOf(pid)]);
  for (const each of toTree ? tree : [pid]) send(each, signal);
  const deadline = Date.now() + graceMs;
  while (Date.now() < deadline && !force?.aborted && isAlive(pid)) {
    await delay(50);
    for (const each of descendantsOf(pid)) tree.add(each);
  }
  // Plugins that were told to end by their parent need a moment after it.
  const lastCall = Date.now() + 500;
  while (Date.now() < lastCall && !force?.aborted && [...tree].some(isAlive)) await delay(25);
  for (const each of tree) send(each, "SIGKILL");
}

/** Whether a process still runs; one that has ended but was not yet waited for (a zombie) does not. @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || processStat(pid)?.state !== "Z";
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // Ended by itself in the meantime: what was wanted.
  }
}
