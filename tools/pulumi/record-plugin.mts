// `npm run record:plugin`: runs the program of test/replay with the real CLI against embedded servers, and writes down what the
// engine and the plugin have said to each other, under test/fixtures/grpc.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { prepareServers } from "../../test/replay/prepare-servers.mts";
import { recordedProgram } from "../../test/replay/program.mts";
import { type RecordedRun, recordedRunFile, recordedRuns } from "../../test/replay/recorded-call.mts";
import { createCallScrubber } from "../../test/replay/scrub-calls.mts";
import { startBenchServer } from "../bench/bench-server.mts";
import { createProgress } from "../steps/progress.mjs";
import { reportFailure, StepError } from "../steps/step-error.mjs";
import { createPulumiSandbox } from "./sandbox.mts";

const commands: Readonly<Record<RecordedRun, string>> = {
  up: "up --yes --skip-preview",
  preview: "preview --expect-no-changes",
  refresh: "refresh --yes --skip-preview",
  update: "up --yes --skip-preview",
  destroy: "destroy --yes --skip-preview",
};

const programFiles = {
  "Pulumi.yaml": `name: recorded
runtime: nodejs
plugins:
  providers:
    - name: trustplane
      path: node_modules/trustplane/bin
`,
  "package.json": JSON.stringify({ name: "recorded", private: true, main: "index.js" }),
  "index.js": recordedProgram.first,
};

const { step, say } = createProgress();
const folder = mkdtempSync(join(tmpdir(), "trustplane-grpc-"));
const servers = [];
try {
  const [ours, partner] = [await startBenchServer(), await startBenchServer()];
  servers.push(ours, partner);
  const { env, connections, known } = await prepareServers({ ...ours, partner: partner.cluster });
  await record({ ...ours.env, ...env }, connections, createCallScrubber(known));
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
} finally {
  await Promise.all(servers.map(({ stop }) => stop()));
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function record(
  env: Readonly<Record<string, string>>,
  connections: string,
  scrub: ReturnType<typeof createCallScrubber>,
): Promise<void> {
  const config = { "trustplane:connections": connections };
  const sandbox = await createPulumiSandbox({ program: programFiles, env, config });
  try {
    for (const run of recordedRuns) {
      if (run === "update") sandbox.write("index.js", recordedProgram.second);
      const log = join(folder, `${run}.json`);
      // One after the other, so that an order of the calls is one that is possible.
      const command = `${commands[run]} --parallel 1 --suppress-progress`;
      const { code, stdout, stderr } = await step(`pulumi ${command}`, () =>
        sandbox.run(command.split(" "), { env: { PULUMI_DEBUG_GRPC: log } }),
      );
      if (code !== 0)
        throw new StepError(`pulumi ${command} ended with code ${code}`, {
          lastLines: `${stdout}\n${stderr}`.split("\n"),
        });
      const calls = scrub(readFileSync(log, "utf8"));
      mkdirSync(dirname(recordedRunFile(run)), { recursive: true });
      writeFileSync(recordedRunFile(run), calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
      say(`${calls.length} calls recorded`);
    }
  } finally {
    await sandbox.close();
  }
}
