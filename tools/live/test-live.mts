// `npm run test:live`: gets the real servers, then runs the tests of `vitest-live.config.mts` against them. Arguments
// (`npm run test:live -- --project consul`) go to vitest. With TRUSTPLANE_TEST_EXTENT=whole nothing is left out.
import { join } from "node:path";
import { testExtent } from "../../test/support/test-extent.mts";
import { createProgress } from "../steps/progress.mjs";
import { repository } from "../steps/repository.mjs";
import { runTests } from "../test/run-tests.mts";
import { ensureLiveServers } from "./ensure-live-servers.mts";

const args = process.argv.slice(2);
// A part of the tests says nothing about the rest: only a whole run is recorded.
if (args.length === 0 && testExtent === "whole")
  process.env.TRUSTPLANE_LIVE_RESULTS = join(repository, "test/live/results.json");
await ensureLiveServers({ progress: createProgress() });
await runTests(["--config", "vitest-live.config.mts", "--reporter", "./tools/live/results-reporter.mts", ...args]);
