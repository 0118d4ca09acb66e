// `npm test`: build, lint, types and the tests, but for those that only `npm run test:live` runs; the last line says how it
// went. With arguments (`npm test -- test/unit`) they go to vitest, and only the build comes before.
import { runBuild, runChecks } from "./checks.mts";
import { forecast } from "./part-times.mts";
import { runTests } from "./run-tests.mts";

const args = process.argv.slice(2);
const isWhole = args.length === 0;
if (isWhole)
  process.stdout.write(
    `trustplane: ${forecast("test")}; \`npm run test:quick\` answers sooner, \`npm test -- test/cli\` runs a part\n`,
  );
const checks = await (isWhole ? runChecks() : runBuild());
await runTests(args, { checks, isWhole, ...(isWhole && { run: "test" }) });
