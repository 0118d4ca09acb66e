import { expect, it } from "vitest";
import { createTwin } from "../../cli/facts/trust/twin.ts";
import { fc } from "../support/fast-check.ts";
import { arbitraryPolicyPair, playPolicyPair, toldOfPolicies } from "../support/policy-pairs.ts";
import { arbitraryRoleChange, playRoleChange, toldOf } from "../support/role-changes.ts";

it("the comment tells of a gain and of a loss where a login has one, and nowhere else", {
  timeout: 120_000,
}, async () => {
  let [gained, lost] = [0, 0];
  await fc.assert(
    fc.asyncProperty(arbitraryRoleChange, async (change) => {
      const played = await playRoleChange(change, createTwin());
      if (played === undefined) return;
      const { gains, loses } = played;
      const told = toldOf(change);
      const shown = { change, sentences: told.sentences, gains: gains.slice(0, 3), loses: loses.slice(0, 3) };
      expect({ ...shown, hasGain: told.hasGain }).toEqual({ ...shown, hasGain: gains.length > 0 });
      expect({ ...shown, hasLoss: told.hasLoss }).toEqual({ ...shown, hasLoss: loses.length > 0 });
      expect({ ...shown, isUnclear: told.isUnclear }).toEqual({ ...shown, isUnclear: false });
      // Of a secret nothing is known, and so a gain is never told as a loss, or not at all.
      const blind = toldOf(change, { hidden: true });
      if (gains.length > 0)
        expect({ ...shown, blind: blind.sentences, told: blind.hasGain || blind.isUnclear }).toMatchObject({
          told: true,
        });
      gained += gains.length > 0 ? 1 : 0;
      lost += loses.length > 0 ? 1 : 0;
    }),
    { numRuns: Number(process.env["TRUSTPLANE_CHANGES"] ?? 60), seed: 33 },
  );
  expect(Math.min(gained, lost)).toBeGreaterThan(5);
});

it("the comment tells of a policy what comes and goes on every path, and nothing else", {
  timeout: 120_000,
}, async () => {
  const twin = createTwin();
  await fc.assert(
    fc.asyncProperty(arbitraryPolicyPair, async (pair) => {
      const { more, less } = await playPolicyPair(pair, twin);
      const { sentences, hasMore, hasLess } = toldOfPolicies(pair);
      expect({ pair, sentences, more, hasMore }).toEqual({ pair, sentences, more, hasMore: more.length > 0 });
      expect({ pair, sentences, less, hasLess }).toEqual({ pair, sentences, less, hasLess: less.length > 0 });
    }),
    { numRuns: Number(process.env["TRUSTPLANE_CHANGES"] ?? 100), seed: 33 },
  );
});
