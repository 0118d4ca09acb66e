import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startLiveVault } from "../../tools/live/live-servers.mts";
import { openStackStory } from "../e2e/stack-story.ts";
import { watch } from "../e2e/watched-servers.ts";
import type { FaultName } from "../support/contract-fault.ts";
import type { RawApi } from "../support/contract-raw.ts";
import type { SeenRequest } from "../support/contract-traffic.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";

const count = 20;
/** The role that is being written when it happens. */
const middle = 8;

/** What goes wrong in the middle of an `up` of 20 roles on a real Vault, and what the next one makes of it. */
describe("an up that is disturbed half-way", needsPulumi(), () => {
  test("by a sealed Vault: says so in one line; unsealed, the next up completes", async () => {
    const { vault, up, expectTrueState, expectCompleted, atRole, raw } = await open();
    atRole(middle, () => raw.call("PUT sys/seal"));

    const { text } = await up({ code: 1 });

    expect(errorsIn(text)).toContainEqual(
      expect.stringMatching(
        /^creating jwt\.Role "r\d+": (?:it is not known whether it was written: )?503 Vault is sealed \(\w+ auth\/jwt\/role\/r\d+\)\. Unseal the server and run again\.$/,
      ),
    );
    await fetch(`${vault.address}/v1/sys/unseal`, { method: "PUT", body: JSON.stringify({ key: vault.unsealKey }) });
    // Unsealed is not yet active.
    await vi.waitUntil(async () => (await raw.ask("GET sys/health")).status === 200, { timeout: 10_000 });
    await expectTrueState({ perhaps: unansweredIn(text) });
    await expectCompleted();
  });

  test("by a revoked token: names the cause and what to do; with another token the next up completes", async () => {
    const { up, expectTrueState, expectCompleted, atRole, raw } = await open();
    const token = await childToken(raw);
    atRole(middle, () => raw.call("POST auth/token/revoke", { token }));

    const { text } = await up({ code: 1, env: { VAULT_TOKEN: token } });

    expect(errorsIn(text)).toContainEqual(
      expect.stringMatching(
        /^creating jwt\.Role "r\d+": 403 .*invalid token.* The token is unknown, expired or revoked; give a new one in VAULT_TOKEN\.$/,
      ),
    );
    await expectTrueState();
    await expectCompleted();
  });

  test("by one Ctrl-C: what was begun is finished and recorded, and the next up completes", async () => {
    const { up, expectTrueState, expectCompleted, atRole } = await open();
    const interruption = new AbortController();
    const heard = Promise.withResolvers<void>();
    atRole(middle, () => {
      interruption.abort();
      return heard.promise;
    });

    await up({
      code: 1,
      signal: interruption.signal,
      onLine: (line) => line.includes("^C received") && heard.resolve(),
    });

    await expectTrueState();
    await expectCompleted();
  });

  const faults: readonly Fault[] = [
    { fault: "503", says: /503 service unavailable/, unrecorded: 0 },
    // Without an answer a look says whether it was written.
    { fault: "a connection cut after the server has done it", says: /the server closed the connection/, unrecorded: 0 },
    {
      fault: "a body that stalls",
      method: "GET",
      says: /creating jwt\.Role .*no answer from/,
      unrecorded: 0,
    },
  ];
  test.each(faults)(
    "by $fault: nothing is lost, and the next up completes",
    async ({ fault, method, says, unrecorded }) => {
      const { up, expectCompleted, rolesInState, rolesOnServer, traffic } = await open();
      traffic.strikeAll(nthRole(middle, method), fault);

      const { text } = await up({ code: 1, env: { VAULT_MAX_RETRIES: "0", VAULT_CLIENT_TIMEOUT: "2" } });

      expect(errorsIn(text)).toContainEqual(expect.stringMatching(says));
      const recorded = await rolesInState();
      expect((await rolesOnServer()).filter((role) => !recorded.includes(role))).toHaveLength(unrecorded);
      expect(await rolesOnServer()).toEqual(expect.arrayContaining(recorded));
      traffic.calm();
      await expectCompleted();
    },
  );
});

interface Fault {
  readonly fault: FaultName;
  readonly method?: "GET";
  readonly says: RegExp;
  /** How many roles are then on the server, but not in the state. */
  readonly unrecorded: number;
}

/** A stack of 20 roles, and nothing done yet, on a Vault of its own. */
async function open() {
  const vault = await startLiveVault("1.21");
  const watched = await watch({ secrets: vault });
  const story = await openStackStory({ program: { source: program }, env: watched.env });
  onTestFinished(async () => {
    await story.close();
    await watched.close();
    await vault.close();
  });
  const raw = watched.raw("secrets");
  await raw.call("POST sys/auth/jwt", { type: "jwt" });

  const rolesOnServer = async () => {
    const { body } = await raw.ask("GET auth/jwt/role?list=true");
    return (body as RoleNames).data.keys.map((name) => `auth/jwt/role/${name}`).sort();
  };
  const rolesInState = async () => (await story.resources()).flatMap(({ id }) => id ?? []).sort();
  return {
    vault,
    raw,
    traffic: watched.traffic,
    rolesOnServer,
    rolesInState,
    /** Lets something happen before the server sees the write of the n-th role. */
    atRole: (nth: number, work: () => Promise<unknown>) => watched.traffic.hold(nthRole(nth), work),
    up: (options: Parameters<typeof story.pulumi>[1]) => story.pulumi("up --yes --skip-preview --parallel 4", options),
    /** The state has what the server has, and each of which it said that it does not know. */
    async expectTrueState({ perhaps = [] }: { readonly perhaps?: readonly string[] } = {}) {
      const written = await rolesOnServer();
      expect(await rolesInState()).toEqual([...new Set([...written, ...perhaps])].sort());
      expect(written.length).toBeGreaterThanOrEqual(middle - 4);
      expect(written.length).toBeLessThan(count);
    },
    async expectCompleted() {
      await story.pulumi("up --yes --skip-preview");
      expect(await rolesOnServer()).toHaveLength(count);
      expect(await rolesInState()).toEqual(await rolesOnServer());
      await story.pulumi("preview --refresh --expect-no-changes");
    },
  };
}

interface RoleNames {
  readonly data: { readonly keys: readonly string[] };
}

/** Says yes to the n-th request for a role, whatever else is sent. */
function nthRole(nth: number, wanted = "POST"): (request: SeenRequest) => boolean {
  let seen = 0;
  return ({ method, url }) => {
    if (method !== wanted || !url.startsWith("/v1/auth/jwt/role/")) return false;
    seen += 1;
    return seen === nth;
  };
}

async function childToken(raw: RawApi): Promise<string> {
  const answer = await raw.call("POST auth/token/create", { policies: ["root"] });
  return (answer as { auth: { client_token: string } }).auth.client_token;
}

/** The lines of Pulumi's diagnostics that say what is wrong: of a record that was kept, they are in a list. */
function errorsIn(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.flatMap((line) => /^(?:error:|\*) (.+)/.exec(line)?.[1] ?? []);
}

/** The roles of which nobody knows whether the server wrote them. */
function unansweredIn(text: string): readonly string[] {
  return errorsIn(text).flatMap((line) =>
    [...line.matchAll(/"(r\d+)": it is not known whether it was written/g)].map(([, name]) => `auth/jwt/role/${name}`),
  );
}

const program = `
const trustplane = require("trustplane");
for (let at = 0; at < ${count}; at++) {
  new trustplane.jwt.Role("r" + at, {
    name: "r" + at, roleType: "jwt", userClaim: "sub", boundAudiences: ["https://secrets.example.com"], tokenTtl: 60,
  });
}
`;
