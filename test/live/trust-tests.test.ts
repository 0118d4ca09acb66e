import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explainToken } from "../../cli/facts/trust/explain-token.ts";
import { runTrustTests } from "../../cli/facts/trust/run-tests.ts";
import { readTrustFile } from "../../cli/facts/trust/trust-file.ts";
import { logIn } from "../../cli/facts/trust/trust-login.ts";
import { createTrustWorld } from "../../cli/facts/trust/trust-world.ts";
import { readStack } from "../../cli/sources/read-stack.ts";
import { recordsOf } from "../../cli/stack/desired-stack.ts";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { ProviderError } from "../../provider/core/errors.ts";
import { definitions } from "../../provider/resources/index.ts";
import { type LiveVault, startLiveVault } from "../../tools/live/live-servers.mts";
import { previewJson } from "../cli/preview-text.ts";
import { type ArbitraryTrust, arbitraryTrust, MOUNT } from "../support/arbitrary-trust.ts";
import { dangerCases } from "../support/danger-cases.ts";
import { explainCases, explainSteps, rightClaims } from "../support/explain-cases.ts";
import { fc } from "../support/fast-check.ts";
import { createMirroredServer, type MirroredServer } from "../support/mirrored-server.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { trustCases } from "../support/trust-cases.ts";
import { cloudRoleCases } from "../support/trust-record-cases.ts";
import { vaultReleases } from "../support/vault-releases.ts";

/** How many stacks are tried on each server; by hand as many as wanted. */
const STACKS = Number(process.env["TRUSTPLANE_TRUST_STACKS"] ?? 600);

const policies = {
  a: 'path "secret/a/*" { capabilities = ["read"] }',
  b: 'path "secret/+/x" { capabilities = ["list", "update"] }',
};
const paths = ["secret/a/x", "secret/a/y", "secret/b/x", "sys/health"];

describe.each(vaultReleases)("Vault %s agrees", (version) => {
  let vault: LiveVault;
  beforeAll(async () => {
    vault = await startLiveVault(version);
  });
  afterAll(() => vault.close());

  /** Does this on both servers, and leaves the real one as it was. */
  async function mirrored(play: (mirror: MirroredServer) => Promise<void>): Promise<MirroredServer> {
    const mirror = createMirroredServer(vault);
    try {
      await play(mirror);
    } finally {
      await mirror.clear();
    }
    expect(mirror.differences).toEqual([]);
    return mirror;
  }

  it.each([...trustCases, ...dangerCases, ...cloudRoleCases])(
    "with a trust test that $title",
    async ({ steps, tests, code }) => {
      const folder = folderOfTest();
      writeFileSync(join(folder, "trust.yml"), tests);
      const file = readTrustFile(join(folder, "trust.yml"));
      const mirror = await mirrored(async (simulated) => {
        const run = runTrustTests(recordsOf(readStack(previewJson({ steps }))), file, { simulated });
        if (code === 1) await expect(run).rejects.toThrow("refuses it");
        else expect((await run).result).toBe(code === 0 ? "passed" : "failed");
      });
      if (code !== 1 && tests.includes("login:")) expect(mirror.logins.length).toBeGreaterThan(0);
    },
  );

  it.each(explainCases)("with an explanation that $title", async (one) => {
    const { steps = explainSteps, claims, address = "127.2.3.4", wouldLogIn } = one;
    await mirrored(async (mirror) => {
      const records = recordsOf(readStack(previewJson({ steps })));
      const world = await createTrustWorld(records, {}, { simulated: mirror });
      // Exactly these claims: `explain` must not add any either.
      const jwt = await new SignJWT({ ...rightClaims, ...claims }).setProtectedHeader({ alg: "ES256" }).sign(world.key);
      await mirror.ask({ method: "POST", path: "auth/jobs/login", body: { jwt, role: "deploy" }, token: "", address });
      expect(mirror.logins).toMatchObject([{ isAllowed: wouldLogIn }]);
      const explained = await explainToken(records, { mount: "jobs", role: "deploy", jwt, address });
      expect(explained.wouldLogIn).toBe(wouldLogIn);
    });
    // What is missed is asked of roles with one demand each: of the real server, too.
    await mirrored(async (mirror) => {
      const jwt = await new SignJWT({ ...rightClaims, ...claims })
        .setProtectedHeader({ alg: "HS256" })
        .sign(new Uint8Array(32));
      const records = recordsOf(readStack(previewJson({ steps })));
      await explainToken(records, { mount: "jobs", role: "deploy", jwt, address }, { simulated: mirror });
    });
  });

  it("with random roles and claims, in verdicts, policies, lifetimes and explanations", {
    timeout: STACKS * 3000,
  }, async () => {
    let [allowed, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(arbitraryTrust, async (trust) => {
        const { logins } = await mirrored((mirror) => playRandom(trust, mirror));
        const own = logins.filter(({ isAllowed }) => isAllowed).length;
        allowed += own;
        refused += logins.length - own;
      }),
      { numRuns: STACKS },
    );
    // Neither kind is rare, and what no server takes is.
    expect(allowed + refused).toBeGreaterThan(STACKS * 2);
    expect(allowed).toBeGreaterThan(STACKS / 4);
    expect(refused).toBeGreaterThan(STACKS / 4);
  });
});

async function playRandom({ mount, config, role, logins }: ArbitraryTrust, mirror: MirroredServer): Promise<void> {
  const record = (definition: Definition, values: Values) => ({ definition, values });
  const records = [
    record(definitions.sysAuthMount, mount),
    record(definitions.jwtConfig, config),
    record(definitions.jwtRole, role),
  ];
  // What one server refuses, the other has refused, too.
  const world = await createTrustWorld(records, policies, { simulated: mirror }).catch((error: unknown) => {
    if (error instanceof ProviderError) return undefined;
    throw error;
  });
  if (world === undefined) return;
  for (const { claims, times, address } of logins) {
    const now = Math.floor(Date.now() / 1000);
    const timed = Object.fromEntries(Object.entries(times).map(([name, seconds]) => [name, now + seconds]));
    const attempt = { mount: MOUNT, role: "role", claims: { ...claims, ...timed }, address };
    const result = await logIn(world, attempt);
    if (!("refused" in result))
      await mirror.ask({ method: "POST", path: "sys/capabilities", body: { token: result.token, paths } });
    expect(mirror.differences).toEqual([]);
    const { jwt = "", isAllowed } = mirror.logins.at(-1) ?? {};
    const { wouldLogIn, demands } = await explainToken(records, { mount: MOUNT, role: "role", jwt, address });
    const missed = demands.filter(({ met }) => !met);
    expect({ claims, wouldLogIn, missed: wouldLogIn ? missed : [] }).toEqual({
      claims,
      wouldLogIn: isAllowed,
      missed: [],
    });
  }
}
