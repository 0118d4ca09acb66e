// @ts-check
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

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
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        // "pid (command) state ppid …", and the command may hold spaces and parentheses.
        const ppid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        return [/** @type {[number, number]} */ ([Number(name), ppid])];
      } catch {
        return [];
      }
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
