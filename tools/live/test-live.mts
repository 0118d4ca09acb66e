// `npm run test:live`: gets the real servers, then runs the tests of `vitest.live.config.mts` against them. Arguments
// (`npm run test:live -- --project consul`) go to vitest.
import { createProgress } from "../steps/progress.mjs";
import { runTests } from "../test/run-tests.mts";
import { ensureLiveServers } from "./ensure-live-servers.mts";

await ensureLiveServers({ progress: createProgress() });
await runTests(["--config", "vitest.live.config.mts", ...process.argv.slice(2)]);
