import { beforeAll, describe, expect, it } from "vitest";
import { differences } from "./differences.ts";
import { openEmbedded } from "./embedded-target.ts";
import type { Exchange } from "./exchange.mts";
import { readRecording } from "./recording.mts";
import { runScenario } from "./run-scenario.mts";
import { nameOf, type ServerName, stepsOn } from "./scenario.mts";
import { scenarios } from "./scenarios/index.mts";

/** The servers that the embedded one imitates, each by a profile. */
const imitated: readonly ServerName[] = ["vault-1.21", "vault-1.19", "openbao", "consul", "reference"];

const replays = scenarios.flatMap((scenario) =>
  imitated.filter((server) => scenario.servers.includes(server)).map((server) => ({ scenario, server })),
);

describe.each(replays.map((replay) => ({ ...replay, name: nameOf(replay.scenario) })))(
  "the embedded server answers $name as $server does:",
  ({ scenario, server, name }) => {
    let recorded: readonly Exchange[] = [];
    let replayed: readonly Exchange[] = [];
    beforeAll(async () => {
      recorded = readRecording(scenario, server);
      const target = await openEmbedded(scenario.service, server);
      try {
        replayed = await runScenario(scenario, server, target);
      } finally {
        await target.close();
      }
    });

    it.each(stepsOn(scenario, server))("$title", ({ title }) => {
      const answer = replayed.find((exchange) => exchange.title === title);
      const real = recorded.find((exchange) => exchange.title === title);
      const different = differences.find(
        (each) => each.server === server && each.scenario === name && each.step === title,
      );
      const todo = `what ${server} answered is in test/fixtures/wire: the embedded server is wrong, or \`npm run record\` is due`;
      if (different === undefined) expect(answer, todo).toEqual(real);
      else
        expect(
          answer,
          `the difference "${different.reason}" of test/wire/*-differences.ts is not needed any more`,
        ).not.toEqual(real);
    });
  },
);

it("every difference is of a step that is replayed, and has a reason", () => {
  const steps = replays.flatMap(({ scenario, server }) =>
    stepsOn(scenario, server).map(({ title }) => `${server} ${nameOf(scenario)} ${title}`),
  );
  const listed = differences.map(({ server, scenario, step }) => `${server} ${scenario} ${step}`);
  expect(listed.filter((each) => !steps.includes(each))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
  for (const { reason } of differences) expect(reason).toMatch(/\w+ \w+ \w+/);
});

it.each(replays)("$scenario.topic has recordings of exactly its steps on $server", ({ scenario, server }) => {
  const recorded = readRecording(scenario, server).map(({ title }) => title);
  expect(recorded).toEqual(stepsOn(scenario, server).map(({ title }) => title));
});
