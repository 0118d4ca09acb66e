import { readFileSync } from "node:fs";
import { descendantsOf } from "../steps/descendants.mjs";

/** Often enough to see a program that lives for a second; each look costs a few milliseconds of the measured machine. */
const intervalMs = 200;

/** A watch over the memory of everything that this process has started. */
export interface MemorySampler {
  /** Ends the watch. The highest sum of resident memory that was seen, in MiB; undefined where there is no /proc. */
  stop(): number | undefined;
  /** The highest resident memory of one plugin of Pulumi or Terraform that was seen, in MiB. */
  pluginMebibytes(): number;
}

/**
 * Adds up the resident memory of all descendants of this process except the trees below `without`, and keeps the highest sum.
 * Pages that two processes share count twice, so this is an upper bound.
 */
export function sampleMemory({ without = [] }: { readonly without?: readonly number[] } = {}): MemorySampler {
  let [peak, plugin] = [0, 0];
  const sample = () => {
    const left = new Set(without.flatMap((pid) => [pid, ...descendantsOf(pid)]));
    const pids = descendantsOf(process.pid).filter((pid) => !left.has(pid));
    peak = Math.max(
      peak,
      pids.reduce((sum, pid) => sum + residentMebibytes(pid, "VmRSS"), 0),
    );
    for (const pid of pids.filter(isPlugin)) plugin = Math.max(plugin, residentMebibytes(pid, "VmHWM"));
  };
  const timer = process.platform === "linux" ? setInterval(sample, intervalMs) : undefined;
  return {
    pluginMebibytes: () => plugin,
    stop: () => {
      clearInterval(timer);
      return peak === 0 ? undefined : peak;
    },
  };
}

function isPlugin(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").match(/pulumi-resource-|terraform-provider-/) !== null;
  } catch {
    return false;
  }
}

/** Resident memory of one process in MiB, now (`VmRSS`) or at its highest (`VmHWM`); 0 when it has ended or there is no /proc. */
export function residentMebibytes(pid: number, line: "VmRSS" | "VmHWM"): number {
  try {
    const kibibytes = new RegExp(`^${line}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kibibytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
