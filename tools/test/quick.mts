// `npm run test:quick`: an answer in one to two minutes, without build, Pulumi CLI and Go. Arguments go to vitest.
import { runTests } from "./run-tests.mts";

await runTests(["--config", "vitest-quick.config.mts", ...process.argv.slice(2)]);
