import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import type { Definition } from "../../provider/core/definition.ts";
import { createEngine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { startLiveVault } from "../../tools/live/live-servers.mts";
import { rawApi } from "../support/contract-raw.ts";
import { jobKeyPem, jobToken, setVariable } from "../support/jwt-logins.ts";

const role: Definition = definitions.jwtRole;

it("a minute of writes with leases of five seconds works, and leaves no token behind", async () => {
  const vault = await startLiveVault("1.21");
  onTestFinished(() => vault.close());
  const raw = rawApi("secrets", vault);
  const policy = 'path "auth/ci/*" { capabilities = ["create", "read", "update", "delete", "list"] }';
  await raw.call("POST sys/auth/ci", { type: "jwt" });
  await raw.call("POST auth/ci/config", { jwt_validation_pubkeys: [jobKeyPem] });
  await raw.call("POST sys/policies/acl/ci", { policy });
  await raw.call("POST auth/ci/role/ci", {
    role_type: "jwt",
    user_claim: "sub",
    bound_audiences: ["trustplane"],
    token_policies: ["ci"],
    token_ttl: "5s",
    token_max_ttl: "20s",
  });
  const accessors = async () => {
    const answer = (await raw.call("LIST auth/token/accessors")) as { data: { keys: string[] } };
    return answer.data.keys;
  };
  const login = { method: "jwt", mount: "ci", role: "ci", jwtEnv: setVariable("JOB_OF_A_MINUTE", await jobToken()) };
  const secrets = JSON.stringify({ address: vault.address, login });
  const config = (key: string) => (key === "secrets" ? secrets : undefined);
  const engine = createEngine({ config, env: process.env, log: () => {} });

  const before = await accessors();
  const seen = new Set<string>();
  const endsAt = Date.now() + 60_000;
  let writes = 0;
  for (; Date.now() < endsAt; writes++) {
    const name = `app-${writes}`;
    await engine.create(role, { mount: "ci", name, roleType: "jwt", userClaim: "sub", boundSubject: name });
    for (const accessor of await accessors()) if (!before.includes(accessor)) seen.add(accessor);
    await sleep(500);
  }
  await engine.end();

  const { data } = (await raw.call("LIST auth/ci/role")) as { data: { keys: string[] } };
  // The role that logs in is there, too.
  expect(data.keys).toHaveLength(writes + 1);
  // Twenty seconds are the longest time of one token.
  expect(seen.size).toBeGreaterThan(2);
  expect(await accessors()).toEqual(before);
}, 120_000);
