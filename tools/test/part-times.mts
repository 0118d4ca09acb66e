import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { elapsed } from "../steps/elapsed.mjs";
import { cacheFolder } from "../steps/repository.mjs";
import type { FileResult } from "./count-reporter.mts";
import type { Run } from "./test-files.mts";

/** Minutes on two idle cores, for a machine that has not made the run yet. */
const usualMinutes: Readonly<Record<Run, number>> = { quick: 0.7, test: 5, live: 20, whole: 180 };

const lastRuns = join(cacheFolder, "run-times.json");
/** Less than this is not worth a word. */
const SHORTEST_MS = 5_000;
const SLOWEST = 10;

/** Seconds of the last green run of each kind on this machine. */
function lastTimes(): Partial<Record<Run, number>> {
  return existsSync(lastRuns) ? JSON.parse(readFileSync(lastRuns, "utf8")) : {};
}

export function keepTime(run: Run, ms: number): void {
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(lastRuns, JSON.stringify({ ...lastTimes(), [run]: Math.round(ms / 1000) }));
}

/** How long a run will take. */
export function forecast(run: Run, last: Partial<Record<Run, number>> = lastTimes()): string {
  const seconds = last[run];
  if (seconds !== undefined) return `this takes about ${elapsed(seconds * 1000)}, as the last time on this machine`;
  return `this takes about ${elapsed(usualMinutes[run] * 60_000)} on two idle cores, and longer the first time`;
}

/** The folder below `test/`; a file that stands there itself is a part of its own. */
export function partOf(testFile: string): string {
  return testFile.split("/").slice(0, 2).join("/");
}

/** Where the time went, of all workers together: the parts, and the slowest files. */
export function costLines(files: readonly FileResult[]): string[] {
  const parts: Record<string, number> = {};
  for (const { path, ms } of files) parts[partOf(path)] = (parts[partOf(path)] ?? 0) + ms;
  const byTime = Object.entries(parts).sort(([, a], [, b]) => b - a);
  const costs = byTime.filter(([, ms]) => ms >= SHORTEST_MS).map(([part, ms]) => `${part} ${elapsed(ms)}`);
  const slowest = [...files].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  return [
    `parts (all workers together): ${costs.join(", ") || "all in a few seconds"}`,
    `slowest files: ${slowest.map(({ path, project, ms }) => `${path} (${project}) ${elapsed(ms)}`).join(", ")}`,
  ];
}
