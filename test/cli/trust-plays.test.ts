import { expect, it } from "vitest";
import { createSimulatedServer } from "../../cli/facts/trust/simulated-server.ts";
import { playPeopleWorlds, playPolicyPairs, playRoleChanges } from "../support/trust-plays.ts";

const byHand = { timeout: 3_600_000 };

it("the comment tells of a gain and of a loss where a login has one, and nowhere else", byHand, async () => {
  const { logins } = await playRoleChanges((play) => play(createSimulatedServer()), 30);
  expect(logins).toBeGreaterThan(200);
});

it("the comment tells of a policy what comes and goes on every path, and nothing else", byHand, async () => {
  const simulated = createSimulatedServer();
  await playPolicyPairs((play) => play(simulated), 60);
});

it(
  "tests and explanations hold for people with policies of their own, in groups and by templates",
  byHand,
  async () => {
    await playPeopleWorlds(createSimulatedServer, 3);
  },
);
