// `npm run mutants -- <source files> -- <test files>`: changes the sources in one place at a time (a negated condition, a removed
// statement, another literal or operator), runs the tests on each, and says which changes no test notices. `--most 60` takes
// more of them than 30. Sources are changed in place and put back: nothing else should run in the checkout.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isInterrupted, onInterrupt } from "../steps/interrupt.mjs";
import { repository } from "../steps/repository.mjs";
import { reportFailure, StepError } from "../steps/step-error.mjs";
import { type Mutant, mutantsOf } from "./mutant.mts";

/** A mutant may never end. */
const PATIENCE_MS = 300_000;

const words = process.argv.slice(2);
const gap = words.lastIndexOf("--");
const { values, positionals: sources } = parseArgs({
  args: words.slice(0, Math.max(gap, 0)).filter((word) => word !== "--"),
  options: { most: { type: "string", default: "30" } },
  allowPositionals: true,
});
const tests = words.slice(gap + 1);

try {
  await tryAll();
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
process.exit();

async function tryAll(): Promise<void> {
  if (gap < 0 || sources.length === 0 || tests.length === 0)
    throw new StepError("npm run mutants -- <source files> -- <test files>");
  const changed = execFileSync("git", ["status", "--porcelain", "--", ...sources], {
    cwd: repository,
    encoding: "utf8",
  });
  if (changed !== "") throw new StepError(`commit these first, so that they can be put back:\n${changed}`);
  const all = sources.flatMap((file) => mutantsOf(file, readFileSync(join(repository, file), "utf8")));
  const chosen = spread(all, Number(values.most));
  if (!(await areGreen())) throw new StepError("the tests fail on the sources as they are");
  const survived: string[] = [];
  for (const mutant of chosen) {
    if (isInterrupted()) break;
    const isKilled = !(await areGreenOn(mutant));
    if (!isKilled) survived.push(mutant.place);
    process.stdout.write(`${isKilled ? "killed  " : "SURVIVED"} ${mutant.place}\n`);
  }
  process.stdout.write(`\n${chosen.length - survived.length} of ${chosen.length} killed; ${all.length} are possible\n`);
}

/** So many of them, at even distances: the same ones in every run. */
function spread(all: readonly Mutant[], most: number): readonly Mutant[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]).filter((each) => !!each);
}

async function areGreenOn({ file, text }: Mutant): Promise<boolean> {
  const path = join(repository, file);
  const original = readFileSync(path, "utf8");
  const putBack = () => writeFileSync(path, original);
  const release = onInterrupt(putBack);
  writeFileSync(path, text);
  try {
    return await areGreen();
  } finally {
    putBack();
    release();
  }
}

function areGreen(): Promise<boolean> {
  const vitest = join(repository, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--bail=1", "--silent", "--reporter=dot", ...tests];
  const child = spawn(process.execPath, args, { cwd: repository, stdio: "ignore", timeout: PATIENCE_MS });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code === 0));
  });
}
