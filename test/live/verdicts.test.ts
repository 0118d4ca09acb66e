import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SimulatedServer } from "../../cli/facts/trust/simulated-server.ts";
import { type LiveVault, startLiveVault } from "../../tools/live/live-servers.mts";
import { createMirroredServer } from "../support/mirrored-server.ts";
import { playPeopleWorlds, playPolicyPairs, playRoleChanges } from "../support/trust-plays.ts";
import { vaultReleases } from "../support/vault-releases.ts";

const byHand = { timeout: 3_600_000 };

describe.each(vaultReleases)("on Vault %s", (version) => {
  let vault: LiveVault;
  beforeAll(async () => {
    vault = await startLiveVault(version);
  });
  afterAll(() => vault.close());

  /** The simulated server's answers are those of the real server, or the test fails. */
  async function onVault<T>(play: (simulated: SimulatedServer) => Promise<T>): Promise<T> {
    const mirror = createMirroredServer(vault);
    try {
      return await play(mirror);
    } finally {
      await mirror.clear();
      expect(mirror.differences).toEqual([]);
    }
  }

  it("the comment tells of every gain and loss of a login, and of no other", byHand, async () => {
    const { logins } = await playRoleChanges(onVault, 25);
    expect(logins).toBeGreaterThan(200);
  });

  it("the comment tells of a policy what comes and goes on every path", byHand, async () => {
    await playPolicyPairs(onVault, 50);
  });

  it(
    "tests and explanations hold for people with policies of their own, in groups and by templates",
    byHand,
    async () => {
      const asked = async (method: string, path: string, body?: object, token = vault.token) => {
        const answer = await fetch(`${vault.address}/v1/${path}`, {
          method,
          headers: token === "" ? {} : { "x-vault-token": token },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        return { status: answer.status, body: text === "" ? {} : JSON.parse(text) };
      };
      await playPeopleWorlds(
        () => ({
          ask: ({ method, path, body, token }) => asked(method, path, body, token),
          remove: async (path) => void (await asked("DELETE", path)),
        }),
        10,
      );
    },
  );
});
