// `npm test`: build, lint, types and the tests, but for those that only `npm run test:live` runs; the last line says how it
// went. With arguments (`npm test -- test/unit`) they go to vitest, and only the build comes before.
import { createProgress } from "../steps/progress.mjs";
import { runBuild, runChecks } from "./checks.mts";
import { compileGoPrograms } from "./go-programs.mts";
import { costText } from "./part-times.mts";
import { runTests } from "./run-tests.mts";

const args = process.argv.slice(2);
const isWhole = args.length === 0;
if (isWhole) process.stdout.write(`trustplane: ${costText()}\n`);
const checks = await (isWhole ? runChecks() : runBuild());
if (isWhole) await compileGoPrograms({ progress: createProgress() });
await runTests(isWhole ? ["--project=!stories"] : args, { checks, isWhole });
