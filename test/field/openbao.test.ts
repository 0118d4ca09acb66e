// What OpenBao has beside Vault. None is at hand: what it answers here is from its source.
import { expect, it, onTestFinished } from "vitest";
import { createEngine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { ProfileName } from "../../server/profiles/profiles.ts";
import { startServers } from "../../server/serve.ts";
import { run } from "../cli/drift-harness.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { rawApi } from "../support/contract-raw.ts";
import { passOn, serve } from "../support/loopback-server.ts";

/** Secrets server with a mount for JWTs, and answers of this test in front of it. */
async function opened(profile: ProfileName, answers: Readonly<Record<string, unknown>>) {
  const servers = await startServers({ profile });
  onTestFinished(() => servers.close());
  const { origin } = await serve(async (incoming, outgoing) => {
    const answer = answers[`${incoming.method} ${incoming.url?.replace("/v1/", "")}`];
    if (answer === undefined) await passOn(servers.secrets.address, incoming, outgoing);
    else outgoing.end(JSON.stringify(answer));
  });
  const env = { ...environmentOf(servers), VAULT_ADDR: origin };
  const inRun = () => createEngine({ config: () => undefined, env, log: () => {} });
  const { id, state } = await inRun().create(definitions.sysAuthMount, { path: "jobs", type: "jwt" });
  return { env, remove: () => inRun().delete(definitions.sysAuthMount, id, state) };
}

// https://github.com/openbao/openbao/pull/869
const CEL_ROLES = { "GET auth/jobs/cel/role?list=true": { data: { keys: ["x"] } } };

it("roles in CEL live in a mount, too: it is not deleted with them", async () => {
  const { remove } = await opened("openbao", CEL_ROLES);
  await expect(remove()).rejects.toThrow("1 record still lives in auth/jobs/cel/role (x) and would be lost");
});

it("roles in CEL may give any policy: who has one says that they were not looked at", async () => {
  const { env } = await opened("openbao", CEL_ROLES);
  const { err } = await run(["explain", "who", "--policy", "deploy", "--live"], env);
  expect(err).toContain("not looked at: 1 CEL role of auth/jobs (jwt): a program of their own gives the policies.\n");
});

// https://github.com/openbao/openbao/issues/3502, and `handlePoliciesSet` in internal/vault/logical_system.go of the same
it("the expiration and the check-and-set of a policy survive an update of its text", async () => {
  const servers = await startServers({ profile: "openbao" });
  onTestFinished(() => servers.close());
  const env = environmentOf(servers);
  const { call } = rawApi("secrets", servers.secrets);
  const inRun = () => createEngine({ config: () => undefined, env, log: () => {} });
  const policy = (path: string) => ({ name: "deploy", policy: `path "${path}" { capabilities = ["read"] }` });
  const { id, state } = await inRun().create(definitions.sysPolicy, policy("a"));
  const expiration = new Date(Date.now() + 3_600_000).toISOString();
  const others = { cas_required: true, expiration, allow_slashes_in_identity_templates: true };
  await call("POST sys/policies/acl/deploy", { ...policy("a"), ...others, cas: 1 });

  await inRun().update(definitions.sysPolicy, id, state, policy("b"));

  const kept = { ...others, expiration: expiration.replace(/\.?0*Z$/, "Z"), version: 3 };
  expect(await call("GET sys/policies/acl/deploy")).toMatchObject({ data: { ...policy("b"), ...kept } });
  const refused = expect.objectContaining({ status: 400 });
  const { ask } = rawApi("secrets", servers.secrets);
  expect(await ask("POST sys/policies/acl/deploy", policy("c"))).toEqual(refused);
  expect(await ask("POST sys/policies/acl/deploy", { ...policy("c"), cas: 2 })).toEqual(refused);
});

it.each(["vault", "openbao"] as const)("a mount of %s without them is empty", async (profile) => {
  const { env, remove } = await opened(profile, {});
  expect((await run(["explain", "who", "--policy", "deploy", "--live"], env)).err).not.toContain("CEL");
  await remove();
});
