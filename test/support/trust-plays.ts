import { expect } from "vitest";
import type { SimulatedServer } from "../../cli/facts/trust/simulated-server.ts";
import { fc } from "./fast-check.ts";
import { playPeople } from "./people-plays.ts";
import { arbitraryPeopleWorld, type PlayServer } from "./people-worlds.ts";
import { arbitraryPolicyPair, playPolicyPair, toldOfPolicies } from "./policy-pairs.ts";
import { arbitraryRoleChange, dangerousRoleChanges, playRoleChange, toldOf } from "./role-changes.ts";

/** The same changes in every run. By hand, another seed and as many as wanted. */
const SEED = Number(process.env["TRUSTPLANE_CHANGE_SEED"] ?? 33);
const COUNT = Number(process.env["TRUSTPLANE_CHANGES"] ?? 0);

/** Does this on a server, and leaves it as it was. */
type OnServer = <T>(play: (simulated: SimulatedServer) => Promise<T>) => Promise<T>;

/** Random changes of roles: where a login gains or loses something, the comment says so, and nowhere else. */
export async function playRoleChanges(onServer: OnServer, count: number): Promise<{ readonly logins: number }> {
  let [gained, lost, logins] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(arbitraryRoleChange, async (change) => {
      const played = await onServer((simulated) => playRoleChange(change, simulated));
      if (played === undefined) return;
      const { gains, loses } = played;
      const told = toldOf(change);
      const shown = { change, sentences: told.sentences, gains: gains.slice(0, 3), loses: loses.slice(0, 3) };
      expect({ ...shown, hasGain: told.hasGain }).toEqual({ ...shown, hasGain: gains.length > 0 });
      expect({ ...shown, hasLoss: told.hasLoss }).toEqual({ ...shown, hasLoss: loses.length > 0 });
      expect({ ...shown, isUnclear: told.isUnclear }).toEqual({ ...shown, isUnclear: false });
      // Of a secret nothing is known: then a gain is told, or that it cannot be told.
      const blind = toldOf(change, { hidden: true });
      const isTold = gains.length === 0 || blind.hasGain || blind.isUnclear;
      expect({ ...shown, blind: blind.sentences, isTold }).toMatchObject({ isTold: true });
      gained += gains.length > 0 ? 1 : 0;
      lost += loses.length > 0 ? 1 : 0;
      logins += played.logins;
    }),
    { numRuns: COUNT || count, seed: SEED, examples: dangerousRoleChanges },
  );
  // Neither is rare.
  expect(Math.min(gained, lost)).toBeGreaterThan(3);
  return { logins };
}

/** The same of random changes of a policy, on every path. */
export async function playPolicyPairs(onServer: OnServer, count: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(arbitraryPolicyPair, async (pair) => {
      const { more, less } = await onServer((simulated) => playPolicyPair(pair, simulated));
      const { sentences, hasMore, hasLess } = toldOfPolicies(pair);
      expect({ pair, sentences, more, hasMore }).toEqual({ pair, sentences, more, hasMore: more.length > 0 });
      expect({ pair, sentences, less, hasLess }).toEqual({ pair, sentences, less, hasLess: less.length > 0 });
    }),
    { numRuns: COUNT || count, seed: SEED },
  );
}

/** Random people with policies of their own, in groups and with templates: what test and explain say of them is so. */
export async function playPeopleWorlds(open: () => PlayServer, count: number): Promise<void> {
  let [verdicts, sure] = [0, 0];
  await fc.assert(
    fc.asyncProperty(arbitraryPeopleWorld, async (world) => {
      const played = await playPeople(world, open());
      verdicts += played.verdicts;
      sure += played.sure;
    }),
    // A smaller world is not worth the minutes.
    { numRuns: COUNT || count, seed: SEED, endOnFailure: true },
  );
  // "Cannot be told" is not the answer to everything.
  expect(sure / verdicts).toBeGreaterThan(0.4);
}
