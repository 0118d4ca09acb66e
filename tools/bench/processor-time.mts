import { readFileSync } from "node:fs";

/** The kernel counts in ticks of a hundredth of a second (USER_HZ), whatever its own clock is. */
const millisecondsPerTick = 10;

/** Processor time that a process has used so far, in milliseconds; undefined where there is no /proc. */
export function processorMilliseconds(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // "pid (command) state ppid …": after the command, which may hold spaces, utime and stime are fields 12 and 13.
    const [utime, stime] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return (Number(utime) + Number(stime)) * millisecondsPerTick;
  } catch {
    return undefined;
  }
}

/** Processor time of all children that have ended, and of theirs, in seconds; undefined where there is no /proc. */
export function endedChildrenSeconds(): number | undefined {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const [utime, stime] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(13, 15);
    return ((Number(utime) + Number(stime)) * millisecondsPerTick) / 1000;
  } catch {
    return undefined;
  }
}
