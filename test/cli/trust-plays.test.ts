import { expect, it } from "vitest";
import { createTwin } from "../../cli/facts/trust/twin.ts";
import { playPolicyPairs, playRoleChanges } from "../support/trust-plays.ts";

const byHand = { timeout: 3_600_000 };

it("the comment tells of a gain and of a loss where a login has one, and nowhere else", byHand, async () => {
  const { logins } = await playRoleChanges((play) => play(createTwin()), 30);
  expect(logins).toBeGreaterThan(200);
});

it("the comment tells of a policy what comes and goes on every path, and nothing else", byHand, async () => {
  const twin = createTwin();
  await playPolicyPairs((play) => play(twin), 60);
});
