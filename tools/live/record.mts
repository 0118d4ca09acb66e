// `npm run record`: runs the scenarios of test/wire/scenarios against the real servers and writes their recordings anew, under
// test/fixtures/wire. `-- sys-status` records only the scenarios with such a text in their name, and leaves the others alone.
// `-- --format` asks no server: it writes what is recorded as a run would write it, after a change by hand.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { formatTerraformRecordings } from "../../test/cli/terraform-recording.mts";
import type { Exchange } from "../../test/wire/exchange.mts";
import { readRecording, recordingFile, recordingsFolder, writeRecording } from "../../test/wire/recording.mts";
import { runScenario } from "../../test/wire/run-scenario.mts";
import { nameOf, type Scenario, type ServerName } from "../../test/wire/scenario.mts";
import { scenarios } from "../../test/wire/scenarios/index.mts";
import { createProgress } from "../steps/progress.mjs";
import { reportFailure } from "../steps/step-error.mjs";
import { ensureLiveServers } from "./ensure-live-servers.mts";
import { openBaoBinary } from "./live-servers.mts";
import { createLiveTargets, type LiveTargets } from "./wire-targets.mts";

/** The recordings of `reference` are written by hand. */
type LiveServerName = Exclude<ServerName, "reference">;
// OpenBao only where there is one: its recordings stay as they are otherwise.
const bao: readonly LiveServerName[] = openBaoBinary() === undefined ? [] : ["openbao"];
const liveServers: readonly LiveServerName[] = ["vault-1.21", "vault-1.19", ...bao, "consul"];

const progress = createProgress();
const wanted = process.argv.slice(2);
try {
  if (wanted.includes("--format")) {
    formatAll();
    process.exit();
  }
  await ensureLiveServers({ isEvery: true, progress });
  const targets = await progress.step("start moto", createLiveTargets);
  let count = 0;
  try {
    for (const server of liveServers) count += await progress.step(server, () => recordAll(targets, server, wanted));
  } finally {
    await targets.close();
  }
  progress.say(`${count} exchanges recorded`);
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
process.exit();

function formatAll(): void {
  for (const scenario of scenarios) {
    for (const server of scenario.servers) writeRecording(scenario, server, readRecording(scenario, server));
  }
  formatTerraformRecordings();
}

async function recordAll(targets: LiveTargets, server: LiveServerName, wanted: readonly string[]): Promise<number> {
  const all = scenarios.filter(({ servers }) => servers.includes(server));
  const chosen = all.filter((each) => wanted.length === 0 || wanted.some((text) => nameOf(each).includes(text)));
  let count = 0;
  for (const scenario of chosen) count += (await record(targets, server, scenario)).length;
  removeOthers(server, all);
  return count;
}

async function record(targets: LiveTargets, server: LiveServerName, scenario: Scenario): Promise<readonly Exchange[]> {
  const target = await targets.open(server);
  try {
    const exchanges = await runScenario(scenario, server, target);
    writeRecording(scenario, server, exchanges);
    return exchanges;
  } catch (error) {
    throw new Error(`${nameOf(scenario)} on ${server}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  } finally {
    await target.close();
  }
}

/** What was recorded of scenarios that are not there any more. */
function removeOthers(server: LiveServerName, all: readonly Scenario[]): void {
  const current = all.map((scenario) => basename(recordingFile(scenario, server)));
  const folder = recordingsFolder(server);
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) if (!current.includes(file)) rmSync(join(folder, file));
}
