// `npm run test:live`: gets the real servers, then runs the tests that need them, a browser, Go or the real CLIs. Other arguments
// (`npm run test:live -- --project consul`) go to vitest. With `--whole` nothing is left out, and the result is kept, also of
// some projects: `--whole --project=consul --project=vault-1.19`.
import { join } from "node:path";
import { createProgress } from "../steps/progress.mjs";
import { repository } from "../steps/repository.mjs";
import { forecast } from "../test/part-times.mts";
import { runTests } from "../test/run-tests.mts";
import { ensureLiveServers } from "./ensure-live-servers.mts";

const args = process.argv.slice(2).filter((arg) => arg !== "--whole");
const run = process.argv.includes("--whole") ? "whole" : "live";
const isWhole = args.length === 0;
if (isWhole) process.stdout.write(`trustplane: ${forecast(run)}\n`);
// A part of a project says nothing about the rest of it.
const hasWholeProjects = args.every((arg) => arg.startsWith("--project="));
if (hasWholeProjects && run === "whole")
  process.env.TRUSTPLANE_LIVE_RESULTS = join(repository, "test/live/results.json");
await ensureLiveServers({ isEvery: run === "whole", progress: createProgress() });
await runTests(["--reporter", "./tools/live/results-reporter.mts", ...args], { run, isWhole });
