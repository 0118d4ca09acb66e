// @run test: every recorded exchange on the embedded server
import { beforeAll, describe, expect, it } from "vitest";
import { differences } from "./differences.ts";
import { openEmbedded } from "./embedded-target.ts";
import type { Exchange } from "./exchange.mts";
import { isReplayed, readRecording } from "./recording.mts";
import { runScenario } from "./run-scenario.mts";
import { nameOf, type Scenario, type ServerName, stepsOn } from "./scenario.mts";
import { scenarios } from "./scenarios/index.mts";

/** The servers that the embedded one imitates, each by a profile. */
const imitated: readonly ServerName[] = ["vault-1.21", "vault-1.19", "openbao", "consul", "reference"];

const recorded = scenarios.flatMap((scenario) =>
  imitated.filter((server) => scenario.servers.includes(server)).map((server) => ({ scenario, server })),
);
const replays = recorded.filter(({ server }) => isReplayed(server));

/** So many scenarios run at once: some wait for what a cluster does in the background, and others need not wait with them. */
const AT_ONCE = 8;
const begun = new Map<number, Promise<Exchange[]>>();

/** The answers of one replay; the next ones begin as well. */
function answersOf(at: number): Promise<Exchange[]> | undefined {
  for (const [next, { scenario, server }] of [...replays.entries()].slice(at, at + AT_ONCE)) {
    if (begun.has(next)) continue;
    const answers = replay(scenario, server);
    begun.set(next, answers);
    // A failure is that of the group that asks for these answers.
    answers.catch(() => {});
  }
  return begun.get(at);
}

async function replay(scenario: Scenario, server: ServerName): Promise<Exchange[]> {
  const target = await openEmbedded(scenario, server);
  try {
    return await runScenario(scenario, server, target);
  } finally {
    await target.close();
  }
}

describe.each(replays.map((each, at) => ({ ...each, at, name: nameOf(each.scenario) })))(
  "the embedded server answers $name as $server does:",
  ({ scenario, server, name, at }) => {
    let real: readonly Exchange[] = [];
    let replayed: readonly Exchange[] = [];
    beforeAll(async () => {
      real = readRecording(scenario, server);
      replayed = (await answersOf(at)) ?? [];
    });

    it.each(stepsOn(scenario, server))("$title", ({ title }) => {
      const answer = replayed.find((exchange) => exchange.title === title);
      const wanted = real.find((exchange) => exchange.title === title);
      const different = differences.find(
        (each) => each.server === server && each.scenario === name && each.step === title,
      );
      const todo = `what ${server} answered is in test/fixtures/wire: the embedded server is wrong, or \`npm run record\` is due`;
      if (different === undefined) expect(answer, todo).toEqual(wanted);
      else
        expect(
          answer,
          `the difference "${different.reason}" of test/wire/*-differences.ts is not needed any more`,
        ).not.toEqual(wanted);
    });
  },
);

it("every difference is of a step that is replayed, and has a reason", () => {
  const steps = recorded.flatMap(({ scenario, server }) =>
    stepsOn(scenario, server).map(({ title }) => `${server} ${nameOf(scenario)} ${title}`),
  );
  const listed = differences.map(({ server, scenario, step }) => `${server} ${scenario} ${step}`);
  expect(listed.filter((each) => !steps.includes(each))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
  for (const { reason } of differences) expect(reason).toMatch(/\w+ \w+ \w+/);
});

it.each(recorded)("$scenario.topic has recordings of exactly its steps on $server", ({ scenario, server }) => {
  const titles = readRecording(scenario, server).map(({ title }) => title);
  expect(titles).toEqual(stepsOn(scenario, server).map(({ title }) => title));
});
