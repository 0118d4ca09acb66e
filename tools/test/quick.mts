// `npm run test:quick`: an answer within a minute, without build, Pulumi CLI and Go. Arguments go to vitest.
import { forecast } from "./part-times.mts";
import { runTests } from "./run-tests.mts";

const args = process.argv.slice(2);
const isWhole = args.length === 0;
if (isWhole) process.stdout.write(`trustplane: ${forecast("quick")}\n`);
await runTests(args, { run: "quick", isWhole });
