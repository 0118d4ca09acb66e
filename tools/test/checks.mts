import { join } from "node:path";
import { ensureBuild } from "../steps/build.mjs";
import { createProgress, type Progress } from "../steps/progress.mjs";
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

/** What a step shows while others run beside it: nothing. */
const silent: Progress = { say() {}, step: async (_title, work) => work(() => {}) };

/** The build alone, which a part of the tests needs. */
export async function runBuild(): Promise<CheckResult[]> {
  return [await resultOf("build", "building the package (tsc)", () => ensureBuild({ progress: createProgress() }))];
}

/** Runs the checks that come before the tests, beside each other: each of them takes one processor. */
export function runChecks(): Promise<CheckResult[]> {
  const builds = resultOf("build", "building the package (npm run build)", () => ensureBuild({ progress: silent }));
  const others = checks.map(({ name, title, command }) =>
    resultOf(name, title, () => runTool(process.execPath, command, { cwd: repository, keptLines })),
  );
  const title = "building the package, checking style, lint and types (npm run build, lint and typecheck)";
  return createProgress().step(title, () => Promise.all([builds, ...others]));
}

async function resultOf(name: string, title: string, check: () => Promise<unknown>): Promise<CheckResult> {
  try {
    await check();
    return { name, isPassed: true };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    error.step ??= title;
    reportFailure(error);
    return { name, isPassed: false };
  }
}
