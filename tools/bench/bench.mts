// `npm run bench`: measures, and writes BENCHMARKS.md. `-- --roles 50` measures a smaller stack and `-- --only check-diff` one
// section; both print the report instead, unless `--output <file>` says where it goes. `-- --peer COMMAND` times another
// provider beside the sets: see `tools/bench/peer.mts`.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onInterrupt } from "../steps/interrupt.mjs";
import { createProgress } from "../steps/progress.mjs";
import { reportFailure } from "../steps/step-error.mjs";
import { loadText, machineRows } from "./machine.mts";
import { benchOptions } from "./options.mts";
import { reportText } from "./report.mts";
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
  const args = process.argv.slice(2);
  const { roles, only, output, peer } = benchOptions(
    args,
    sections.map(({ name }) => name),
  );
  const { step } = createProgress();
  const [startedAt, loadBefore, machine] = [new Date(), loadText(), machineRows()];
  const parts: { title: string; text: string }[] = [];
  for (const { name, title, measure } of sections) {
    if (only && !only.includes(name)) continue;
    parts.push({ title, text: await measure({ roles, folder, peer, step }) });
  }
  const text = reportText({ args, startedAt, endedAt: new Date(), machine, loads: [loadBefore, loadText()], parts });
  if (output === undefined) process.stdout.write(text);
  else writeFileSync(resolve(output), text);
}
