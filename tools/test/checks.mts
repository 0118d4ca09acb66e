import { join } from "node:path";
import { ensureBuild } from "../steps/build.mjs";
import { createProgress } from "../steps/progress.mjs";
import { cacheFolder, repository } from "../steps/repository.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { reportFailure, StepError } from "../steps/step-error.mjs";

/** One check that is not a vitest test, and counts as one. */
export interface CheckResult {
  readonly name: string;
  readonly isPassed: boolean;
}

const bin = (path: string) => join(repository, "node_modules", path);
/** Enough for the reader to start from; the command that shows all of it is in the title. */
const keptLines = 80;

const checks = [
  { name: "build", title: "", command: [] },
  {
    name: "lint",
    title: "checking style and lint (npm run lint)",
    command: [bin("@biomejs/biome/bin/biome"), "check", ".", "--reporter=concise"],
  },
  {
    name: "typecheck",
    title: "checking types (npm run typecheck)",
    command: [
      bin("typescript/bin/tsc"),
      ...["-p", "tsconfig.json", "--pretty", "false"],
      // The second time it reads what has changed since.
      ...["--incremental", "--tsBuildInfoFile", join(cacheFolder, "typecheck.tsbuildinfo")],
    ],
  },
] as const;

/** Runs the checks that come before the tests, all of them even when one fails; with `only`, those of these names. */
export async function runChecks({ only }: { only?: readonly string[] } = {}): Promise<CheckResult[]> {
  const progress = createProgress();
  const results: CheckResult[] = [];
  for (const { name, title, command } of checks) {
    if (only && !only.includes(name)) continue;
    try {
      if (name === "build") await ensureBuild({ progress });
      else await progress.step(title, () => runTool(process.execPath, command, { cwd: repository, keptLines }));
      results.push({ name, isPassed: true });
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      reportFailure(error);
      results.push({ name, isPassed: false });
    }
  }
  return results;
}
