// `npm run bench`: measures, and writes BENCHMARKS.md. `-- --roles 50` measures a smaller stack and `-- --only check-diff` one
// section; both print the report instead, unless `--output <file>` says where it goes. With `--only`, a report that is there
// keeps its other sections. `-- --peer COMMAND` times another provider beside the sets: see `tools/bench/peer.mts`.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onInterrupt } from "../steps/interrupt.mjs";
import { createProgress } from "../steps/progress.mjs";
import { reportFailure } from "../steps/step-error.mjs";
import { loadText, machineRows } from "./machine.mts";
import { benchOptions } from "./options.mts";
import { type MeasuredSection, type Report, reportIn, reportText, runOf, withSections } from "./report.mts";
import type { Findings } from "./section.mts";
import { sections } from "./sections.mts";

const folder = mkdtempSync(join(tmpdir(), "trustplane-bench-"));
const removeFolder = () => rmSync(folder, { recursive: true, force: true });
const release = onInterrupt(removeFolder);
try {
  await measureAll();
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
} finally {
  removeFolder();
  release();
}
process.exit();

async function measureAll(): Promise<void> {
  const { roles, only, output, peer, command } = benchOptions(
    process.argv.slice(2),
    sections.map(({ name }) => name),
  );
  // A file that is no report is refused now, and not after the minutes of the measurements.
  const kept: Report = only && output !== undefined && existsSync(output) ? reportIn(readFileSync(output, "utf8")) : [];
  const { step } = createProgress();
  const [startedAt, loadBefore, machine] = [new Date(), loadText(), machineRows()];
  const found: (Findings & { readonly title: string })[] = [];
  for (const { name, title, measure } of sections) {
    if (only && !only.includes(name)) continue;
    found.push({ title, ...(await measure({ roles, folder, peer, step })) });
  }
  const run = runOf({ command, startedAt, endedAt: new Date(), machine, loads: [loadBefore, loadText()] });
  const measured: MeasuredSection[] = found.map((section) => ({ ...section, run }));
  const titles = sections.map(({ title }) => title);
  const text = reportText(withSections(kept, measured, titles));
  if (output === undefined) process.stdout.write(text);
  else writeFileSync(resolve(output), text);
}
