import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { elapsed } from "../steps/elapsed.mjs";
import { cacheFolder } from "../steps/repository.mjs";

/** Milliseconds that the tests of a folder below `test/` took, of all workers together. */
export type PartTimes = Readonly<Record<string, number>>;

const lastRun = join(cacheFolder, "test-times.json");
/** Less than this is not worth a word. */
const SHORTEST_MS = 10_000;

/** The folder below `test/`; a file that stands there itself is a part of its own. */
export function partOf(testFile: string): string {
  return testFile.split("/").slice(0, 2).join("/");
}

/** Keeps the times of a whole run, for the next one to show. */
export function keepTimes(times: PartTimes): void {
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(lastRun, JSON.stringify(times));
}

/** What a run costs, by the last whole one on this machine, and how to run less of it. */
export function costText(times: PartTimes = existsSync(lastRun) ? JSON.parse(readFileSync(lastRun, "utf8")) : {}) {
  const parts = Object.entries(times).filter(([, ms]) => ms >= SHORTEST_MS);
  const costs = parts.sort(([, a], [, b]) => b - a).map(([part, ms]) => `${part} ${elapsed(ms)}`);
  const last = costs.length === 0 ? "" : ` Last time the workers together took: ${costs.join(", ")}.`;
  return `\`npm run test:quick\` answers in one to two minutes, \`npm test -- test/cli\` runs a part.${last}`;
}
