// @ts-check
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { processStat } from "./process-stat.mjs";

/**
 * Every process that descends from `pid`, parents before children.
 * @param {number} pid
 * @returns {number[]}
 */
export function descendantsOf(pid) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const [child, parent] of process.platform === "linux" ? fromProc() : fromPs()) {
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const found = [...(children.get(pid) ?? [])];
  for (const each of found) found.push(...(children.get(each) ?? []));
  return found;
}

/** Slim container images have no `ps`, but /proc is always there. @returns {[number, number][]} */
function fromProc() {
  return readdirSync("/proc")
    .map(Number)
    .flatMap((pid) => {
      const ppid = pid > 0 ? processStat(pid)?.ppid : undefined;
      return ppid === undefined ? [] : [/** @type {[number, number]} */ ([pid, ppid])];
    });
}

/** @returns {[number, number][]} */
function fromPs() {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return table.split("\n").flatMap((row) => {
    const [pid, ppid] = row.trim().split(/\s+/).map(Number);
    return pid !== undefined && ppid !== undefined ? [/** @type {[number, number]} */ ([pid, ppid])] : [];
  });
}
