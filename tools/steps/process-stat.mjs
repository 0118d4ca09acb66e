// @ts-check
import { readFileSync } from "node:fs";

/**
 * The state and the parent of a process as Linux tells them, or undefined when it is gone.
 * @param {number} pid
 */
export function processStat(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // "pid (command) state ppid …", and the command may hold spaces and parentheses.
    const [state, ppid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, ppid: Number(ppid) };
  } catch {
    return undefined;
  }
}
