import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { definitions } from "../../provider/resources/index.ts";
import {
  type GreenRun,
  type LiveResults,
  type PromiseResult,
  readLiveResults,
  resultTables,
} from "../../schema/live-results.ts";
import { fittedJson } from "../../test/wire/fitted-json.mts";
import { repository } from "../steps/repository.mjs";
import { liveBinaries } from "./live-binaries.mts";
import { claimsOf, exceptionOf } from "./promises.mts";

/** One test as far as the results care. */
export interface LiveTest {
  /** The project that ran it, which is named for its server. */
  readonly server: string;
  /** Below `test/contract/`. */
  readonly file: string;
  readonly title: string;
}

/**
 * Writes what the projects of a whole run came to, to the file that TRUSTPLANE_LIVE_RESULTS names, and shows it. What the file has
 * of other projects stays. A run with a failure leaves the file as it is. A test of which nobody has said what it proves is told
 * in every run.
 */
export default class ResultsReporter implements Reporter {
  onTestModuleCollected(module: TestModule): void {
    failing(() => {
      for (const { file, title } of testsOf(module)) claimsOf(file, title);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[], reason: string): void {
    const file = process.env.TRUSTPLANE_LIVE_RESULTS;
    if (!file || reason !== "passed" || unhandledErrors.length > 0) return;
    failing(() => {
      const projects = [...new Set(modules.map(({ project }) => project.name))];
      const green = stamp();
      const runs = Object.fromEntries(projects.map((name) => [name, green]));
      const results = together(readLiveResults(file), { runs, ...resultsOf(modules.flatMap(passedOf)) });
      writeFileSync(file, fittedJson(results));
      process.stdout.write(`\n${resultTables(results, definitions)}\n`);
      process.stdout.write("\n`npm run generate` puts this into docs/compatibility.md.\n");
    });
  }
}

/** What fails here is no test, and ends the run with a failure. */
function failing(work: () => void): void {
  try {
    work();
  } catch (error) {
    process.stderr.write(`\ntrustplane: the results of live tests: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

/** Of which commit the run was, and when. */
function stamp(): GreenRun {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
  const isChanged = git("status", "--porcelain", "--untracked-files=no") !== "";
  const commit = git("rev-parse", "--short=10", "HEAD");
  return { date: new Date().toISOString().slice(0, 10), commit: isChanged ? `${commit} with changes` : commit };
}

/** The later results, and of the earlier ones those of other projects. */
function together(before: LiveResults | undefined, now: LiveResults): LiveResults {
  const resources: Record<string, Record<string, Record<string, PromiseResult>>> = {};
  for (const { servers, resources: each } of [before, now].filter((one) => one !== undefined))
    for (const [resource, promises] of Object.entries(each))
      for (const [promise, on] of Object.entries(promises))
        for (const [server, result] of Object.entries(on)) {
          if (servers !== now.servers && server in now.servers) continue;
          resources[resource] ??= {};
          resources[resource][promise] = { ...resources[resource][promise], [server]: result };
        }
  const [runs, servers] = [
    { ...before?.runs, ...now.runs },
    { ...before?.servers, ...now.servers },
  ];
  return sorted({ runs, servers, resources });
}

/** Sums up by resource, promise and server. Throws for a test of which nobody has said what it proves. */
export function resultsOf(tests: readonly LiveTest[]): LiveResults {
  const resources: Record<string, Record<string, Record<string, PromiseResult>>> = {};
  for (const { server, file, title } of tests) {
    for (const { resource, promise } of claimsOf(file, title)) {
      const promises = resources[resource] ?? {};
      const servers = promises[promise] ?? {};
      const result = withTest(servers[server] ?? { passed: 0 }, title);
      resources[resource] = { ...promises, [promise]: { ...servers, [server]: result } };
    }
  }
  const names = [...new Set(tests.map(({ server }) => server))];
  return sorted({ servers: Object.fromEntries(names.map((name) => [name, titleOf(name)])), resources });
}

/** A case that the suite expects to fail says why behind its name. */
function withTest({ passed, skipped }: PromiseResult, title: string): PromiseResult {
  const exception = exceptionOf(title);
  if (exception === undefined) return { passed: passed + 1, ...(skipped && { skipped }) };
  return { passed, skipped: { ...skipped, [exception.name]: exception.reason } };
}

function titleOf(server: string): string {
  const [, binary] = Object.entries(liveBinaries).find(([name]) => name === server) ?? [];
  if (binary === undefined) throw new Error(`no real server is called ${server}`);
  return binary.title;
}

/** Keys in their order, at every depth: the file changes when the results do. */
function sorted<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // The same members in another order.
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)])) as T;
}

/** Projects named for a real server. Those on the embedded one prove nothing of the real ones. */
const isReal = (project: string) => /^(vault-|consul$)/.test(project);

/** The tests of a real server, if they are any. */
function testsOf(module: TestModule, isCounted: (test: TestCase) => boolean = () => true): LiveTest[] {
  if (!isReal(module.project.name)) return [];
  const [, file] = /(?:^|\/)test\/contract\/(.+)$/.exec(module.moduleId.replaceAll("\\", "/")) ?? [];
  if (file === undefined) return [];
  const counted = [...module.children.allTests()].filter(isCounted);
  return counted.map(({ fullName }) => ({ server: module.project.name, file, title: fullName }));
}

const passedOf = (module: TestModule) => testsOf(module, (test) => test.result().state === "passed");
