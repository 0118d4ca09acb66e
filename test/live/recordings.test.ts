import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBaoBinary } from "../../tools/live/live-servers.mts";
import { createLiveTargets, type LiveTargets } from "../../tools/live/wire-targets.mts";
import { vaultReleases } from "../support/vault-releases.ts";
import { readRecording } from "../wire/recording.mts";
import { runScenario } from "../wire/run-scenario.mts";
import { nameOf } from "../wire/scenario.mts";
import { scenarios } from "../wire/scenarios/index.mts";

let targets: LiveTargets;
beforeAll(async () => {
  targets = await createLiveTargets();
});
afterAll(() => targets.close());

/** What `npm test` replays is only worth as much as it is true today. */
// OpenBao only where there is one to ask.
const bao = openBaoBinary() === undefined ? [] : (["openbao"] as const);

const vaults = vaultReleases.map((version) => `vault-${version}` as const);

describe.each([...vaults, "consul" as const, ...bao])("%s still answers", (server) => {
  const asked = scenarios.filter(({ servers }) => servers.includes(server));

  it.each(asked.map((scenario) => ({ scenario, name: nameOf(scenario) })))(
    "$name as recorded",
    { timeout: 180_000 },
    async ({ scenario }) => {
      const target = await targets.open(server);
      try {
        expect(await runScenario(scenario, server, target)).toEqual(readRecording(scenario, server));
      } finally {
        await target.close();
      }
    },
  );
});
